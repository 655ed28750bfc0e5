import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import type { CiOrigin, Scope } from '../../../common/access/index.js';
import { Audited, Exported, NotExported, Personal, Row } from '../../../common/database/index.js';
import { MembershipEntity, SessionEntity, TenantEntity } from '../../accounts/index.js';
import { TrustRuleEntity } from '../trust-rule.entity.js';

/** An access token, valid as long as this row exists. Its id is the token's `jti`. */
@Entity('access_token')
@Index(['tenantId', 'id'])
@Index(['sessionId'])
@Index(['createdBy'])
@Index(['trustRuleId'])
@Index('access_token_expires_at_idx', ['expiresAt'], { where: 'session_id IS NULL AND trust_rule_id IS NULL' })
export class AccessTokenEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  /** The session that a short-lived token was exchanged for; the token ends with it. */
  @Column('uuid', { nullable: true })
  @NotExported('derived')
  sessionId!: string | null;

  @ManyToOne(() => SessionEntity, { onDelete: 'CASCADE' })
  session?: Relation<SessionEntity>;

  /** The user whose role limits the token; it ends when the user leaves the tenant. Null for tokens of CI runs. */
  @Column('uuid', { nullable: true })
  @Exported({ after: 'extensionIds' })
  createdBy!: string | null;

  @ManyToOne(() => MembershipEntity, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'created_by', referencedColumnName: 'userId' },
    { name: 'tenant_id', referencedColumnName: 'tenantId' },
  ])
  creator?: Relation<MembershipEntity>;

  @Column('text')
  @Exported()
  @Audited()
  name!: string;

  /** The rule by which a token of a CI service was exchanged; the token ends with it. */
  @Column('uuid', { nullable: true })
  @Exported({ after: 'lastUsedClient' })
  trustRuleId!: string | null;

  @ManyToOne(() => TrustRuleEntity, { onDelete: 'CASCADE' })
  trustRule?: Relation<TrustRuleEntity>;

  /** Where the job comes from that has the token; null for any other token. */
  @Column('jsonb', { nullable: true })
  @Exported({ after: 'trustRuleId' })
  origin!: CiOrigin | null;

  @Column('text', { array: true })
  @Exported()
  @Audited()
  scopes!: Scope[];

  /** The extensions that the token is restricted to, whether or not they still exist; null for all. */
  @Column('uuid', { array: true, nullable: true })
  @Exported()
  @Audited()
  extensionIds!: string[] | null;

  @Column('text')
  @Exported()
  lastFour!: string;

  @Column('timestamptz', { nullable: true })
  @Exported()
  @Audited()
  expiresAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  @Exported()
  lastUsedAt!: Date | null;

  @Column('text', { nullable: true })
  @Exported()
  @Personal('member')
  lastUsedAddress!: string | null;

  /** As the client calls itself, such as `curl/8.5.0`. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('member')
  lastUsedClient!: string | null;
}
