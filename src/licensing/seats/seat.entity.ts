import { Column, Entity, JoinColumn, ManyToOne, Index, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { LicenseEntity } from '../licenses/license.entity.js';

/**
 * A device's place on a license, or the memory that it had one. Its table has a fillfactor of 90 and no index on `last_seen_at`,
 * so that heartbeats stay heap-only updates (facts/performance 3d).
 */
@Entity('seat')
@Unique(['licenseId', 'fingerprintDigest'])
@Index('seat_live_idx', ['licenseId'], { where: 'ended_at IS NULL' })
export class SeatEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  licenseId!: string;

  @ManyToOne(() => LicenseEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'license_id' })
  license?: Relation<LicenseEntity>;

  /** SHA-256 of extension and fingerprint; the fingerprint itself is nowhere. */
  @Column('bytea')
  fingerprintDigest!: Buffer;

  /** What the device said about itself, for the tenant to tell it from others. */
  @Column('text', { nullable: true })
  label!: string | null;

  @Column('timestamptz')
  firstSeenAt!: Date;

  /** To the hour: heartbeats that follow sooner are not written. */
  @Column('timestamptz')
  lastSeenAt!: Date;

  /** When it was released or taken over; null while the device holds it. */
  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;
}
