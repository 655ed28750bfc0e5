import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../common/database/index.js';
import { InvalidRequest } from '../../../common/problems/index.js';
import { Clock } from '../../../common/system/index.js';
import { AccessTokensService, TenantExtensions } from '../access-tokens/index.js';
import type { ExchangeCiToken, ExchangedCiToken } from './ci.dto.js';
import { TrustRuleMissing } from './ci.problems.js';
import { type CiRun, CiTokenVerifier, isTrustedEvent } from '../ci-tokens/index.js';
import { mismatchOf, TrustRulesRepository } from '../ci-trust/index.js';
import type { TrustRuleEntity } from '../trust-rule.entity.js';

/** Exchanges tokens of CI services for access tokens, so that CI keeps no secret. */
@Injectable()
export class CiService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly verifier: CiTokenVerifier,
    private readonly rules: TrustRulesRepository,
    private readonly tokens: AccessTokensService,
    private readonly extensions: TenantExtensions,
  ) {}

  /** Exchanges a token, once. */
  async exchange({ token, ...from }: ExchangeCiToken): Promise<ExchangedCiToken> {
    if (from.tenantId === undefined && from.extension === undefined)
      throw new InvalidRequest([
        {
          field: 'tenantId',
          message: 'is required unless extension is set: a run is compared with the rules of one tenant.',
        },
      ]);
    const verified = await this.verifier.verify(token);
    const { run } = verified;
    return this.tx.run(async () => {
      const now = this.clock.now();
      await this.rules.insertExchanged(verified, now);
      const rule = ruleFor(run, await this.rulesOf(from, run));
      await this.rules.recordUse(rule.id, run, now);
      const { tenantId, name, scopes, extensionIds } = rule;
      return { ...(await this.tokens.issueForRun(rule, run)), tenantId, rule: name, scopes, extensionIds };
    });
  }

  /** Returns the rules of the named tenant, or of the tenant of the extension: other tenants may have rules for the same repository. */
  private async rulesOf(
    { tenantId, extension }: Omit<ExchangeCiToken, 'token'>,
    run: CiRun,
  ): Promise<readonly TrustRuleEntity[]> {
    const owner = extension === undefined ? tenantId : await this.extensions.tenantOf(extension);
    if (owner === undefined || owner === null || owner !== (tenantId ?? owner)) return [];
    const rules = await this.rules.findOfRunForNoKeyUpdate(owner, run);
    return extension === undefined
      ? rules
      : rules.filter(({ extensionIds }) => extensionIds === null || extensionIds.includes(extension));
  }
}

/** Returns the oldest rule that covers the run. */
function ruleFor(run: CiRun, rules: readonly TrustRuleEntity[]): TrustRuleEntity {
  const compared = rules.map((rule) => ({ rule, mismatch: mismatchOf(rule, run) }));
  const trusting = compared.find(({ mismatch }) => mismatch === null);
  if (trusting !== undefined) return trusting.rule;
  const isReplaced = compared.some(({ mismatch }) => mismatch === 'replaced');
  throw new TrustRuleMissing(run, isReplaced ? 'replaced' : isTrustedEvent(run) ? 'uncovered' : 'event');
}
