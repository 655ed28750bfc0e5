import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, MINUTE_MS } from '../common/system/index.js';
import { CredentialsService } from '../credentials/index.js';
import type { Throttles } from './planning/plan.js';
import { StoreBudgetsRepository } from './store-budgets.repository.js';

const WINDOW_MS = MINUTE_MS;

/** Calls per minute of a credential at its store, counted in the database for all processes. */
@Injectable()
export class StoreBudgetService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly budgets: StoreBudgetsRepository,
    private readonly credentials: CredentialsService,
  ) {}

  onModuleInit(): void {
    // The store may treat new secrets as another client, so its waiting time no longer holds.
    this.credentials.rotated.add(({ id }) => this.budgets.lift(id));
  }

  /**
   * Takes calls from the credential's budget.
   * @returns null when it allows them, else when the next may be made: the next minute, or the time that the store named
   */
  async take(credentialId: string, perMinute: number, calls = 1): Promise<Date | null> {
    const now = this.clock.now();
    const window = new Date(now.getTime() - (now.getTime() % WINDOW_MS));
    const { used, notBefore } = await this.budgets.count(credentialId, window, calls);
    if (notBefore !== null && notBefore > now) return notBefore;
    return used > perMinute ? new Date(window.getTime() + WINDOW_MS) : null;
  }

  /** Returns the time until which the store accepts no uploads or other changes with the credential; reads continue meanwhile. */
  throttlesOf(credentialId: string): Promise<Throttles> {
    return this.budgets.throttlesOf(credentialId);
  }
}
