import { Column, Entity, Index, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../common/database/index.js';
import { CredentialEntity } from '../credentials/index.js';
import { ExtensionEntity } from '../registry/index.js';
import type { EncryptionAnswer, StoreId } from '../stores/index.js';
import type { Phase } from './phase.js';

export const ON_PENDING = ['wait', 'replace'] as const;
export const RELEASE_MODES = ['auto', 'manual'] as const;

/** Where one platform of a target stands, at a store whose platforms have versions of their own. */
export interface Track {
  readonly phase: Phase;
  readonly message: string;
  readonly liveVersion: string | null;
  readonly submittedVersion: string | null;
  readonly failures: number;
  readonly looks: number;
  /** ISO 8601. */
  readonly nextCheckAt: string | null;
}

/** Where a tenant wants an extension, what is known of it there, and who is working on it right now. */
@Entity('target')
@Unique(['extensionId', 'store', 'storeItemId', 'channel'])
@Index(['extensionId'])
@Index(['credentialId'])
@Index('target_enabled_item_idx', ['tenantId', 'store', 'itemKey'], { unique: true, where: 'enabled' })
@Index('target_due_idx', ['nextCheckAt'], { where: 'next_check_at IS NOT NULL' })
export class TargetEntity extends Row {
  @Column('uuid')
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'extension_id' })
  extension?: Relation<ExtensionEntity>;

  /** The extension's, by which no two targets drive one item; null of a target that was added before this was kept. */
  @Column('uuid', { nullable: true })
  tenantId!: string | null;

  @Column('text')
  store!: StoreId;

  @Column('text', { nullable: true })
  storeItemId!: string | null;

  /** The item by which targets are compared, however it was written. */
  @Column('text', { nullable: true })
  itemKey!: string | null;

  @Column('text', { nullable: true })
  crxId!: string | null;

  @Column('uuid', { nullable: true })
  credentialId!: string | null;

  @ManyToOne(() => CredentialEntity, { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'credential_id' })
  credential?: Relation<CredentialEntity>;

  @Column('boolean')
  enabled!: boolean;

  /** Since when it has been enabled: a release that ended badly before this moment is tried again. */
  @Column('timestamptz', { nullable: true })
  enabledAt!: Date | null;

  @Column('text', { array: true })
  platforms!: string[];

  @Column('text')
  onPending!: (typeof ON_PENDING)[number];

  /** One of the store's channels; empty where it has none. */
  @Column('text')
  channel!: string;

  /** `manual`: an approved version rests until its release is asked for. */
  @Column('text')
  releaseMode!: (typeof RELEASE_MODES)[number];

  /** The version whose release was asked for. */
  @Column('text', { nullable: true })
  releaseRequested!: string | null;

  /** Share of users to offer a version to; null for all. */
  @Column('integer', { nullable: true })
  rolloutPercent!: number | null;

  /** What is new, for versions that were pushed without notes of their own. */
  @Column('text', { nullable: true })
  releaseNotes!: string | null;

  /** What the store's reviewers are told, of versions that were pushed without reviewer notes of their own. */
  @Column('text', { nullable: true })
  reviewerNotes!: string | null;

  @Column('boolean')
  skipReview!: boolean;

  /** What the author declares of the encryption in its builds; null until he does. */
  @Column('text', { nullable: true })
  encryption!: EncryptionAnswer | null;

  /** Nothing is done at the store, and it is still looked at. */
  @Column('boolean')
  paused!: boolean;

  /** By platform; empty where all platforms share their versions, and after a change until the next look. */
  @Column('jsonb')
  tracks!: Record<string, Track>;

  /** Counts what a customer changed: settings, pins, secrets. A look that began before a change does not overwrite it. */
  @Column('integer')
  revision!: number;

  @Column('text')
  phase!: Phase;

  @Column('text')
  message!: string;

  @Column('text', { nullable: true })
  desiredVersion!: string | null;

  @Column('text', { nullable: true })
  liveVersion!: string | null;

  @Column('text', { nullable: true })
  submittedVersion!: string | null;

  @Column('timestamptz', { nullable: true })
  checkedAt!: Date | null;

  /** When the scheduler looks again; null while the store cannot be asked. */
  @Column('timestamptz', { nullable: true })
  nextCheckAt!: Date | null;

  /** Before this moment the store itself does not want to be asked (`Retry-After`). */
  @Column('timestamptz', { nullable: true })
  notBefore!: Date | null;

  /** Failures in a row. */
  @Column('integer')
  failures!: number;

  /** Looks in a row that found the same phase. */
  @Column('integer')
  looks!: number;

  /** Since when something is on its way without a review, a person or an end; null while nothing is. */
  @Column('timestamptz', { nullable: true })
  waitingSince!: Date | null;

  /** When the tenant was told that it makes no progress; null until then. */
  @Column('timestamptz', { nullable: true })
  stallToldAt!: Date | null;

  /** Whoever holds this token works on the target, until the lease runs out. */
  @Column('uuid', { nullable: true })
  leaseToken!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  /** The process that holds the lease, by the id it took at its boot. */
  @Column('uuid', { nullable: true })
  leaseBoot!: string | null;
}
