import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { NotExported, Personal, Row } from '../../common/database/index.js';
import { ExtensionEntity } from '../../registry/index.js';

/** A mailed link that gives a device the license of the address. It works once: using it deletes the row. */
@Entity('restore_link')
@NotExported('person')
@Unique(['secretDigest'])
@Index(['expiresAt'])
@Index(['extensionId'])
export class RestoreLinkEntity extends Row {
  /** The buyer's e-mail address, in lower case. */
  @Column('text')
  @Personal('buyer')
  email!: string;

  /** SHA-256 of the secret. */
  @Column('text')
  secretDigest!: string;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('uuid')
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  /** Digest of the claim token that the device waits with. */
  @Column('text')
  tokenDigest!: string;

  /** SHA-256 of extension and fingerprint. */
  @Column('bytea')
  fingerprintDigest!: Buffer;
}
