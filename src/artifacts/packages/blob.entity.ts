import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { NotExported } from '../../common/database/index.js';

/** Bytes that artifacts refer to: one row per content, across tenants. */
@Entity('blob')
@NotExported('service')
@Unique(['sha256'])
export class BlobEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** Hex. */
  @Column('text')
  sha256!: string;

  /** The key in the blob store; never used again, not even for the same content. */
  @Column('text')
  key!: string;

  /** The index of a package, as `packIndex` writes it; null for sources. It is large, and not read with the rest. */
  @Column('bytea', { nullable: true, select: false })
  packageIndex?: Buffer | null;

  /** The file of a package's icon; null where it has none. Read once, so that showing it unpacks nothing. */
  @Column('bytea', { nullable: true, select: false })
  icon?: Buffer | null;
}
