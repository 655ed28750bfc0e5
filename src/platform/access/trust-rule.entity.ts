import { Column, Entity, Index, ManyToOne, type Relation } from 'typeorm';
import type { Scope } from '../../common/access/index.js';
import { Audited, Exported, NotExported, Row } from '../../common/database/index.js';
import { TenantEntity } from '../accounts/index.js';

/** A rule that gives runs of a CI service an access token of a tenant, with its scopes. */
@Entity('ci_trust_rule')
@Index(['tenantId', 'id'])
@Index(['tenantId', 'issuer', 'repository'])
export class TrustRuleEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text')
  @Exported()
  @Audited()
  name!: string;

  @Column('text')
  @Exported()
  @Audited()
  issuer!: string;

  /** Owner and name, in lower case. */
  @Column('text')
  @Exported()
  @Audited()
  repository!: string;

  /** The issuer's number of the repository that used the rule first. */
  @Column('text', { nullable: true })
  @Exported()
  repositoryId!: string | null;

  /** The issuer's number of that repository's owner. */
  @Column('text', { nullable: true })
  @Exported()
  ownerId!: string | null;

  /** Pattern of the full ref; null for any. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  ref!: string | null;

  /** Pattern of the environment's name; null for any, or none. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  environment!: string | null;

  /** The extensions that its tokens are restricted to; null for all. */
  @Column('uuid', { array: true, nullable: true })
  @Exported()
  @Audited()
  extensionIds!: string[] | null;

  @Column('text', { array: true })
  @Exported()
  @Audited()
  scopes!: Scope[];

  @Column('timestamptz', { nullable: true })
  @Exported()
  lastUsedAt!: Date | null;
}

/** A row without its relations. */
export type TrustRuleRow = Omit<TrustRuleEntity, 'tenant'>;
