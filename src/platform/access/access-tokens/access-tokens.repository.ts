import { Injectable } from '@nestjs/common';
import { And, IsNull, LessThan, LessThanOrEqual, MoreThan, type Repository } from 'typeorm';
import { onConstraint, Transactions } from '../../../common/database/index.js';
import { Unauthenticated } from '../../../common/problems/index.js';
import type { PageStart } from '../../../common/fields/index.js';
import type { Role } from '../../../common/access/index.js';
import { AccessTokenEntity } from './access-token.entity.js';

/** A row without its relations. */
export type AccessTokenRow = Omit<AccessTokenEntity, 'tenant' | 'session' | 'creator' | 'trustRule'>;

/** A use of a token. */
export type LastUse = Pick<AccessTokenRow, 'lastUsedAt' | 'lastUsedAddress' | 'lastUsedClient'>;

/** Columns that decide whether a token admits a request, and as whom. */
export interface PresentedToken extends Pick<
  AccessTokenRow,
  | 'id'
  | 'tenantId'
  | 'name'
  | 'sessionId'
  | 'trustRuleId'
  | 'origin'
  | 'scopes'
  | 'extensionIds'
  | 'expiresAt'
  | 'lastUsedAt'
> {
  /** The role and address of the creator; both null for a token without one. */
  readonly role: Role | null;
  readonly email: string | null;
  readonly createdBy: string | null;
}

const PRESENTED = `
    select token.id, token.tenant_id as "tenantId", token.name, token.session_id as "sessionId", token.trust_rule_id as "trustRuleId", token.origin,
           token.scopes, token.extension_ids as "extensionIds", token.expires_at as "expiresAt", token.last_used_at as "lastUsedAt",
           token.created_by as "createdBy", creator.role, tenant_user.email
      from access_token as token
      left join membership as creator on creator.user_id = token.created_by and creator.tenant_id = token.tenant_id
      left join tenant_user on tenant_user.id = creator.user_id`;

/** Raw SQL, since every request with a token runs it: TypeORM would build, and PostgreSQL plan, the same statement each time. */
const FIND_PRESENTED = { name: 'find_presented_token', text: `${PRESENTED} where token.id = $1` };

/** Tokens that a user created. Those that a session or a CI token was exchanged for are neither listed nor counted. */
const CREATED = { sessionId: IsNull(), trustRuleId: IsNull() };

/** Access tokens of tenants. */
@Injectable()
export class AccessTokensRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds a token. @throws Unauthenticated when its creator has just left the tenant */
  async insert(token: AccessTokenRow): Promise<void> {
    await onConstraint(() => this.rows.insert(token), {
      access_token_created_by_tenant_id_fkey: () => new Unauthenticated('Session'),
    });
  }

  /** Finds a token of the tenant. */
  find(tenantId: string, id: string): Promise<AccessTokenEntity | null> {
    return this.rows.findOneBy({ id, tenantId });
  }

  /** Finds a token by its `jti`, with its creator's role and address. */
  async findPresented(id: string): Promise<PresentedToken | null> {
    const [token = null] = await this.tx.prepared<PresentedToken>(FIND_PRESENTED, [id]);
    return token;
  }

  /** Finds tokens by their `jti`, with their creators' roles and addresses. */
  findAllPresented(ids: readonly string[]): Promise<readonly PresentedToken[]> {
    return this.tx.query(`${PRESENTED} where token.id = any($1)`, [ids]);
  }

  /** Returns one row more than the page holds, newest first, with their creators. */
  list(tenantId: string, { limit, after }: PageStart): Promise<readonly AccessTokenEntity[]> {
    // `find` would run two statements for a page with joined relations.
    return this.rows
      .createQueryBuilder('token')
      .leftJoinAndSelect('token.creator', 'creator')
      .leftJoinAndSelect('creator.user', 'user')
      .where({ ...CREATED, tenantId, id: LessThan(after) })
      .orderBy('token.id', 'DESC')
      .limit(limit + 1)
      .getMany();
  }

  /** Returns the tokens that expire within a span of time and were used after a moment. */
  expiring(from: Date, to: Date, usedAfter: Date): Promise<readonly AccessTokenEntity[]> {
    return this.rows.findBy({
      ...CREATED,
      expiresAt: And(MoreThan(from), LessThanOrEqual(to)),
      lastUsedAt: MoreThan(usedAfter),
    });
  }

  /** Counts the tenant's tokens that have not expired. */
  countValid(tenantId: string, now: Date): Promise<number> {
    const own = { ...CREATED, tenantId };
    return this.rows.countBy([
      { ...own, expiresAt: IsNull() },
      { ...own, expiresAt: MoreThan(now) },
    ]);
  }

  /** Records the last use of a token. */
  async setLastUse(id: string, use: LastUse): Promise<void> {
    await this.rows.update({ id }, use);
  }

  /** Deletes a token; returns whether the tenant had it. */
  async delete(tenantId: string, id: string): Promise<boolean> {
    return (await this.rows.delete({ id, tenantId })).affected === 1;
  }

  /** Deletes the tokens that a session was exchanged for. */
  async deleteOfSession(sessionId: string): Promise<void> {
    await this.rows.delete({ sessionId });
  }

  /** Deletes the expired tokens that a session was exchanged for. */
  async deleteExpiredOfSession(sessionId: string, now: Date): Promise<void> {
    await this.rows.delete({ sessionId, expiresAt: LessThanOrEqual(now) });
  }

  /** Deletes the expired tokens that were exchanged by a rule. */
  async deleteExpiredOfRule(trustRuleId: string, now: Date): Promise<void> {
    await this.rows.delete({ trustRuleId, expiresAt: LessThanOrEqual(now) });
  }

  /** Deletes the tokens that a user made. */
  async deleteOf(createdBy: string): Promise<void> {
    await this.rows.delete({ createdBy });
  }

  private get rows(): Repository<AccessTokenEntity> {
    return this.tx.repository(AccessTokenEntity);
  }
}
