import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { Metrics } from '../../common/observability/index.js';
import { LicenseLifecycleService, LicensesRepository } from '../licenses/index.js';
import type { Reason } from '../leases/index.js';

/** Tells people what devices meet: tenants of codes that pass through the hands of many, operators of refusals. */
@Injectable()
export class SeatReportsService {
  private readonly log = new Logger(SeatReportsService.name);

  constructor(
    private readonly tx: Transactions,
    private readonly metrics: Metrics,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
  ) {}

  /** Adds to the timeline that a license seats no other device for now. */
  async tellMoving(licenseId: string): Promise<void> {
    const license = await this.licenses.find(licenseId);
    if (license === null) return;
    const message = `The code …${license.codeHint} has moved through so many devices within an hour that no other can activate it for an hour. If it is public, replace it.`;
    await this.tx.run(() => this.lifecycle.addEvent(license, 'license_moving', message));
  }

  /** Counts and logs an activation that was refused. Neither names the code, the device or its address. */
  countRefused(extensionId: string, reason: Reason): void {
    this.metrics.refusedActivations.inc({ reason });
    this.log.log({ msg: 'activation refused', extensionId, reason });
  }
}
