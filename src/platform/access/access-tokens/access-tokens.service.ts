import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { validate as isUuid } from 'uuid';
import { AuditLog } from '../../audit/index.js';
import { actAs, workContext, type Actor, type Caller, type SessionCaller } from '../../../common/access/index.js';
import { Clock, DAY_MS, MINUTE_MS, SECOND_MS, secondOf } from '../../../common/system/index.js';
import { Config } from '../../../common/config/index.js';
import { newRow, Transactions } from '../../../common/database/index.js';
import { pageFrom, type Page, type PageQuery } from '../../../common/fields/index.js';
import { Unauthenticated } from '../../../common/problems/index.js';
import { AccessTokensRepository, type AccessTokenRow, type PresentedToken } from './access-tokens.repository.js';
import { AccountsService, AddressProofsService } from '../../accounts/index.js';
import { originOf, type CiRun } from '../ci-tokens/index.js';
import type { TrustRuleRow } from '../trust-rule.entity.js';
import { RestrictionsService } from './restrictions.service.js';
import { AccessTokenLimitReached, AccessTokenNotFound } from './access-tokens.problems.js';
import type { AccessToken, CreateAccessToken, CreatedAccessToken, ExchangedToken } from './access-tokens.dto.js';

const EXCHANGED_LIFETIME_MS = 15 * MINUTE_MS;
/** A token that has not been used for this long gets no expiry warning. */
const IN_USE_MS = 30 * DAY_MS;

/** The claims of a token whose signature, issuer and audience are valid. */
export interface TokenClaims {
  readonly jti?: unknown;
  readonly exp?: unknown;
}

/** A token to issue. */
type NewToken = Pick<AccessTokenRow, 'tenantId' | 'name' | 'scopes'> &
  Partial<Pick<AccessTokenRow, 'sessionId' | 'createdBy' | 'extensionIds' | 'trustRuleId' | 'origin'>>;

/** A token that is about to expire. */
export type ExpiringToken = Pick<AccessTokenRow, 'id' | 'tenantId' | 'name' | 'lastFour'> & {
  readonly expiresAt: Date;
};

/** Access tokens: signed JWTs, each valid only as long as its row exists. */
@Injectable()
export class AccessTokensService implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly accounts: AccountsService,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly jwt: JwtService,
    private readonly restrictions: RestrictionsService,
    private readonly tokens: AccessTokensRepository,
    private readonly audit: AuditLog,
    private readonly proofs: AddressProofsService,
  ) {}

  onModuleInit(): void {
    this.proofs.provenFirst.add(({ id }) => this.tokens.deleteOf(id));
  }

  /** Creates a token for scripts. */
  async create({ tenantId, userId, actor }: Caller, input: CreateAccessToken): Promise<CreatedAccessToken> {
    const { name, scopes, expiresInDays, extensionIds = null } = input;
    const lifetime = expiresInDays === undefined ? null : expiresInDays * DAY_MS;
    return this.tx.run(async () => {
      await this.restrictions.check(tenantId, { scopes, extensionIds });
      const count = (): Promise<number> => this.tokens.countValid(tenantId, this.clock.now());
      await this.accounts.enforceLimit(tenantId, this.config.maxAccessTokens, count, AccessTokenLimitReached);
      const { token, row } = await this.issue({ tenantId, name, scopes, extensionIds, createdBy: userId }, lifetime);
      await this.audit.record(tenantId, 'access_token.created', row, { after: row });
      return { ...toAccessToken(row, 'name' in actor ? actor.name : null), token };
    });
  }

  /** Exchanges a session for a token that lasts 15 minutes; ending the session revokes it. */
  async exchange({ tenantId, userId, sessionId }: SessionCaller): Promise<ExchangedToken> {
    await this.tokens.deleteExpiredOfSession(sessionId, this.clock.now());
    return this.exchanged({ tenantId, name: 'Console', scopes: ['*'], sessionId, createdBy: userId });
  }

  /** Issues a token that lasts 15 minutes to a run of a CI service, with the scopes of a trust rule. Inside the transaction that exchanges the CI token. */
  async issueForRun(rule: TrustRuleRow, from: CiRun): Promise<ExchangedToken> {
    const { id: trustRuleId, tenantId, scopes, extensionIds } = rule;
    const { repository, ref, runId } = from;
    const origin = originOf(from);
    await this.tokens.deleteExpiredOfRule(trustRuleId, this.clock.now());
    const name = `${rule.name}: ${repository}@${ref ?? ''}${runId === null ? '' : `, run ${runId}`}`;
    const run = { kind: 'ci', id: trustRuleId, name, origin } as const;
    await actAs(run, () => this.audit.record(tenantId, 'trust_rule.used', rule));
    return this.exchanged({ tenantId, name, scopes, extensionIds, trustRuleId, origin });
  }

  /** Returns the tokens that expire within a span of time and are in use. */
  async expiring(from: Date, to: Date): Promise<readonly ExpiringToken[]> {
    const rows = await this.tokens.expiring(from, to, new Date(from.getTime() - IN_USE_MS));
    return rows.flatMap(({ expiresAt, ...row }) => (expiresAt === null ? [] : [{ ...row, expiresAt }]));
  }

  /** Revokes the tokens that a session was exchanged for. */
  revokeOfSession(sessionId: string): Promise<void> {
    return this.tokens.deleteOfSession(sessionId);
  }

  /** Lists the tenant's tokens, newest first. */
  async list(tenantId: string, query: PageQuery): Promise<Page<AccessToken>> {
    return pageFrom(
      query,
      (start) => this.tokens.list(tenantId, start),
      (row) => toAccessToken(row, row.creator?.user?.email ?? null),
    );
  }

  /** Revokes a token at once. */
  async revoke(tenantId: string, id: string): Promise<void> {
    await this.tx.run(async () => {
      const token = await this.tokens.find(tenantId, id);
      if (token === null || !(await this.tokens.delete(tenantId, id))) throw new AccessTokenNotFound();
      await this.audit.record(tenantId, 'access_token.revoked', token, { before: token });
    });
  }

  /**
   * Finds the caller that a token belongs to, and records its use, at most once a minute.
   * @param client what the client calls itself
   * @throws Unauthenticated saying whether the token is unknown, expired or revoked
   */
  async callerOf({ jti: id, exp }: TokenClaims, client: string | null): Promise<Caller> {
    if (typeof id !== 'string' || !isUuid(id)) throw new Unauthenticated('unknown');
    const now = this.clock.now();
    if (typeof exp === 'number' && exp * SECOND_MS <= now.getTime()) throw new Unauthenticated('expired');
    const row = await this.tokens.findPresented(id);
    if (row === null) throw new Unauthenticated('revoked');
    const { expiresAt, lastUsedAt } = row;
    if (expiresAt !== null && expiresAt <= now) throw new Unauthenticated('expired');
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= MINUTE_MS)
      await this.tokens.setLastUse(id, {
        lastUsedAt: now,
        lastUsedAddress: workContext().address ?? null,
        lastUsedClient: client,
      });
    return toCaller(row);
  }

  /** Finds the callers of tokens by the tokens' ids, without those that were revoked or have expired. Does not count as a use. */
  async callersOf(ids: readonly string[]): Promise<ReadonlyMap<string, Caller>> {
    const now = this.clock.now();
    const rows = await this.tokens.findAllPresented(ids);
    const valid = rows.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
    return new Map(valid.map((row) => [row.id, toCaller(row)]));
  }

  private async exchanged(fields: NewToken): Promise<ExchangedToken> {
    const { token, row } = await this.issue(fields, EXCHANGED_LIFETIME_MS);
    if (row.expiresAt === null) throw new Error('Exchanged tokens expire');
    return { token, expiresAt: row.expiresAt };
  }

  private async issue(
    fields: NewToken,
    lifetimeMs: number | null,
  ): Promise<{ readonly token: string; readonly row: AccessTokenRow }> {
    const now = this.clock.now();
    const base = newRow(now);
    const expiresAt = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs);
    const claims = {
      jti: base.id,
      sub: fields.tenantId,
      iat: secondOf(now.getTime()),
      ...(expiresAt === null ? {} : { exp: secondOf(expiresAt.getTime()) }),
    };
    const token = await this.jwt.signAsync(claims);
    const row = { ...base, ...UNSET, ...fields, expiresAt, lastFour: token.slice(-4) };
    await this.tokens.insert(row);
    return { token, row };
  }
}

/** The optional columns of a token, which are null unless it is issued with a value. */
const UNSET = {
  sessionId: null,
  createdBy: null,
  extensionIds: null,
  trustRuleId: null,
  origin: null,
  lastUsedAt: null,
  lastUsedAddress: null,
  lastUsedClient: null,
};

function toCaller(row: PresentedToken): Caller {
  const { id: tokenId, tenantId, extensionIds, scopes, role } = row;
  const noSession = { userId: null, sessionId: null, isOperator: false };
  return { tenantId, ...noSession, tokenId, extensionIds, scopes, role, actor: actorOf(row) };
}

/** A session's token acts as the session's user. */
function actorOf({ id, name, sessionId, trustRuleId, origin, createdBy, role, email }: PresentedToken): Actor {
  if (trustRuleId !== null) return { kind: 'ci', id: trustRuleId, name, origin };
  if (sessionId === null || createdBy === null || role === null || email === null)
    return {
      kind: 'token',
      id,
      name,
      role,
      owner: createdBy === null || email === null ? null : { id: createdBy, email },
    };
  return { kind: 'user', id: createdBy, name: email, role, sessionId };
}

const toAccessToken = (row: AccessTokenRow, createdBy: string | null): AccessToken => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  extensionIds: row.extensionIds,
  createdBy,
  expiresAt: row.expiresAt,
  lastFour: row.lastFour,
  lastUsedAt: row.lastUsedAt,
  lastUsedAddress: row.lastUsedAddress,
  lastUsedClient: row.lastUsedClient,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
