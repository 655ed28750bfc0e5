import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock, MINUTE_MS } from '../../../common/system/index.js';
import { newRow } from '../../../common/database/index.js';
import { digestOf, equalsInConstantTime, formTokenOf, newSecret } from '../../../common/fields/index.js';
import { BuyerFormRefused } from '../buyer.problems.js';
import { BuyerSessionsRepository } from './buyer-sessions.repository.js';

/** Duration of a session, in milliseconds. */
export const BUYER_SESSION_LIFETIME_MS = 60 * MINUTE_MS;

/** The buyer of a session, and the token that each form of the session's pages carries. */
export interface Buyer {
  readonly email: string;
  readonly formToken: string;
}

/** Sessions of buyers who have opened their link. */
@Injectable()
export class BuyerSessionsService {
  constructor(
    private readonly clock: Clock,
    private readonly sessions: BuyerSessionsRepository,
  ) {}

  /** Begins a session. @returns its secret */
  async begin(email: string): Promise<string> {
    const secret = newSecret();
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + BUYER_SESSION_LIFETIME_MS);
    await this.sessions.insert({ ...newRow(now), email, secretDigest: digestOf(secret), expiresAt });
    return secret;
  }

  /** Finds the buyer of a session. @returns null without a secret, and when the session has ended */
  async find(secret: string | null): Promise<Buyer | null> {
    if (secret === null) return null;
    const session = await this.sessions.find(digestOf(secret));
    if (session === null || session.expiresAt <= this.clock.now()) return null;
    return { email: session.email, formToken: formTokenOf(secret) };
  }

  /** The session's buyer, if the form comes from one of the session's pages. @throws BuyerFormRefused */
  async ofForm(secret: string | null, formToken: string): Promise<Buyer> {
    const buyer = await this.find(secret);
    if (buyer === null || !equalsInConstantTime(formToken, buyer.formToken)) throw new BuyerFormRefused();
    return buyer;
  }

  /** Ends a session. */
  async end(secret: string): Promise<void> {
    await this.sessions.delete(digestOf(secret));
  }

  /** Deletes expired sessions. */
  @Interval('buyer-session-cleanup', 5 * MINUTE_MS)
  async deleteExpired(): Promise<void> {
    await this.sessions.deleteExpired(this.clock.now());
  }
}
