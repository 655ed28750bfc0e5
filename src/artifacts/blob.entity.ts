import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** Bytes that artifacts refer to: one row for one content, whoever pushed it. */
@Entity('blob')
@Unique(['sha256'])
export class BlobEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** Hex. */
  @Column('text')
  sha256!: string;

  /** Where the blob store has it; never used for another content or a second time. */
  @Column('text')
  key!: string;
}
