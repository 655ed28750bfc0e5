import { Column, Entity, Index, ManyToOne, type Relation } from 'typeorm';
import { NotExported, Personal, Row } from '../../../common/database/index.js';
import { TenantEntity } from '../../../platform/accounts/index.js';

/** `pending`: waiting for a worker, or being written. `ready`: can be downloaded until it expires. `failed`: given up. */
export const EXPORT_STATES = ['pending', 'ready', 'failed'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

/** An archive of all data of a tenant, and the work lock of the worker that writes it. */
@Entity('tenant_export')
@NotExported('leaving')
@Index('tenant_export_pending_key', ['tenantId'], { unique: true, where: "state = 'pending'" })
@Index('tenant_export_due_idx', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index(['expiresAt'])
@Index(['tenantId', 'id'])
export class TenantExportEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  /** E-mail address of the user who requested it. */
  @Column('text')
  @Personal('member')
  requestedBy!: string;

  @Column('text')
  state!: ExportState;

  @Column('integer')
  attempts!: number;

  /** When the next attempt is due; null once it is not pending. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  /** When row and archive are deleted. */
  @Column('timestamptz')
  expiresAt!: Date;

  /** Bytes of the archive, once it is ready; text, as the driver reads a bigint. */
  @Column('bigint', { nullable: true })
  size!: string | null;

  @Column('text', { nullable: true })
  sha256!: string | null;

  @Column('uuid', { nullable: true })
  leaseToken!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;
}
