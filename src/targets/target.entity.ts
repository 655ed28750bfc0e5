import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { Row } from '../common/database/index.js';
import { CredentialEntity } from '../credentials/index.js';
import { ExtensionEntity } from '../registry/index.js';
import type { StoreId } from '../stores/index.js';
import type { Phase } from './phase.js';

export const ON_PENDING = ['wait', 'replace'] as const;

/** Where a tenant wants an extension, what is known of it there, and who is working on it right now. */
@Entity('target')
@Index(['extensionId'])
@Index(['credentialId'])
@Index('target_due_idx', ['nextCheckAt'], { where: 'next_check_at IS NOT NULL' })
export class TargetEntity extends Row {
  @Column('uuid')
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'extension_id' })
  extension?: Relation<ExtensionEntity>;

  @Column('text')
  store!: StoreId;

  @Column('text', { nullable: true })
  storeItemId!: string | null;

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

  /** Whoever holds this token works on the target, until the lease runs out. */
  @Column('uuid', { nullable: true })
  leaseToken!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  /** The process that holds the lease, by the id it took at its boot. */
  @Column('uuid', { nullable: true })
  leaseBoot!: string | null;
}
