import { Column, Entity, ManyToOne, Index, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Exported, NotExported, Personal } from '../../common/database/index.js';
import { LicenseEntity, LicenseMemberEntity } from '../licenses/index.js';

/**
 * A device's seat on a license, live or ended. The table has a fillfactor of 90 and no index on `last_seen_at`, so that heartbeats stay
 * heap-only updates.
 */
@Entity('seat')
@Unique(['licenseId', 'fingerprintDigest'])
@Index('seat_live_idx', ['licenseId'], { where: 'ended_at IS NULL' })
@Index('seat_device_idx', ['fingerprintDigest'], { where: 'ended_at IS NULL' })
@Index('seat_member_id_idx', ['memberId'], { where: 'member_id IS NOT NULL' })
@Index(['firstSeenAt'])
@Index('seat_ended_at_idx', ['endedAt'], { where: 'ended_at IS NOT NULL' })
export class SeatEntity {
  @PrimaryColumn('uuid')
  @Exported()
  id!: string;

  @Column('uuid')
  @Exported()
  licenseId!: string;

  @ManyToOne(() => LicenseEntity, { onDelete: 'CASCADE' })
  license?: Relation<LicenseEntity>;

  /** Whose code seated the device; null for the license's own. */
  @Column('uuid', { nullable: true })
  @Exported()
  memberId!: string | null;

  @ManyToOne(() => LicenseMemberEntity, { onDelete: 'SET NULL' })
  member?: Relation<LicenseMemberEntity>;

  /** SHA-256 of extension and fingerprint; the fingerprint itself is not stored. */
  @Column('bytea')
  @NotExported('secret')
  fingerprintDigest!: Buffer;

  /** The label that the device gave itself. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('buyer')
  label!: string | null;

  @Column('timestamptz')
  @Exported()
  firstSeenAt!: Date;

  /** To the hour: heartbeats within an hour of the last one are not written. */
  @Column('timestamptz')
  @Exported()
  lastSeenAt!: Date;

  /** When the seat was freed or taken over; null while it is live. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  endedAt!: Date | null;
}
