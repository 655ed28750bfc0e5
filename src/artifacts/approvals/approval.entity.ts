import { Column, Entity, Index, ManyToOne, type Relation } from 'typeorm';
import type { CiOrigin } from '../../common/access/index.js';
import { Audited, Exported, NotExported, Personal, Row } from '../../common/database/index.js';
import { ExtensionEntity } from '../../registry/index.js';
import { TargetEntity } from '../../targets/index.js';
import { ArtifactEntity } from '../artifact.entity.js';
import type { ArtifactScope } from '../scope.js';

/** What sends a version to stores, and so waits for an approval. */
export const APPROVAL_ACTS = ['push', 'pin', 'rollback', 'resubmit', 'enable'] as const;
export type ApprovalAct = (typeof APPROVAL_ACTS)[number];

/** `withdrawn`: something else was pinned, or the extension no longer requires approvals. */
export const APPROVAL_STATES = ['waiting', 'approved', 'rejected', 'withdrawn'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** A request to send one content of one version, and the decision about it. */
@Entity('approval')
@Index(['artifactId'])
@Index(['targetId'])
@Index(['updatedAt'])
@Index(['extensionId', 'version'])
@Index('approval_waiting_artifact_idx', ['artifactId'], {
  unique: true,
  where: "state = 'waiting' AND target_id IS NULL",
})
@Index('approval_waiting_target_idx', ['artifactId', 'targetId'], { unique: true, where: "state = 'waiting'" })
export class ApprovalEntity extends Row {
  @Column('uuid')
  @Exported()
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  @Column('uuid')
  @Exported()
  artifactId!: string;

  @ManyToOne(() => ArtifactEntity, { onDelete: 'CASCADE' })
  artifact?: Relation<ArtifactEntity>;

  /** The one target that it is about; null for all that get the artifact. */
  @Column('uuid', { nullable: true })
  @Exported()
  targetId!: string | null;

  @ManyToOne(() => TargetEntity, { onDelete: 'CASCADE' })
  target?: Relation<TargetEntity>;

  @Column('text')
  @Exported()
  @Audited()
  act!: ApprovalAct;

  @Column('text')
  @Exported()
  @Audited()
  version!: string;

  /** The version as stores show it. */
  @Column('text')
  @Exported()
  storeVersion!: string;

  @Column('text')
  @Exported()
  @Audited()
  scope!: ArtifactScope;

  /** Of the package that may be sent, in hex; null for a version without one. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  sha256!: string | null;

  /** The version that a roll back brings back. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  rollbackOf!: string | null;

  /** Who asked: an e-mail address, or the name of a token or a CI job; null when not known. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('member')
  requestedBy!: string | null;

  /** The user who cannot approve it: the one behind that actor, and for a CI job the one who pushed the content; null for neither. */
  @Column('uuid', { nullable: true })
  @NotExported('person')
  requestedById!: string | null;

  /** Where the CI job came from that asked; null where none did. */
  @Column('jsonb', { nullable: true })
  @Exported()
  requestedFrom!: CiOrigin | null;

  /** The commit that the request names. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  commit!: string | null;

  @Column('text')
  @Exported()
  @Audited()
  state!: ApprovalState;

  /** E-mail address of the person who decided; null until then. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('member')
  decidedBy!: string | null;

  @Column('uuid', { nullable: true })
  @NotExported('person')
  decidedById!: string | null;

  @Column('timestamptz', { nullable: true })
  @Exported()
  decidedAt!: Date | null;

  /** Why it was rejected. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  reason!: string | null;
}

/** A row without its relations. */
export type ApprovalRow = Omit<ApprovalEntity, 'extension' | 'artifact' | 'target'>;
