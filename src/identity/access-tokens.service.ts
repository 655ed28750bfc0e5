import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { IsNull } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Caller, Scope } from '../common/access/index.js';
import { Clock } from '../common/clock/clock.js';
import { newRow, RowFinder, Statements, Transactions } from '../common/database/index.js';
import { readPage, toPage, type Page, type PageQuery } from '../common/paging/index.js';
import { AccessTokenEntity } from './access-token.entity.js';
import { AccessTokenNotFound } from './identity.problems.js';
import type { AccessToken, CreateAccessToken, CreatedAccessToken, TradedToken } from './identity.dto.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const TRADED_LIFETIME_MS = 15 * MINUTE_MS;

/** The scheme in any case; what follows the token is not looked at. */
const BEARER = /^\s*bearer\s+(\S+)/i;

/** Each request of a tenant begins with it. */
const WHOSE = {
  name: 'whose_access_token',
  text: 'select id, tenant_id, scopes, expires_at, last_used_at from access_token where id = any($1::uuid[])',
};
type WhoseRow = readonly [
  id: string,
  tenantId: string,
  scopes: readonly Scope[],
  expiresAt: Date | null,
  lastUsedAt: Date | null,
];

/** Bearer tokens: signed JWTs, each good only as long as its row stands. */
@Injectable()
export class AccessTokensService {
  private readonly owners: RowFinder<WhoseRow>;

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly jwt: JwtService,
    statements: Statements,
  ) {
    this.owners = new RowFinder(statements, WHOSE);
  }

  async create(caller: Caller, input: CreateAccessToken): Promise<CreatedAccessToken> {
    const lifetime = input.expiresInDays === undefined ? null : input.expiresInDays * DAY_MS;
    return this.issue(caller.tenantId, { name: input.name, scopes: input.scopes, sessionId: null }, lifetime);
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
   * Who the token of an `Authorization` header belongs to; null when there is none, or it is forged, revoked or expired. Notes its use,
   * to the minute.
   */
  async callerOf(authorization: string | undefined): Promise<Caller | null> {
    const tokenId = this.idIn(BEARER.exec(authorization ?? '')?.[1] ?? '');
    if (tokenId === null) return null;
    const row = await this.owners.find(tokenId);
    if (row === null) return null;
    const [, tenantId, scopes, expiresAt, lastUsedAt] = row;
    const now = this.clock.now();
    if (expiresAt !== null && expiresAt <= now) return null;
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= MINUTE_MS)
      await this.tx.repository(AccessTokenEntity).update({ id: tokenId }, { lastUsedAt: now });
    return { tenantId, userId: null, sessionId: null, scopes };
  }

  /** The `jti` of a token whose signature, algorithm, issuer and audience hold; null of any other. */
  private idIn(token: string): string | null {
    try {
      const { jti } = this.jwt.verify<{ readonly jti?: unknown }>(token);
      return typeof jti === 'string' && isUuid(jti) ? jti : null;
    } catch {
      return null;
    }
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
