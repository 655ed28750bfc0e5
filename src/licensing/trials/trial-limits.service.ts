import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { addressKey, RateLimits } from '../../common/access/index.js';
import { Config } from '../../common/config/index.js';
import { TrialsRepository } from './trials.repository.js';

/** PostgreSQL's largest integer. */
const UNLIMITED = 2_147_483_647;

/** As many trials as a day allows have begun. */
export class TooManyTrials extends Error {}

/** Limits how many trials begin on a UTC day: of an extension, counted in the database, and of an extension from one network. */
@Injectable()
export class TrialLimitsService {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
    private readonly trials: TrialsRepository,
  ) {}

  /** Counts a trial that begins in the current transaction, as its last step. @throws TooManyTrials, which undoes it */
  async count(extensionId: string, address: string, now: Date): Promise<void> {
    const day = dayOf(now);
    const { rateLimits, trialsPerAddress: perDay, trialsPerExtension } = this.config;
    const most = rateLimits === 'on' ? trialsPerExtension : UNLIMITED;
    if (!(await this.trials.countBegun(extensionId, day, most))) throw new TooManyTrials();
    const sender = hash('sha256', `${extensionId}\n${addressKey(address)}`, 'buffer');
    if (!(await this.limits.consumeDaily({ name: 'trials', perDay }, day, sender))) throw new TooManyTrials();
  }

  /** Counts a trial that was refused, for the seller. */
  async countRefused(extensionId: string, now: Date): Promise<void> {
    await this.trials.countRefused(extensionId, dayOf(now));
  }
}

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);
