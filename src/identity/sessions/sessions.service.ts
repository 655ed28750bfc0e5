import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/index.js';
import { Clock, DAY_MS } from '../../common/system/index.js';
import { newRow } from '../../common/database/index.js';
import { SessionsRepository } from './sessions.repository.js';

/** How long a session lasts after its last use. */
export const SESSION_LIFETIME_MS = 14 * DAY_MS;

/** A session that a request presents. */
export interface FoundSession {
  readonly caller: Caller;
  readonly secret: string;
  /** The session's end has just been moved. */
  readonly isExtended: boolean;
}

/** Log-ins in a browser: an opaque secret, stored as its hash, valid for 14 days after its last use. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly clock: Clock,
    private readonly sessions: SessionsRepository,
  ) {}

  /** Begins a session that looks at a tenant of the user, and returns its secret; the user's expired sessions are deleted. */
  async begin(userId: string, tenantId: string): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_MS);
    await this.sessions.deleteExpired(userId, now);
    await this.sessions.insert({ ...newRow(now), userId, tenantId, secretHash: hashOf(secret), expiresAt });
    return secret;
  }

  /** Ends a session at once. */
  end(sessionId: string): Promise<void> {
    return this.sessions.delete(sessionId);
  }

  /** Finds the session of a secret; null when there is none or it has expired. A session in use is extended, at most once a day. */
  async find(secret: string | undefined): Promise<FoundSession | null> {
    if (secret === undefined) return null;
    const session = await this.sessions.findByHash(hashOf(secret));
    const now = this.clock.now();
    if (session?.membership?.user === undefined || session.expiresAt <= now) return null;
    const isExtended = session.expiresAt.getTime() - now.getTime() < SESSION_LIFETIME_MS - DAY_MS;
    if (isExtended) await this.sessions.extend(session.id, new Date(now.getTime() + SESSION_LIFETIME_MS), now);
    const { id: sessionId, tenantId, userId } = session;
    const { role, user } = session.membership;
    const actor = { kind: 'user', id: userId, name: user.email, role, sessionId } as const;
    return {
      caller: { tenantId, userId, sessionId, extensionIds: null, scopes: null, role, actor },
      secret,
      isExtended,
    };
  }
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
