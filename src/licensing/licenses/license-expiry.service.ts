import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Transactions } from '../../common/database/index.js';
import { Clock, MINUTE_MS } from '../../common/system/index.js';
import { dueExpiryEvent, LicenseEventsService } from '../events/index.js';
import { LicensesRepository } from './licenses.repository.js';

/** Licenses of one transaction. */
const PAGE = 500;

/** Tells which licenses expire soon and which have expired: each once, however many processes look. */
@Injectable()
export class LicenseExpiryService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly licenses: LicensesRepository,
    private readonly events: LicenseEventsService,
  ) {}

  /** Tells what is due, in pages. */
  @Interval('license-expiry', MINUTE_MS)
  async check(): Promise<void> {
    while ((await this.tx.run(() => this.tellPage())) === PAGE);
  }

  /** @returns how many were due */
  private async tellPage(): Promise<number> {
    const now = this.clock.now();
    const due = await this.licenses.takeExpiring(now, PAGE);
    const decided = due.map((license) => ({ id: license.id, ...dueExpiryEvent(license, now) }));
    await this.licenses.planExpiryEvents(decided.map(({ id, next }) => ({ id, next })));
    await this.events.tell(decided.flatMap(({ id, told }) => (told === null ? [] : [{ licenseId: id, ...told }])));
    return due.length;
  }
}
