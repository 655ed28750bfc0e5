import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { LicenseOrDeviceNotFound } from '../licensing.problems.js';
import {
  type FreedSeat,
  type FreeSeat,
  type LicenseEntity,
  LicensesRepository,
  LicensesService,
  type LicenseWithDevices,
} from '../licenses/index.js';
import { fingerprintDigest } from './devices/fingerprint.js';
import { LicenseEventsService } from '../events/index.js';
import { SeatsRepository } from './seats.repository.js';

/** The devices of a license, for its tenant. */
@Injectable()
export class LicenseDevicesService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly licenses: LicensesService,
    private readonly rows: LicensesRepository,
    private readonly seats: SeatsRepository,
    private readonly events: LicenseEventsService,
    private readonly audit: AuditLog,
  ) {}

  /** Retrieves a license with the devices that hold a seat. */
  async get(tenantId: string, id: string): Promise<LicenseWithDevices> {
    const license = await this.licenses.get(tenantId, id);
    const devices = (await this.seats.listLive([id])).map((seat) => ({
      id: seat.id,
      label: seat.label,
      memberId: seat.memberId,
      firstSeenAt: seat.firstSeenAt,
      lastSeenAt: seat.lastSeenAt,
    }));
    return { ...license, devices };
  }

  /** Frees a device's seat by its fingerprint. */
  freeSeat(tenantId: string, id: string, { fingerprint }: FreeSeat): Promise<FreedSeat> {
    return this.freeLocked(tenantId, id, ({ extensionId }) =>
      this.seats.free(id, fingerprintDigest(extensionId, fingerprint), this.clock.now()),
    );
  }

  /** Frees a device's seat by the device's id. */
  async deleteDevice(tenantId: string, id: string, deviceId: string): Promise<void> {
    await this.freeLocked(tenantId, id, () => this.seats.freeById({ licenseId: id }, deviceId, this.clock.now()));
  }

  /** @param free tells whether the seat was live; null when the device never had one on the license */
  private freeLocked(
    tenantId: string,
    id: string,
    free: (license: LicenseEntity) => Promise<boolean | null>,
  ): Promise<FreedSeat> {
    return this.tx.run(async () => {
      const license = await this.rows.findForUpdate(tenantId, id);
      const freed = license === null ? null : await free(license);
      if (license === null || freed === null) throw new LicenseOrDeviceNotFound();
      if (freed) {
        await this.audit.record(tenantId, 'license.device_released', license);
        await this.events.tell([{ kind: 'license.seat_freed', licenseId: id, reason: 'tenant' }]);
      }
      return { released: true, seats: (await this.licenses.get(tenantId, id)).seats };
    });
  }
}
