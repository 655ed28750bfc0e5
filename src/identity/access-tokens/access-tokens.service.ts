import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { validate as isUuid } from 'uuid';
import type { Actor, Caller, Role, Scope, SessionCaller } from '../../common/access/index.js';
import { Clock, DAY_MS, MINUTE_MS, SECOND_MS, secondOf } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { readPage, toPage, type Page, type PageQuery } from '../../common/fields/index.js';
import { Unauthenticated } from '../../common/problems/index.js';
import { AccessTokensRepository, type AccessTokenRow } from './access-tokens.repository.js';
import type { AccessTokenEntity } from './access-token.entity.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AccessTokenLimitReached, AccessTokenNotFound } from './access-tokens.problems.js';
import type { AccessToken, CreateAccessToken, CreatedAccessToken, ExchangedToken } from './access-tokens.dto.js';

const EXCHANGED_LIFETIME_MS = 15 * MINUTE_MS;

/** The claims of a token whose signature, issuer and audience are valid. */
export interface TokenClaims {
  readonly jti?: unknown;
  readonly exp?: unknown;
}

/** Access tokens: signed JWTs, each valid only as long as its row exists. */
@Injectable()
export class AccessTokensService {
  constructor(
    private readonly config: Config,
    private readonly accounts: AccountsService,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly jwt: JwtService,
    private readonly tokens: AccessTokensRepository,
  ) {}

  /** Creates a token for scripts. @throws AccessTokenLimitReached */
  async create({ tenantId, userId }: Caller, input: CreateAccessToken): Promise<CreatedAccessToken> {
    const lifetime = input.expiresInDays === undefined ? null : input.expiresInDays * DAY_MS;
    return this.tx.run(async () => {
      const count = (): Promise<number> => this.tokens.countValid(tenantId, this.clock.now());
      await this.accounts.enforceLimit(tenantId, this.config.maxAccessTokens, count, AccessTokenLimitReached);
      const fields = { name: input.name, scopes: input.scopes, sessionId: null, createdBy: userId };
      return this.issue(tenantId, fields, lifetime);
    });
  }

  /** Exchanges a session for a token that lasts 15 minutes, and no longer than the session. */
  async exchange({ tenantId, userId, sessionId }: SessionCaller): Promise<ExchangedToken> {
    await this.tokens.deleteExpiredOfSession(sessionId, this.clock.now());
    const fields = { name: 'Console', scopes: ['*'] satisfies Scope[], sessionId, createdBy: userId };
    const { token, expiresAt } = await this.issue(tenantId, fields, EXCHANGED_LIFETIME_MS);
    if (expiresAt === null) throw new Error('Exchanged tokens expire');
    return { token, expiresAt };
  }

  /** Lists the tenant's tokens, newest first. */
  async list(tenantId: string, query: PageQuery): Promise<Page<AccessToken>> {
    const page = readPage(query);
    return toPage(await this.tokens.list(tenantId, page), page.limit, toAccessToken);
  }

  /** Revokes a token at once. @throws AccessTokenNotFound */
  async revoke(tenantId: string, id: string): Promise<void> {
    if (!(await this.tokens.delete(tenantId, id))) throw new AccessTokenNotFound();
  }

  /**
   * Finds the caller that a token belongs to, and notes its use, to the minute.
   * @throws Unauthenticated saying whether the token is unknown, expired or revoked
   */
  async callerOf({ jti: id, exp }: TokenClaims): Promise<Caller> {
    if (typeof id !== 'string' || !isUuid(id)) throw new Unauthenticated('unknown');
    const now = this.clock.now();
    if (typeof exp === 'number' && exp * SECOND_MS <= now.getTime()) throw new Unauthenticated('expired');
    const row = await this.tokens.find(id);
    if (row === null) throw new Unauthenticated('revoked');
    const { tenantId, scopes, expiresAt, lastUsedAt } = row;
    if (expiresAt !== null && expiresAt <= now) throw new Unauthenticated('expired');
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= MINUTE_MS)
      await this.tokens.setLastUsed(id, now);
    const role = row.creator?.role ?? null;
    return { tenantId, userId: null, sessionId: null, scopes, role, actor: actorOf(row, role) };
  }

  private async issue(
    tenantId: string,
    fields: Pick<AccessTokenRow, 'name' | 'scopes' | 'sessionId' | 'createdBy'>,
    lifetimeMs: number | null,
  ): Promise<CreatedAccessToken> {
    const now = this.clock.now();
    const base = newRow(now);
    const expiresAt = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs);
    const claims = {
      jti: base.id,
      sub: tenantId,
      iat: secondOf(now.getTime()),
      ...(expiresAt === null ? {} : { exp: secondOf(expiresAt.getTime()) }),
    };
    const token = await this.jwt.signAsync(claims);
    const row = { ...base, ...fields, tenantId, expiresAt, lastFour: token.slice(-4), lastUsedAt: null };
    await this.tokens.insert(row);
    return { ...toAccessToken(row), token };
  }
}

/** A session's token acts as the session's user. */
function actorOf({ id, name, sessionId, creator }: AccessTokenEntity, role: Role | null): Actor {
  if (sessionId === null || creator?.user === undefined) return { kind: 'token', id, name, role };
  return { kind: 'user', id: creator.userId, name: creator.user.email, role: creator.role, sessionId };
}

const toAccessToken = (row: AccessTokenRow): AccessToken => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  expiresAt: row.expiresAt,
  lastFour: row.lastFour,
  lastUsedAt: row.lastUsedAt,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
