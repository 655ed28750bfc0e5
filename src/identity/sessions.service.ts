import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../common/access/index.js';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { newRow, Transactions } from '../common/database/index.js';
import { SessionEntity } from './session.entity.js';

const COOKIE = 'svc_session';
const DAY_MS = 86_400_000;
const LIFETIME_MS = 14 * DAY_MS;

/** Log-ins in a browser: an opaque secret in a cookie, stored as its hash, good for 14 days after its last use. */
@Injectable()
export class SessionsService {
  private readonly secure: boolean;

  constructor(
    config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
  ) {
    this.secure = !config.isLocal;
  }

  /** Begins a session and puts its cookie on the answer; the user's expired ones go. */
  async begin(userId: string, response: Response): Promise<void> {
    const secret = randomBytes(32).toString('base64url');
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    await this.tx.query('delete from session where user_id = $1 and expires_at <= $2', [userId, now]);
    await this.tx.repository(SessionEntity).insert({ ...newRow(now), userId, secretHash: hashOf(secret), expiresAt });
    this.setCookie(response, secret);
  }

  async end(sessionId: string, response: Response): Promise<void> {
    await this.tx.repository(SessionEntity).delete({ id: sessionId });
    response.clearCookie(COOKIE, this.cookieOptions());
  }

  /** Who a cookie belongs to, or null. A session in use is prolonged, at most once a day. */
  async callerOf(cookieHeader: string | undefined, response: Response): Promise<Caller | null> {
    const secret = new RegExp(`(?:^|;\\s*)${COOKIE}=([A-Za-z0-9_-]{43})(?:;|$)`).exec(cookieHeader ?? '')?.[1];
    if (secret === undefined) return null;
    const session = await this.tx
      .repository(SessionEntity)
      .createQueryBuilder('session')
      .innerJoinAndSelect('session.user', 'user')
      .where({ secretHash: hashOf(secret) })
      .getOne();
    const now = this.clock.now();
    if (session?.user === undefined || session.expiresAt <= now) return null;
    if (session.expiresAt.getTime() - now.getTime() < LIFETIME_MS - DAY_MS) {
      await this.tx
        .repository(SessionEntity)
        .update({ id: session.id }, { expiresAt: new Date(now.getTime() + LIFETIME_MS), updatedAt: now });
      this.setCookie(response, secret);
    }
    return { tenantId: session.user.tenantId, userId: session.userId, sessionId: session.id, scopes: ['*'] };
  }

  private setCookie(response: Response, secret: string): void {
    response.cookie(COOKIE, secret, { ...this.cookieOptions(), maxAge: LIFETIME_MS });
  }

  private cookieOptions(): { httpOnly: true; sameSite: 'lax'; secure: boolean; path: '/' } {
    return { httpOnly: true, sameSite: 'lax', secure: this.secure, path: '/' };
  }
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
