import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller, SessionCaller } from '../../common/access/index.js';
import { Unauthenticated } from '../../common/problems/index.js';
import { Clock, MINUTE_MS } from '../../common/system/index.js';
import { newRow } from '../../common/database/index.js';
import { readPage, toPage, type Page, type PageQuery } from '../../common/fields/index.js';
import { SessionClient } from './session-client.js';
import { endOfSession, movedEnd } from './session-lifetime.js';
import type { SessionEntity } from './session.entity.js';
import type { ActiveSession } from './sessions.dto.js';
import { SessionNotFound } from './sessions.problems.js';
import { SessionsRepository } from './sessions.repository.js';

/** A session that a request presents. */
export interface FoundSession {
  readonly caller: Caller;
  readonly secret: string;
  /** Milliseconds that it now lasts, when its end has just been moved; else null. */
  readonly extendedForMs: number | null;
}

/** Log-ins in a browser: an opaque secret, stored as its hash, valid for 14 days after its last use and 90 days at most. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly clock: Clock,
    private readonly sessions: SessionsRepository,
    private readonly client: SessionClient,
  ) {}

  /** Begins a session that looks at a tenant of the user, and returns its secret; the user's expired sessions are deleted. */
  async begin(userId: string, tenantId: string, secondFactorAt: Date | null = null): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const now = this.clock.now();
    await this.sessions.deleteExpired(userId, now);
    await this.sessions.insert({
      ...newRow(now),
      userId,
      tenantId,
      secretHash: hashOf(secret),
      expiresAt: endOfSession(now, now),
      lastSeenAt: now,
      secondFactorAt,
      ...this.client.place(),
    });
    return secret;
  }

  /** Makes a session look at another tenant of its user. @throws TenantNotFound */
  switchTenant(sessionId: string, tenantId: string): Promise<void> {
    return this.sessions.setTenant(sessionId, tenantId, this.clock.now());
  }

  /** Keeps a session at its tenant until the transaction ends. @throws Unauthenticated when it looks at another one, or has ended */
  async lockAtTenant({ sessionId, tenantId }: SessionCaller): Promise<void> {
    if (!(await this.sessions.lockAt(sessionId, tenantId))) throw new Unauthenticated('Session');
  }

  /** Lists the caller's sessions, newest first. */
  async list({ userId, sessionId }: SessionCaller, query: PageQuery): Promise<Page<ActiveSession>> {
    const page = readPage(query);
    const rows = await this.sessions.list(userId, page, this.clock.now());
    return toPage(rows, page.limit, (row) => toActiveSession(row, sessionId));
  }

  /** Ends the caller's session at once. */
  async end({ userId, sessionId }: SessionCaller): Promise<void> {
    await this.sessions.delete(userId, sessionId);
  }

  /** Ends a session of a user at once. @throws SessionNotFound */
  async endOwn(userId: string, sessionId: string): Promise<void> {
    if (!(await this.sessions.delete(userId, sessionId))) throw new SessionNotFound();
  }

  /** Ends all sessions of a user but one. */
  endOthers(userId: string, keptId: string): Promise<void> {
    return this.sessions.deleteOthers(userId, keptId);
  }

  /** Ends all sessions of a user. */
  endAll(userId: string): Promise<void> {
    return this.sessions.deleteAllOf(userId);
  }

  /** Finds the session of a secret; null when there is none or it has expired. Its use is noted once a minute. */
  async find(secret: string | undefined): Promise<FoundSession | null> {
    if (secret === undefined) return null;
    const session = await this.sessions.findByHash(hashOf(secret));
    const now = this.clock.now();
    if (session?.membership?.user === undefined || session.expiresAt <= now) return null;
    const extendedForMs = await this.noteUse(session, now);
    const { id: sessionId, tenantId, userId } = session;
    const { role, user } = session.membership;
    const actor = { kind: 'user', id: userId, name: user.email, role, sessionId } as const;
    const caller = { tenantId, userId, sessionId, extensionIds: null, scopes: null, role, actor };
    return { caller, secret, extendedForMs };
  }

  private async noteUse(session: SessionEntity, now: Date): Promise<number | null> {
    const { id, lastSeenAt } = session;
    const moved = movedEnd(session, now);
    if (moved === null && lastSeenAt !== null && now.getTime() - lastSeenAt.getTime() < MINUTE_MS) return null;
    const end = moved === null ? {} : { expiresAt: moved };
    await this.sessions.setUsed(id, { lastSeenAt: now, updatedAt: now, ...this.client.place(), ...end });
    return moved === null ? null : moved.getTime() - now.getTime();
  }
}

const toActiveSession = (row: SessionEntity, currentId: string): ActiveSession => ({
  id: row.id,
  current: row.id === currentId,
  device: row.device,
  country: row.country,
  createdAt: row.createdAt,
  lastSeenAt: row.lastSeenAt ?? row.createdAt,
  expiresAt: row.expiresAt,
});

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
