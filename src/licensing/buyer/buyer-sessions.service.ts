import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Request, Response } from 'express';
import { Clock } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { digestOf, formTokenOf, newSecret } from '../../common/fields/index.js';
import { BuyerSessionEntity } from './buyer.entity.js';
import { homeOf } from './home.js';

const COOKIE = 'buyer_session';
const MINUTE_MS = 60_000;
const LIFETIME_MS = 60 * MINUTE_MS;

/** Who looks at the page, and what his forms must carry. */
export interface Buyer {
  readonly email: string;
  readonly formToken: string;
}

/** Buyers who have opened their link: an opaque secret in a cookie that no other site's request carries, good for an hour. */
@Injectable()
export class BuyerSessions {
  private readonly log = new Logger(BuyerSessions.name);
  private readonly secure: boolean;
  private readonly path: string;

  constructor(
    config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
  ) {
    this.secure = !config.isLocal;
    this.path = homeOf(config);
  }

  /** Begins a session, and puts its cookie on the answer. */
  async begin(email: string, response: Response): Promise<void> {
    const secret = newSecret();
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    await this.tx
      .repository(BuyerSessionEntity)
      .insert({ ...newRow(now), email, secretDigest: digestOf(secret), expiresAt });
    response.cookie(COOKIE, secret, { ...this.cookieOptions(), maxAge: LIFETIME_MS });
  }

  /** Whose session a request is of; null when it is of none, or of none any more. */
  async buyerOf(request: Request): Promise<Buyer | null> {
    const secret = secretIn(request);
    if (secret === null) return null;
    const session = await this.tx.repository(BuyerSessionEntity).findOneBy({ secretDigest: digestOf(secret) });
    if (session === null || session.expiresAt <= this.clock.now()) return null;
    return { email: session.email, formToken: formTokenOf(secret) };
  }

  async end(request: Request, response: Response): Promise<void> {
    const secret = secretIn(request);
    if (secret !== null) await this.tx.repository(BuyerSessionEntity).delete({ secretDigest: digestOf(secret) });
    response.clearCookie(COOKIE, this.cookieOptions());
  }

  /** Forgets sessions that have run out. */
  @Interval(5 * MINUTE_MS)
  async forget(): Promise<void> {
    try {
      await this.tx.query('delete from buyer_session where expires_at <= $1', [this.clock.now()]);
    } catch (error) {
      this.log.error({ msg: 'old sessions were not forgotten', err: error });
    }
  }

  private cookieOptions(): { httpOnly: true; sameSite: 'strict'; secure: boolean; path: string } {
    return { httpOnly: true, sameSite: 'strict', secure: this.secure, path: this.path };
  }
}

const secretIn = ({ headers }: Request): string | null =>
  new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '')?.[1] ?? null;
