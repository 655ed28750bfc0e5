import { Column, Entity, Index, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Personal, Row } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';
import { ExtensionEntity } from '../../registry/index.js';
import { LicenseEntity } from '../licenses/index.js';
import { LicensePlanEntity } from '../plans/index.js';

/**
 * A device that uses a plan for a while without a license. The row outlives the trial, so that neither the device nor its user's address gets another;
 * activating a code converts it in the statement that seats the device.
 */
@Entity('trial')
@Unique(['extensionId', 'fingerprintDigest'])
@Unique(['extensionId', 'emailDigest'])
@Index(['tenantId', 'id'])
@Index(['extensionId', 'id'])
@Index(['planId'])
@Index('trial_email_idx', ['tenantId', 'email', 'id'], { where: 'email IS NOT NULL' })
@Index('trial_license_id_idx', ['licenseId'], { where: 'license_id IS NOT NULL' })
@Index(['tenantId', 'endsAt', 'extensionId'], { where: 'converted_at IS NULL' })
@Index('trial_converted_idx', ['tenantId', 'convertedAt', 'extensionId'], { where: 'converted_at IS NOT NULL' })
@Index('trial_untold_idx', ['endsAt'], { where: 'end_told_at IS NULL' })
@Index('trial_named_idx', ['endsAt'], { where: 'email IS NOT NULL OR label IS NOT NULL' })
export class TrialEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('uuid')
  @Exported()
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  @Column('uuid')
  @Exported()
  planId!: string;

  @ManyToOne(() => LicensePlanEntity, { onDelete: 'CASCADE' })
  plan?: Relation<LicensePlanEntity>;

  /** As `SeatEntity.fingerprintDigest`. */
  @Column('bytea')
  @NotExported('secret')
  fingerprintDigest!: Buffer;

  /** The label that the device gave itself; dropped with the address. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('buyer')
  label!: string | null;

  /** The address that its user confirmed; dropped some time after the end. */
  @Column({ type: 'text', nullable: true, collation: 'C' })
  @Exported()
  @Personal('buyer')
  email!: string | null;

  /** Keyed digest of the mailbox, which stays when the address is dropped. */
  @Column('bytea', { nullable: true })
  @NotExported('secret')
  emailDigest!: Buffer | null;

  @Column('timestamptz')
  @Exported()
  startedAt!: Date;

  @Column('timestamptz')
  @Exported()
  @Audited()
  endsAt!: Date;

  /** When its end was told, or that nobody listened noted. */
  @Column('timestamptz', { nullable: true })
  @NotExported('scheduling')
  endToldAt!: Date | null;

  /** When a code was activated on the device for the first time since the trial began. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  convertedAt!: Date | null;

  /** The license of that code; null once it is deleted. */
  @Column('uuid', { nullable: true })
  @Exported()
  licenseId!: string | null;

  @ManyToOne(() => LicenseEntity, { onDelete: 'SET NULL' })
  license?: Relation<LicenseEntity>;
}

/** What became of a link: its device has a trial, or its address has had one on another device. */
export type LinkOutcome = 'started' | 'taken';

/** A mailed link, by which the owner of an address starts a trial on the device that named the address. */
@Entity('trial_link')
@NotExported('person')
@Unique(['secretDigest'])
@Index(['expiresAt'])
@Index(['planId'])
@Index(['extensionId', 'fingerprintDigest', 'id'])
@Index(['tenantId', 'email'])
export class TrialLinkEntity extends Row {
  /** In lower case. */
  @Column('text')
  @Personal('buyer')
  email!: string;

  /** SHA-256 of the secret. */
  @Column('text')
  secretDigest!: string;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('uuid')
  planId!: string;

  @ManyToOne(() => LicensePlanEntity, { onDelete: 'CASCADE' })
  plan?: Relation<LicensePlanEntity>;

  /** The plan's. */
  @Column('uuid')
  extensionId!: string;

  @Column('bytea')
  fingerprintDigest!: Buffer;

  @Column('text', { nullable: true })
  @Personal('buyer')
  label!: string | null;

  /** Null until its button is pressed. */
  @Column('text', { nullable: true })
  outcome!: LinkOutcome | null;
}

/** Trials of an extension on a UTC day: those begun, by starting or by mailing a link, and those refused at a limit. */
@Entity('trial_day')
@NotExported('derived')
export class TrialDayEntity {
  @PrimaryColumn('uuid')
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  @PrimaryColumn('date')
  day!: string;

  @Column('integer', { default: 0 })
  begun!: number;

  @Column('integer', { default: 0 })
  refused!: number;
}
