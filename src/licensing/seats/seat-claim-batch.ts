import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Batcher, SHARING_STATEMENTS, Transactions } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { decideClaims, type DecidedClaims, type SeatClaim, type SeatOutcome } from './seat-claims.js';
import { SeatsRepository } from './seats.repository.js';

/** Gives out seats; claims that arrive together share one transaction. */
@Injectable()
export class SeatClaimBatch implements BeforeApplicationShutdown {
  private readonly batcher = new Batcher<SeatClaim, SeatOutcome | null>(
    (claims) => this.claimAll(claims, 'skip'),
    // A claim takes five round trips instead of one, so that larger batches pay.
    { ...SHARING_STATEMENTS, startAt: SHARING_STATEMENTS.maxBatchSize },
  );

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly seats: SeatsRepository,
  ) {}

  /**
   * Seats a device if the rules allow it, without waiting for another transaction.
   * @returns null, with nothing changed, when the license is locked or has been deleted
   */
  tryClaim(claim: SeatClaim): Promise<SeatOutcome | null> {
    return this.batcher.add(claim);
  }

  /** Seats a device if the rules allow it, once the license is free. @returns null when the license has been deleted */
  async claim(claim: SeatClaim): Promise<SeatOutcome | null> {
    return (await this.claimAll([claim], 'wait'))[0] ?? null;
  }

  /** Finishes the claims that are waiting. */
  beforeApplicationShutdown(): Promise<void> {
    return this.batcher.drain();
  }

  private claimAll(
    claims: readonly SeatClaim[],
    whenLocked: 'wait' | 'skip',
  ): Promise<readonly (SeatOutcome | null)[]> {
    return this.tx.run(async () => {
      const licenseIds = claims.map(({ licenseId }) => licenseId);
      const locked = await this.seats.lockLicenses(licenseIds, whenLocked);
      const own = claims.filter(({ licenseId }) => locked.has(licenseId));
      if (own.length === 0) return claims.map(() => null);
      const { outcomes, ended, seated } = await this.decide(own);
      if (seated.length > 0) await this.seats.reseat(ended, seated, this.clock.now());
      return claims.map((claim) => outcomes[own.indexOf(claim)] ?? null);
    });
  }

  /** Reads the seats only after their licenses are locked, because a statement sees what was committed when it began. */
  private async decide(claims: readonly SeatClaim[]): Promise<DecidedClaims> {
    const first = decideClaims(claims, await this.seats.findAll(claims), this.clock.now());
    if (first.ended.length === 0) return first;
    // A heartbeat does not lock the license and may have revived a seat that is about to end: lock the seats and decide again.
    await this.seats.lockLiveSeats(claims.map(({ licenseId }) => licenseId));
    return decideClaims(claims, await this.seats.findAll(claims), this.clock.now());
  }
}
