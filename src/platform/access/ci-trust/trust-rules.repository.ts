import { Injectable } from '@nestjs/common';
import { LessThan, LessThanOrEqual, type Repository } from 'typeorm';
import { newRow, onConstraint, Transactions } from '../../../common/database/index.js';
import type { PageStart } from '../../../common/fields/index.js';
import { Unauthenticated } from '../../../common/problems/index.js';
import { CiTokenUsed, type CiRun, ExchangedCiTokenEntity, type VerifiedCiToken } from '../ci-tokens/index.js';
import { TrustRuleEntity, type TrustRuleRow } from '../trust-rule.entity.js';

/** Trust rules of tenants, and the tokens that were exchanged by them. */
@Injectable()
export class TrustRulesRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds a rule. @throws Unauthenticated when the tenant was just deleted */
  async insert(rule: TrustRuleRow): Promise<void> {
    await onConstraint(() => this.rules.insert(rule), {
      ci_trust_rule_tenant_id_fkey: () => new Unauthenticated('Session'),
    });
  }

  /** Counts the tenant's rules. */
  count(tenantId: string): Promise<number> {
    return this.rules.countBy({ tenantId });
  }

  /** Finds a rule of the tenant. */
  find(tenantId: string, id: string): Promise<TrustRuleEntity | null> {
    return this.rules.findOneBy({ id, tenantId });
  }

  /** Returns one row more than the page holds, newest first. */
  list(tenantId: string, { limit, after }: PageStart): Promise<readonly TrustRuleEntity[]> {
    return this.rules.find({ where: { tenantId, id: LessThan(after) }, order: { id: 'DESC' }, take: limit + 1 });
  }

  /** Deletes a rule, and by the foreign key its tokens; returns whether the tenant had it. */
  async delete(tenantId: string, id: string): Promise<boolean> {
    return (await this.rules.delete({ id, tenantId })).affected === 1;
  }

  /** Returns the tenant's rules for the repository of a run, oldest first, and locks them until the transaction ends. */
  findOfRunForNoKeyUpdate(tenantId: string, { issuer, repository }: CiRun): Promise<readonly TrustRuleEntity[]> {
    return this.rules.find({
      where: { tenantId, issuer, repository },
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
  }

  /** Records that a run used a rule, and binds the rule to the run's repository and owner. */
  async recordUse(id: string, { repositoryId, ownerId }: CiRun, lastUsedAt: Date): Promise<void> {
    await this.rules.update({ id }, { repositoryId, ownerId, lastUsedAt });
  }

  /** Records an exchanged token, and deletes those that no server accepts anymore. */
  async insertExchanged({ digest, forgettableAt: expiresAt }: VerifiedCiToken, now: Date): Promise<void> {
    await this.exchanged.delete({ expiresAt: LessThanOrEqual(now) });
    await onConstraint(() => this.exchanged.insert({ ...newRow(now), digest, expiresAt }), {
      exchanged_ci_token_digest_key: () => new CiTokenUsed(),
    });
  }

  private get rules(): Repository<TrustRuleEntity> {
    return this.tx.repository(TrustRuleEntity);
  }

  private get exchanged(): Repository<ExchangedCiTokenEntity> {
    return this.tx.repository(ExchangedCiTokenEntity);
  }
}
