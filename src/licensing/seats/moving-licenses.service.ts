import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { LicenseLifecycleService } from '../licenses/license-lifecycle.service.js';
import { LicensesRepository } from '../licenses/licenses.repository.js';

/** Tells tenants of licenses whose code passes through the hands of many. */
@Injectable()
export class MovingLicensesService {
  constructor(
    private readonly tx: Transactions,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
  ) {}

  /** Adds to the timeline that a license seats no other device for now. */
  async tell(licenseId: string): Promise<void> {
    const license = await this.licenses.find(licenseId);
    if (license === null) return;
    const message = `The code …${license.codeHint} has moved through so many devices within an hour that no other can activate it for an hour. If it is public, replace it.`;
    await this.tx.run(() => this.lifecycle.addEvent(license, 'license_moving', message));
  }
}
