import { Column, Entity, Index, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../common/database/index.js';
import { TenantEntity } from '../identity/index.js';
import type { DeliveredKind } from './kinds.js';

/** A store in words, with the addresses of the pages that say more. */
export interface NotificationPlace {
  readonly store: string;
  readonly listing: string | null;
  readonly dashboard: string | null;
}

/** Something that a tenant is told, whether or not an endpoint hears it; never changed. It outlives what it is about. */
@Entity('notification')
@Index(['tenantId', 'id'])
@Index(['targetId', 'id'])
@Unique(['onceKey'])
export class NotificationEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  kind!: DeliveredKind;

  @Column('text')
  message!: string;

  @Column('uuid', { nullable: true })
  extensionId!: string | null;

  /** As it was called then. */
  @Column('text', { nullable: true })
  extensionName!: string | null;

  @Column('uuid', { nullable: true })
  targetId!: string | null;

  @Column('text', { nullable: true })
  version!: string | null;

  @Column('uuid', { nullable: true })
  credentialId!: string | null;

  /** The store that it is about, and where people look at it there, as it was then. */
  @Column('jsonb', { nullable: true })
  place!: NotificationPlace | null;

  /** What must be told only once has one, whichever process comes first. */
  @Column('text', { nullable: true })
  onceKey!: string | null;
}
