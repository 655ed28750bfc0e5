import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Personal, Row } from '../common/database/index.js';
import type { CiOrigin } from '../common/access/index.js';
import { ExtensionEntity } from '../registry/index.js';
import type { PackageFormat, StoreFinding, StoreId } from '../stores/index.js';
import type { Justifications, PackageManifest } from './archive/index.js';
import { BlobEntity } from './packages/blob.entity.js';
import type { ArtifactScope } from './scope.js';

/** A version of an extension as it was pushed: a zip, a signed package for one platform of a store, or a bare pin where a store needs none. */
@Entity('artifact')
@Unique(['extensionId', 'version', 'scope', 'platform', 'buildNumber'])
@Index(['extensionId', 'pinnedAt'])
@Index(['blobId'])
@Index(['sourceBlobId'])
export class ArtifactEntity extends Row {
  @Column('uuid')
  @Exported()
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  /** The version that was pinned. */
  @Column('text')
  @Exported()
  @Audited()
  version!: string;

  /** The version as stores show it: the manifest's, which differs when `version` is its `version_name`. */
  @Column('text')
  @Exported()
  @Audited()
  storeVersion!: string;

  @Column('text')
  @Exported()
  @Audited()
  scope!: ArtifactScope;

  /** The platform of a signed package; empty for anything else. */
  @Column('text', { default: '' })
  @Exported()
  @Audited()
  platform = '';

  /** The number of the build in a signed package, which rises from package to package of a version; empty for anything else. */
  @Column('text', { default: '' })
  @Exported()
  @Audited()
  buildNumber = '';

  @Column('uuid', { nullable: true })
  @NotExported('derived')
  blobId: string | null = null;

  @ManyToOne(() => BlobEntity, { onDelete: 'RESTRICT' })
  blob?: Relation<BlobEntity>;

  /** Null for a pin without a package. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  format: PackageFormat | null = null;

  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  sha256: string | null = null;

  /** Of the names and contents in the zip, in hex: the same when it is packed again. */
  @Column('text', { nullable: true })
  @Exported()
  contentSha256: string | null = null;

  /** Bytes. */
  @Column('integer', { nullable: true })
  @Exported()
  @Audited()
  size: number | null = null;

  @Column('jsonb', { nullable: true })
  @Exported()
  manifest: PackageManifest | null = null;

  /** Findings in the package, judged when it was pushed; null where there was none to judge. */
  @Column('jsonb', { nullable: true })
  @Exported()
  findings: StoreFinding[] | null = null;

  /** Release notes, for stores that support them. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  notes: string | null = null;

  /** Release notes of their own for some languages, by locale. */
  @Column('jsonb', { nullable: true })
  @Exported()
  @Audited()
  localizedNotes: Readonly<Record<string, string>> | null = null;

  /** Why the extension asks for what it asks for, for privacy pages of stores, which have no API. */
  @Column('jsonb', { nullable: true })
  @Exported()
  @Audited()
  justifications: Justifications | null = null;

  /** Notes for the store's reviewers. */
  @Column('text', { nullable: true })
  @Exported()
  reviewerNotes: string | null = null;

  /** The archive of sources, for stores that review them. */
  @Column('uuid', { nullable: true })
  @NotExported('derived')
  sourceBlobId: string | null = null;

  @ManyToOne(() => BlobEntity, { onDelete: 'RESTRICT' })
  sourceBlob?: Relation<BlobEntity>;

  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  sourceSha256: string | null = null;

  /** Bytes. */
  @Column('integer', { nullable: true })
  @Exported()
  @Audited()
  sourceSize: number | null = null;

  /** Time until which stores that review sources wait for announced ones; null when none are announced. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  sourceDueAt: Date | null = null;

  /** The version at the store that this one brings back under a new number. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  rollbackOf: string | null = null;

  @Column('text', { nullable: true })
  @Exported()
  rollbackReason: string | null = null;

  /** The actor who pushed this content: an e-mail address, or the name of a token or a CI job; null when the service did. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('member')
  pushedBy: string | null = null;

  /** The user behind that actor; null for a CI job. */
  @Column('uuid', { nullable: true })
  @NotExported('person')
  pushedById: string | null = null;

  /** Where the CI job came from that pushed it; null where none did. */
  @Column('jsonb', { nullable: true })
  @Exported()
  pushedFrom: CiOrigin | null = null;

  /** The commit that the push names. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  commit: string | null = null;

  /** When the version was last pinned; each target is driven to the newest pin. */
  @Column('timestamptz')
  @Exported()
  pinnedAt!: Date;

  /** When other content was pushed for it; null for the first. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  replacedAt: Date | null = null;

  /** The stores where an upload of it was begun, unless the store refused it and holds no version of it. */
  @Column('text', { array: true, default: [] })
  @Exported()
  uploadedTo: StoreId[] = [];
}
