import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/index.js';
import { actAs, type Caller, type SessionCaller } from '../../../common/access/index.js';
import { Unauthenticated } from '../../../common/problems/index.js';
import { Clock, MINUTE_MS } from '../../../common/system/index.js';
import { newRow, Transactions } from '../../../common/database/index.js';
import { newSecret, pageFrom, type Page, type PageQuery } from '../../../common/fields/index.js';
import { UserAuditService } from '../user-audit.service.js';
import { RequestPlace } from '../request-place.js';
import { endOfSession, movedEnd } from './session-lifetime.js';
import type { SessionEntity } from './session.entity.js';
import type { ActiveSession } from './sessions.dto.js';
import { SessionNotFound } from './sessions.problems.js';
import { SessionsRepository } from './sessions.repository.js';

/** A session that a request presents. */
export interface FoundSession {
  readonly caller: Caller;
  readonly secret: string;
  /** Milliseconds until its end, when this use has moved the end; null otherwise. */
  readonly extendedForMs: number | null;
}

/** Facts about the start of a session. */
export interface SessionStart {
  /** When the user last showed the second factor. */
  readonly secondFactorAt?: Date | null;
  /** Name of the program that logs in. */
  readonly name?: string | null;
}

/** Log-ins in a browser: an opaque secret, stored as its hash, valid for 14 days after its last use and 90 days at most. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly sessions: SessionsRepository,
    private readonly place: RequestPlace,
    private readonly audit: AuditLog,
    private readonly userAudit: UserAuditService,
  ) {}

  /** Begins a session at a tenant of the user, and returns its secret; the user's expired sessions are deleted. */
  async begin(
    userId: string,
    tenantId: string,
    { secondFactorAt = null, name = null }: SessionStart = {},
  ): Promise<string> {
    const secret = newSecret();
    const now = this.clock.now();
    const row = {
      ...newRow(now),
      userId,
      tenantId,
      secretHash: hashOf(secret),
      expiresAt: endOfSession(now, now),
      lastSeenAt: now,
      secondFactorAt,
      name,
      ...this.place.current(),
    };
    await this.tx.run(async () => {
      await this.sessions.deleteExpired(userId, now);
      await this.sessions.insert(row);
      const caller = callerIn(await this.sessions.findByHash(row.secretHash));
      if (caller === null) throw new Error('A new session has a user');
      await actAs(caller.actor, () => this.audit.record(tenantId, 'session.begun', row, { after: row }));
    });
    return secret;
  }

  /** Switches a session to another tenant of its user. */
  async switchTenant({ userId, sessionId, ...caller }: SessionCaller, tenantId: string): Promise<void> {
    if (caller.tenantId === tenantId) return;
    await this.tx.run(async () => {
      await this.sessions.setTenant(sessionId, tenantId, this.clock.now());
      const session = await this.sessions.find(userId, sessionId);
      const member = callerIn(session);
      if (session === null || member === null) throw new Unauthenticated('Session');
      await actAs(member.actor, () => this.audit.record(tenantId, 'session.switched', session));
    });
  }

  /** Locks a session at its tenant until the transaction ends. @throws Unauthenticated when it is at another tenant, or has ended */
  async lockAtTenant({ sessionId, tenantId }: Pick<SessionCaller, 'sessionId' | 'tenantId'>): Promise<void> {
    if (!(await this.sessions.lockAt(sessionId, tenantId))) throw new Unauthenticated('Session');
  }

  /** Lists the caller's sessions, newest first. */
  list({ userId, sessionId }: SessionCaller, query: PageQuery): Promise<Page<ActiveSession>> {
    return pageFrom(
      query,
      (start) => this.sessions.list(userId, start, this.clock.now()),
      (row) => toActiveSession(row, sessionId),
    );
  }

  /** Ends the caller's session at once. */
  async end({ userId, sessionId }: SessionCaller): Promise<void> {
    await this.delete(userId, sessionId);
  }

  /** Ends a session of a user at once. */
  async endOwn(userId: string, sessionId: string): Promise<void> {
    if (!(await this.delete(userId, sessionId))) throw new SessionNotFound();
  }

  /** Ends all sessions of a user but one; returns whether there were any. The caller records why. */
  endOthers(userId: string, keptId: string): Promise<boolean> {
    return this.sessions.deleteOthers(userId, keptId);
  }

  /** Ends all sessions of a user. The caller records why. */
  endAll(userId: string): Promise<void> {
    return this.sessions.deleteAllOf(userId);
  }

  /** Ends all other sessions of the caller at once. */
  async endOthersOf({ userId, sessionId, actor }: SessionCaller): Promise<void> {
    await this.tx.run(async () => {
      if (await this.endOthers(userId, sessionId))
        await this.userAudit.recordOfSession(userId, actor, 'user.sessions_ended');
    });
  }

  /** Finds the session of a secret; null when there is none or it has expired. Records its use, at most once a minute. */
  async find(secret: string | undefined): Promise<FoundSession | null> {
    if (secret === undefined) return null;
    const session = await this.sessions.findByHash(hashOf(secret));
    const now = this.clock.now();
    const caller = callerIn(session);
    if (session === null || caller === null || session.expiresAt <= now) return null;
    const extendedForMs = await this.noteUse(session, now);
    return { caller, secret, extendedForMs };
  }

  /** Finds a session that has not expired. */
  async findById(id: string): Promise<SessionEntity | null> {
    return this.sessions.findById(id, this.clock.now());
  }

  private delete(userId: string, id: string): Promise<boolean> {
    return this.tx.run(async () => {
      const session = await this.sessions.find(userId, id);
      if (session === null || !(await this.sessions.delete(userId, id))) return false;
      await this.audit.record(session.tenantId, 'session.ended', session);
      return true;
    });
  }

  private async noteUse(session: SessionEntity, now: Date): Promise<number | null> {
    const { id, lastSeenAt } = session;
    const moved = movedEnd(session, now);
    if (moved === null && lastSeenAt !== null && now.getTime() - lastSeenAt.getTime() < MINUTE_MS) return null;
    const end = moved === null ? {} : { expiresAt: moved };
    await this.sessions.setUsed(id, { lastSeenAt: now, updatedAt: now, ...this.place.current(), ...end });
    return moved === null ? null : moved.getTime() - now.getTime();
  }
}

function callerIn(session: SessionEntity | null): Caller | null {
  if (session?.membership?.user === undefined) return null;
  const { id: sessionId, tenantId, userId } = session;
  const { role, user } = session.membership;
  const actor = { kind: 'user', id: userId, name: user.email, role, sessionId } as const;
  return {
    tenantId,
    userId,
    sessionId,
    tokenId: null,
    extensionIds: null,
    scopes: null,
    role,
    isOperator: user.isOperator,
    actor,
  };
}

const toActiveSession = (row: SessionEntity, currentId: string): ActiveSession => ({
  id: row.id,
  current: row.id === currentId,
  name: row.name,
  device: row.device,
  country: row.country,
  createdAt: row.createdAt,
  lastSeenAt: row.lastSeenAt ?? row.createdAt,
  expiresAt: row.expiresAt,
});

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
