import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/index.js';
import type { Caller } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import { newRow, Transactions } from '../../../common/database/index.js';
import { pageFrom, type Page, type PageQuery } from '../../../common/fields/index.js';
import { withoutTrailingSlashes } from '../../../common/net/index.js';
import { InvalidRequest } from '../../../common/problems/index.js';
import { Clock } from '../../../common/system/index.js';
import { RestrictionsService } from '../access-tokens/index.js';
import { AccountsService } from '../../accounts/index.js';
import type { CreateTrustRule, TrustRule } from './trust-rules.dto.js';
import { TrustRuleLimitReached, TrustRuleNotFound } from './trust-rules.problems.js';
import type { TrustRuleRow } from '../trust-rule.entity.js';
import { TrustRulesRepository } from './trust-rules.repository.js';

const MAX_RULES = 200;

/** Trust rules: which runs of CI services may act for a tenant. */
@Injectable()
export class TrustRulesService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly accounts: AccountsService,
    private readonly restrictions: RestrictionsService,
    private readonly rules: TrustRulesRepository,
    private readonly audit: AuditLog,
  ) {}

  async create({ tenantId }: Caller, input: CreateTrustRule): Promise<TrustRule> {
    const { name, scopes, ref = null, environment = null, extensionIds = null } = input;
    if (ref === null && environment === null)
      throw new InvalidRequest([{ field: 'ref', message: 'is required unless environment is set.' }]);
    const issuer = this.issuerOf(input);
    const repository = input.repository.toLowerCase();
    return this.tx.run(async () => {
      await this.restrictions.check(tenantId, { scopes, extensionIds });
      const count = (): Promise<number> => this.rules.count(tenantId);
      await this.accounts.enforceLimit(tenantId, MAX_RULES, count, TrustRuleLimitReached);
      const terms = { name, issuer, repository, repositoryId: null, ownerId: null, ref, environment };
      const row = { ...newRow(this.clock.now()), tenantId, ...terms, extensionIds, scopes, lastUsedAt: null };
      await this.rules.insert(row);
      await this.audit.record(tenantId, 'trust_rule.created', row, { after: row });
      return toTrustRule(row);
    });
  }

  /** Lists the tenant's rules, newest first. */
  list(tenantId: string, query: PageQuery): Promise<Page<TrustRule>> {
    return pageFrom(query, (start) => this.rules.list(tenantId, start), toTrustRule);
  }

  /** Deletes a rule and revokes the tokens that were exchanged by it. */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.tx.run(async () => {
      const rule = await this.rules.find(tenantId, id);
      if (rule === null || !(await this.rules.delete(tenantId, id))) throw new TrustRuleNotFound();
      await this.audit.record(tenantId, 'trust_rule.deleted', rule, { before: rule });
    });
  }

  private issuerOf({ issuer }: CreateTrustRule): string {
    const { ciIssuers } = this.config;
    const found = issuer === undefined ? ciIssuers[0] : ciIssuers.find((one) => one === withoutTrailingSlashes(issuer));
    if (found === undefined)
      throw new InvalidRequest([{ field: 'issuer', message: `must be one of CI_ISSUERS: ${ciIssuers.join(', ')}.` }]);
    return found;
  }
}

const toTrustRule = (row: TrustRuleRow): TrustRule => ({
  id: row.id,
  name: row.name,
  issuer: row.issuer,
  repository: row.repository,
  repositoryId: row.repositoryId,
  ref: row.ref,
  environment: row.environment,
  scopes: row.scopes,
  extensionIds: row.extensionIds,
  lastUsedAt: row.lastUsedAt,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
