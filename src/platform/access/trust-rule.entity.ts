import { Column, Entity, Index, ManyToOne, type Relation } from 'typeorm';
import type { Scope } from '../../common/access/index.js';
import { Row } from '../../common/database/index.js';
import { TenantEntity } from '../accounts/index.js';

/** Which runs of a CI service may have an access token of a tenant, and what the token may do. */
@Entity('ci_trust_rule')
@Index(['tenantId', 'id'])
@Index(['tenantId', 'issuer', 'repository'])
export class TrustRuleEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  name!: string;

  @Column('text')
  issuer!: string;

  /** Owner and name, in lower case. */
  @Column('text')
  repository!: string;

  /** The issuer's number of the repository that used the rule first. */
  @Column('text', { nullable: true })
  repositoryId!: string | null;

  /** The issuer's number of that repository's owner. */
  @Column('text', { nullable: true })
  ownerId!: string | null;

  /** Pattern of the full ref; null for any. */
  @Column('text', { nullable: true })
  ref!: string | null;

  /** Pattern of the environment's name; null for any, or none. */
  @Column('text', { nullable: true })
  environment!: string | null;

  /** The extensions that its tokens are restricted to; null for all. */
  @Column('uuid', { array: true, nullable: true })
  extensionIds!: string[] | null;

  @Column('text', { array: true })
  scopes!: Scope[];

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;
}

/** A row without its relations. */
export type TrustRuleRow = Omit<TrustRuleEntity, 'tenant'>;
