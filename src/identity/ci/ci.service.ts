import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { InvalidRequest } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { AccessTokensService } from '../access-tokens/access-tokens.service.js';
import { RestrictionsService } from '../access-tokens/restrictions.service.js';
import type { TradeCiToken, TradedCiToken } from './ci.dto.js';
import { TrustRuleMissing } from './ci.problems.js';
import type { CiRun } from './ci-run.js';
import { CiTokenVerifier } from './ci-token-verifier.js';
import { mismatchOf } from './trust.js';
import type { TrustRuleEntity } from './trust-rule.entity.js';
import { TrustRulesRepository } from './trust-rules.repository.js';

/** Trades tokens of CI services for access tokens, so that CI keeps no secret. */
@Injectable()
export class CiService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly verifier: CiTokenVerifier,
    private readonly rules: TrustRulesRepository,
    private readonly tokens: AccessTokensService,
    private readonly restrictions: RestrictionsService,
  ) {}

  /** Trades a token, once. @throws CiTokenInvalid, CiTokenUsed, CiIssuerUnreachable, TrustRuleMissing, InvalidRequest */
  async trade({ token, tenantId, extension }: TradeCiToken): Promise<TradedCiToken> {
    const verified = await this.verifier.verify(token);
    const { run } = verified;
    return this.tx.run(async () => {
      const now = this.clock.now();
      await this.rules.insertTraded(verified, now);
      const rules = await this.rules.findOfRunForNoKeyUpdate(run, tenantId);
      const rule = ruleFor(run, extension === undefined ? rules : await this.of(extension, rules));
      await this.rules.recordUse(rule.id, run, now);
      const { tenantId: id, name, scopes, extensionIds } = rule;
      return { ...(await this.tokens.issueForRun(rule, run)), tenantId: id, rule: name, scopes, extensionIds };
    });
  }

  /** Returns the rules for an extension. Any tenant can have a rule for all extensions of its own. */
  private async of(extension: string, rules: readonly TrustRuleEntity[]): Promise<readonly TrustRuleEntity[]> {
    const asked: TrustRuleEntity[] = [];
    for (const rule of rules) {
      const { tenantId, extensionIds } = rule;
      if (extensionIds?.includes(extension) ?? (await this.restrictions.has(tenantId, extension))) asked.push(rule);
    }
    return asked;
  }
}

/** @throws TrustRuleMissing, InvalidRequest when rules of several tenants cover the run */
function ruleFor(run: CiRun, rules: readonly TrustRuleEntity[]): TrustRuleEntity {
  const compared = rules.map((rule) => ({ rule, mismatch: mismatchOf(rule, run) }));
  const [first, ...others] = compared.filter(({ mismatch }) => mismatch === null).map(({ rule }) => rule);
  if (first === undefined)
    throw new TrustRuleMissing(
      run,
      compared.some(({ mismatch }) => mismatch === 'replaced'),
    );
  if (others.some(({ tenantId }) => tenantId !== first.tenantId))
    throw new InvalidRequest([{ field: 'tenantId', message: 'must be set: several tenants trust this run.' }]);
  return first;
}
