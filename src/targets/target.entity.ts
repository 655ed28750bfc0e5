import { Column, Entity, Index, ManyToOne, Unique, VirtualColumn, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Row } from '../common/database/index.js';
import { CredentialEntity } from '../credentials/index.js';
import { ExtensionEntity } from '../registry/index.js';
import type { EncryptionAnswer, StoreId } from '../stores/index.js';

export const ON_PENDING = ['wait', 'replace'] as const;
export const RELEASE_MODES = ['auto', 'manual'] as const;
export const PREFLIGHT_MODES = ['hold', 'off'] as const;

/** Place and options of a tenant's publishing at one store. `TargetStatusEntity` has the known state there. */
@Entity('target')
@Unique(['extensionId', 'store', 'storeItemId', 'channel'])
@Index(['extensionId'])
@Index(['credentialId'])
@Index('target_enabled_item_idx', ['tenantId', 'store', 'itemKey'], { unique: true, where: 'enabled' })
export class TargetEntity extends Row {
  @Column('uuid')
  @Exported()
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  /** The extension's tenant: the unique index on enabled items needs it in this table. */
  @Column('uuid', { nullable: true })
  @NotExported('owner')
  tenantId!: string | null;

  @Column('text')
  @Exported()
  @Audited()
  store!: StoreId;

  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  storeItemId: string | null = null;

  /** Identifies the item however its id is written: two targets with the same key publish to the same item. */
  @Column('text', { nullable: true })
  @NotExported('derived')
  itemKey: string | null = null;

  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  crxId: string | null = null;

  @Column('uuid', { nullable: true })
  @Exported()
  @Audited()
  credentialId: string | null = null;

  @ManyToOne(() => CredentialEntity, { onDelete: 'RESTRICT' })
  credential?: Relation<CredentialEntity>;

  /** The credential's account at the store, for the addresses of its pages. */
  @VirtualColumn({ query: (target) => `SELECT account FROM credential WHERE credential.id = ${target}.credential_id` })
  readonly account: string | null = null;

  @Column('boolean')
  @Exported()
  @Audited()
  enabled = false;

  /** When the target was last enabled: a release that failed before this moment is tried again. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  enabledAt: Date | null = null;

  /** Pierhead changes nothing at the store, but still checks it. */
  @Column('boolean')
  @Exported()
  @Audited()
  paused = false;

  @Column('text', { array: true })
  @Exported()
  @Audited()
  platforms!: string[];

  /** One of the store's channels; empty where it has none. */
  @Column('text')
  @Exported()
  @Audited()
  channel!: string;

  @Column('text')
  @Exported()
  @Audited()
  onPending: (typeof ON_PENDING)[number] = 'wait';

  /** `manual`: an approved version is not published until the tenant asks for it. */
  @Column('text')
  @Exported()
  @Audited()
  releaseMode: (typeof RELEASE_MODES)[number] = 'auto';

  /** Share of users to offer a version to; null for all. */
  @Column('integer', { nullable: true })
  @Exported()
  @Audited()
  rolloutPercent: number | null = null;

  /** Release notes for versions pushed without notes of their own. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  releaseNotes: string | null = null;

  /** Notes for the store's reviewers, for versions pushed without reviewer notes of their own. */
  @Column('text', { nullable: true })
  @Exported()
  reviewerNotes: string | null = null;

  @Column('boolean')
  @Exported()
  @Audited()
  skipReview = false;

  /** The item takes only packages that are signed with its author's key. Pierhead turns it on when the store says so. */
  @Column('boolean', { default: false })
  @Exported()
  @Audited()
  signedUploads = false;

  /** The store is watched for versions and files that nobody pushed. */
  @Column('boolean', { default: true })
  @Exported()
  @Audited()
  watched = true;

  /** The watch also compares the file that users get. */
  @Column('boolean', { default: false })
  @Exported()
  @Audited()
  fileWatched = false;

  /** `hold`: a version that the store would refuse is not sent, unless a person overrides its findings. */
  @Column('text', { default: 'hold' })
  @Exported()
  @Audited()
  preflight: (typeof PREFLIGHT_MODES)[number] = 'hold';

  /** The author's declaration about encryption in the builds; null until declared. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  encryption: EncryptionAnswer | null = null;

  /** Apple's id of the Xcode Cloud workflow that builds versions without a package; null for none. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  xcodeCloudWorkflow: string | null = null;

  /** The tag that a version is built from; `{version}` stands for its number. */
  @Column('text', { default: 'v{version}' })
  @Exported()
  @Audited()
  xcodeCloudTag = 'v{version}';

  /** The country whose ratings are read, where the store has ratings by country. */
  @Column('text', { default: 'us' })
  @Exported()
  @Audited()
  storefront = 'us';
}
