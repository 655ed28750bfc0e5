import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Clock } from '../../common/system/index.js';
import { Transactions } from '../../common/database/index.js';
import { EventsService } from '../../registry/index.js';
import { SeatEntity } from '../seats/seat.entity.js';
import { LicenseBook } from './license-book.js';
import { LicenseEntity } from './license.entity.js';
import { statusOf, type LicenseStatus } from './license-status.js';

/** A license as its buyer sees it, whichever tenant sold it. */
export interface HeldLicense {
  readonly id: string;
  readonly extensionName: string;
  readonly tier: string;
  readonly status: LicenseStatus;
  readonly codeHint: string;
  readonly expiresAt: Date | null;
  readonly maxActivations: number;
  /** Those that hold a seat, the longest seated first. */
  readonly devices: readonly { readonly id: string; readonly label: string | null; readonly lastSeenAt: Date }[];
}

/** What a buyer may do with his own licenses. Whoever calls has made sure that the address is his. */
@Injectable()
export class HeldLicenses {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly events: EventsService,
    private readonly book: LicenseBook,
  ) {}

  /** Whether any license was issued to the address. @param email in lower case, here as below */
  async isHeldBy(email: string): Promise<boolean> {
    return this.tx.repository(LicenseEntity).existsBy({ buyerEmail: email });
  }

  /** The newest licenses of an address, over all tenants. */
  async of(email: string, most: number): Promise<readonly HeldLicense[]> {
    const rows = await this.tx
      .repository(LicenseEntity)
      .createQueryBuilder('license')
      .innerJoinAndSelect('license.plan', 'plan')
      .innerJoinAndSelect('license.extension', 'extension')
      .where('license.buyer_email = :email', { email })
      .orderBy('license.id', 'DESC')
      .limit(most)
      .getMany();
    const seats = await this.tx
      .repository(SeatEntity)
      .createQueryBuilder('seat')
      .where({ licenseId: In(rows.map(({ id }) => id)) })
      .andWhere('seat.ended_at is null')
      .orderBy('seat.first_seen_at', 'ASC')
      .addOrderBy('seat.id', 'ASC')
      .getMany();
    const now = this.clock.now();
    return rows.map((row) => ({
      id: row.id,
      extensionName: row.extension?.name ?? '',
      tier: row.plan?.tier ?? '',
      status: statusOf(row, now),
      codeHint: row.codeHint,
      expiresAt: row.expiresAt,
      maxActivations: row.maxActivations ?? row.plan?.maxActivations ?? 0,
      devices: seats
        .filter(({ licenseId }) => licenseId === row.id)
        .map(({ id, label, lastSeenAt }) => ({ id, label, lastSeenAt })),
    }));
  }

  /** Frees a seat; done again it changes nothing. @returns false when no such license is his */
  async free(email: string, licenseId: string, seatId: string): Promise<boolean> {
    return this.tx.run(async () => {
      const license = await this.book.lockOfBuyer(email, licenseId);
      if (license === null) return false;
      await this.tx.query('update seat set ended_at = $3 where id = $1 and license_id = $2 and ended_at is null', [
        seatId,
        license.id,
        this.clock.now(),
      ]);
      return true;
    });
  }

  /**
   * Replaces the code; the seats stay.
   * @param codeHint the end of the code that is to be replaced, so that a request that is repeated replaces nothing more
   * @returns the new code; null when no such license is his, it is revoked, or its code ends otherwise
   */
  async rotate(email: string, licenseId: string, codeHint: string): Promise<string | null> {
    return this.tx.run(async () => {
      const license = await this.book.lockOfBuyer(email, licenseId);
      if (license === null || license.revokedAt !== null || license.codeHint !== codeHint) return null;
      const code = await this.book.rotate(license);
      const { id, extensionId, planId } = license;
      const message = `The buyer replaced the code of the license …${codeHint}, which is …${license.codeHint} now.`;
      await this.events.append({ extensionId, kind: 'license_rotated', message, data: { licenseId: id, planId } });
      return code;
    });
  }
}
