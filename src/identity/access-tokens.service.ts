import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { IsNull, MoreThan } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Caller, Scope } from '../common/access/index.js';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { newRow, Transactions } from '../common/database/index.js';
import { readPage, toPage, type Page, type PageQuery } from '../common/fields/index.js';
import { Unauthenticated } from '../common/problems/index.js';
import { AccessTokenEntity } from './access-token.entity.js';
import { AccountsService } from './accounts.service.js';
import { AccessTokenLimitReached, AccessTokenNotFound } from './identity.problems.js';
import type { AccessToken, CreateAccessToken, CreatedAccessToken, TradedToken } from './identity.dto.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const TRADED_LIFETIME_MS = 15 * MINUTE_MS;

/** The scheme in any case; what follows the token is not looked at. */
const BEARER = /^\s*bearer\s+(\S+)/i;
/** Header, claims and signature, as every signed token has them. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Bearer tokens: signed JWTs, each good only as long as its row stands. */
@Injectable()
export class AccessTokensService {
  constructor(
    private readonly config: Config,
    private readonly accounts: AccountsService,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly jwt: JwtService,
  ) {}

  /** @throws AccessTokenLimitReached */
  async create({ tenantId }: Caller, input: CreateAccessToken): Promise<CreatedAccessToken> {
    const lifetime = input.expiresInDays === undefined ? null : input.expiresInDays * DAY_MS;
    return this.tx.run(async () => {
      const own = { tenantId, sessionId: IsNull() };
      const valid = [
        { ...own, expiresAt: IsNull() },
        { ...own, expiresAt: MoreThan(this.clock.now()) },
      ];
      const count = (): Promise<number> => this.tx.repository(AccessTokenEntity).countBy(valid);
      await this.accounts.oneMore(tenantId, this.config.maxAccessTokens, count, AccessTokenLimitReached);
      return this.issue(tenantId, { name: input.name, scopes: input.scopes, sessionId: null }, lifetime);
    });
  }

  /** Trades a session for a token that lasts 15 minutes, and no longer than the session. */
  async trade(caller: Caller): Promise<TradedToken> {
    await this.forgetTraded(caller.sessionId);
    const fields = { name: 'Console', scopes: ['*'] satisfies Scope[], sessionId: caller.sessionId };
    const { token, expiresAt } = await this.issue(caller.tenantId, fields, TRADED_LIFETIME_MS);
    if (expiresAt === null) throw new Error('A traded token expires');
    return { token, expiresAt };
  }

  async list(tenantId: string, query: PageQuery): Promise<Page<AccessToken>> {
    const { limit, after } = readPage(query);
    const rows = await this.tx
      .repository(AccessTokenEntity)
      .createQueryBuilder('token')
      .where({ tenantId, sessionId: IsNull() })
      .andWhere('token.id < :after', { after })
      .orderBy('token.id', 'DESC')
      .limit(limit + 1)
      .getMany();
    return toPage(rows, limit, toAccessToken);
  }

  /** Revokes a token at once. @throws AccessTokenNotFound */
  async revoke(tenantId: string, id: string): Promise<void> {
    const { affected } = await this.tx.repository(AccessTokenEntity).delete({ id, tenantId });
    if (affected !== 1) throw new AccessTokenNotFound();
  }

  /**
   * Who the token of an `Authorization` header belongs to. Notes its use, to the minute.
   * @throws Unauthenticated saying whether it is missing, malformed, of another service, expired or revoked
   */
  async callerOf(authorization: string | undefined): Promise<Caller> {
    const token = BEARER.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new Unauthenticated('missing');
    const { id, endsAt } = this.read(token);
    const now = this.clock.now();
    if (endsAt !== null && endsAt <= now.getTime()) throw new Unauthenticated('expired');
    const row = await this.tx.repository(AccessTokenEntity).findOneBy({ id });
    if (row === null) throw new Unauthenticated('revoked');
    const { tenantId, scopes, expiresAt, lastUsedAt } = row;
    if (expiresAt !== null && expiresAt <= now) throw new Unauthenticated('expired');
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= MINUTE_MS)
      await this.tx.repository(AccessTokenEntity).update({ id }, { lastUsedAt: now });
    return { tenantId, userId: null, sessionId: null, scopes };
  }

  /**
   * What a token says of itself, if its signature, algorithm, issuer and audience hold.
   * @throws Unauthenticated
   */
  private read(token: string): { readonly id: string; readonly endsAt: number | null } {
    if (!JWT.test(token)) throw new Unauthenticated('malformed');
    try {
      const { jti, exp } = this.jwt.verify<{ readonly jti?: unknown; readonly exp?: unknown }>(token);
      if (typeof jti === 'string' && isUuid(jti))
        return { id: jti, endsAt: typeof exp === 'number' ? exp * SECOND_MS : null };
    } catch {
      // Signed by somebody else, or for somebody else.
    }
    throw new Unauthenticated('unknown');
  }

  private async issue(
    tenantId: string,
    fields: Pick<AccessTokenEntity, 'name' | 'scopes' | 'sessionId'>,
    lifetimeMs: number | null,
  ): Promise<CreatedAccessToken> {
    const now = this.clock.now();
    const base = newRow(now);
    const expiresAt = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs);
    const claims = {
      jti: base.id,
      sub: tenantId,
      iat: Math.floor(now.getTime() / 1000),
      ...(expiresAt === null ? {} : { exp: Math.floor(expiresAt.getTime() / 1000) }),
    };
    const token = await this.jwt.signAsync(claims);
    const row = { ...base, ...fields, tenantId, expiresAt, lastFour: token.slice(-4), lastUsedAt: null };
    await this.tx.repository(AccessTokenEntity).insert(row);
    return { ...toAccessToken(row), token };
  }

  private async forgetTraded(sessionId: string | null): Promise<void> {
    await this.tx.query('delete from access_token where session_id = $1 and expires_at <= $2', [
      sessionId,
      this.clock.now(),
    ]);
  }
}

const toAccessToken = (row: Omit<AccessTokenEntity, 'tenant' | 'session'>): AccessToken => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  expiresAt: row.expiresAt,
  lastFour: row.lastFour,
  lastUsedAt: row.lastUsedAt,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
