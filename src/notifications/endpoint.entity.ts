import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../common/database/index.js';
import { TenantEntity } from '../platform/accounts/index.js';
import type { NotificationKind } from './kinds.js';

export const ENDPOINT_KINDS = ['webhook', 'mail'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** A webhook or an e-mail address that receives a tenant's notifications. */
@Entity('notification_endpoint')
@Index(['tenantId', 'id'])
@Unique(['confirmationDigest'])
export class EndpointEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  kind!: EndpointKind;

  /** Set for a webhook. */
  @Column('text', { nullable: true })
  url!: string | null;

  /** Set for mail. */
  @Column('text', { nullable: true })
  address!: string | null;

  /** When the owner of the address confirmed it; null until then, and for a webhook. */
  @Column('timestamptz', { nullable: true })
  confirmedAt!: Date | null;

  /** SHA-256 of the secret in the pending confirmation link. */
  @Column('text', { nullable: true })
  confirmationDigest!: string | null;

  @Column('timestamptz', { nullable: true })
  confirmationUntil!: Date | null;

  @Column('text', { array: true })
  events!: NotificationKind[];

  @Column('boolean')
  enabled!: boolean;

  /** Why Pierhead disabled it: `gone` when the receiver answered 410. */
  @Column('text', { nullable: true })
  disabledBecause!: 'gone' | null;

  /** A webhook's secrets: JWE of `{ current, former }`, sealed for this row's id. */
  @Column('text', { nullable: true })
  sealed!: string | null;

  /** Until when the secret from before the last rotation also signs. */
  @Column('timestamptz', { nullable: true })
  formerUntil!: Date | null;
}

export type EndpointRow = Omit<EndpointEntity, 'tenant'>;

/** Whether the former secret of a webhook still signs. */
export const isFormerValid = (until: Date | null, now: Date): until is Date => until !== null && until > now;
