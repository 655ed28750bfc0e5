import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { addressKey, networkKey, RateLimits } from '../../common/access/index.js';
import { Config } from '../../common/config/index.js';
import { dayOf, isNearLimit } from './trial-rule.js';
import { TrialsRepository } from './trials.repository.js';

/** PostgreSQL's largest integer. */
const UNLIMITED = 2_147_483_647;

/** As many trials as a day allows have begun. */
export class TooManyTrials extends Error {}

/** Limits how many trials begin on a UTC day: of an extension, counted in the database, and of an extension from one address and one network. */
@Injectable()
export class TrialLimitsService {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
    private readonly trials: TrialsRepository,
  ) {}

  /** Counts a trial that begins in the current transaction, as its last step. @throws TooManyTrials, which undoes it */
  async count(extensionId: string, address: string, now: Date): Promise<void> {
    if (!(await this.trials.countBegun(extensionId, dayOf(now), this.mostPerExtension))) throw new TooManyTrials();
    await this.countShares(extensionId, address, dayOf(now));
  }

  /** Counts a link that is mailed, as the last step of the current transaction. @throws TooManyTrials, which undoes it */
  async countLink(extensionId: string, address: string, now: Date): Promise<void> {
    const ofExtension = { name: 'trial-links-extension', perDay: this.config.trialsPerExtension };
    const day = dayOf(now);
    const extension = hash('sha256', extensionId, 'buffer');
    if (!(await this.limits.consumeDaily(ofExtension, day, extension))) throw new TooManyTrials();
    try {
      await this.countShares(extensionId, address, day);
    } catch (error) {
      await this.limits.refundDaily(ofExtension, day, extension);
      throw error;
    }
  }

  /** Counts a trial whose address was confirmed. None of these is refused: a stranger would need as many mailboxes. */
  async countConfirmed(extensionId: string, now: Date): Promise<void> {
    await this.trials.countBegun(extensionId, dayOf(now), UNLIMITED);
  }

  private async countShares(extensionId: string, address: string, day: string): Promise<void> {
    const { trialsPerAddress, trialsPerNetwork } = this.config;
    const digestOf = (key: string): Buffer => hash('sha256', `${extensionId}\n${key}`, 'buffer');
    const ofNetwork = { name: 'trials-network', perDay: trialsPerNetwork };
    const network = digestOf(networkKey(address));
    if (!(await this.limits.consumeDaily(ofNetwork, day, network))) throw new TooManyTrials();
    const ofAddress = { name: 'trials', perDay: trialsPerAddress };
    if (await this.limits.consumeDaily(ofAddress, day, digestOf(addressKey(address)))) return;
    await this.limits.refundDaily(ofNetwork, day, network);
    throw new TooManyTrials();
  }

  /** The trial that a device is offered: near the day's limit only with an address, where mail is set up, so that strangers leave some to others. */
  offered<Offer extends { readonly needsEmail: boolean }>(offer: Offer | null, begunToday: number): Offer | null {
    if (offer === null || this.config.smtpUrl === undefined) return offer;
    return { ...offer, needsEmail: offer.needsEmail || isNearLimit(begunToday, this.mostPerExtension) };
  }

  private get mostPerExtension(): number {
    const { rateLimits, trialsPerExtension } = this.config;
    return rateLimits === 'on' ? trialsPerExtension : UNLIMITED;
  }

  /** Counts a trial that was refused, for the seller. */
  async countRefused(extensionId: string, now: Date): Promise<void> {
    await this.trials.countRefused(extensionId, dayOf(now));
  }
}
