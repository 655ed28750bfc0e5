import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Personal, Row } from '../common/database/index.js';
import { TenantEntity } from '../platform/accounts/index.js';
import type { NotificationKind } from './kinds.js';

export const ENDPOINT_KINDS = ['webhook', 'mail'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];
/** `gone`: the receiver answered 410. `unsubscribed`: the owner of the address stopped the mails. */
export type DisabledBecause = 'gone' | 'unsubscribed';

/** A webhook or an e-mail address that receives a tenant's notifications. */
@Entity('notification_endpoint')
@Index(['tenantId', 'id'])
@Unique(['confirmationDigest'])
export class EndpointEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  @Exported()
  @Audited()
  kind!: EndpointKind;

  /** Set for a webhook. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited({ as: 'host' })
  url!: string | null;

  /** Set for mail. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  @Personal('member')
  address!: string | null;

  @Column('text', { array: true })
  @Exported()
  @Audited()
  events!: NotificationKind[];

  /** The only extensions that it is notified of; null for all. */
  @Column('uuid', { array: true, nullable: true })
  @Exported()
  @Audited()
  extensionIds!: string[] | null;

  /** The only plans whose licenses it is notified of; null for all. */
  @Column('uuid', { array: true, nullable: true })
  @Exported()
  @Audited()
  planIds!: string[] | null;

  /** The only tiers whose licenses it is notified of; null for all. */
  @Column('text', { array: true, nullable: true })
  @Exported()
  @Audited()
  tiers!: string[] | null;

  @Column('boolean')
  @Exported()
  @Audited()
  enabled!: boolean;

  /** Why it was disabled, where its team did not do it. */
  @Column('text', { nullable: true })
  @Exported()
  disabledBecause!: DisabledBecause | null;

  /** When the owner of the address confirmed it; null until then, and for a webhook. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  confirmedAt!: Date | null;

  /** SHA-256 of the secret in the pending confirmation link. */
  @Column('text', { nullable: true })
  @NotExported('secret')
  confirmationDigest!: string | null;

  @Column('timestamptz', { nullable: true })
  @NotExported('secret')
  confirmationUntil!: Date | null;

  /** A webhook's secrets: JWE of `{ current, former }`, sealed for this row's id. */
  @Column('text', { nullable: true })
  @NotExported('secret')
  sealed!: string | null;

  /** Time until which the secret from before the last rotation also signs. */
  @Column('timestamptz', { nullable: true })
  @NotExported('secret')
  formerUntil!: Date | null;
}

export type EndpointRow = Omit<EndpointEntity, 'tenant'>;

/** Whether the former secret of a webhook still signs. */
export const isFormerValid = (until: Date | null, now: Date): until is Date => until !== null && until > now;
