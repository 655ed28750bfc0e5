import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { Statements } from '../../common/database/index.js';
import { newId } from '../../common/ids/ids.js';
import type { ExtensionFacts } from './known-extensions.js';
import type { LicenseFacts, Presented } from './seat-store.js';

type TakenRow = readonly [
  keyId: string | null,
  offlineGraceDays: number,
  licenseId: string,
  expiresAt: Date | null,
  codePepper: string,
  tier: string,
  seatIdleDays: number | null,
  maxActivations: number,
  used: number,
];

/** The migration `Activation` says what it does, and in what order. */
const TAKE = {
  name: 'seat_device',
  text: 'select * from seat_device($1::uuid, $2::bytea[], $3::bytea, $4::text, $5::uuid, $6::timestamptz)',
};

/** Gives out seats that nobody needs to give up for it. */
@Injectable()
export class FreeSeats {
  constructor(
    private readonly clock: Clock,
    private readonly statements: Statements,
  ) {}

  /**
   * Seats a device in one round trip when `decideActivation` would without ending anybody's seat.
   * @returns null when it would not, or when the device has its seat already; nothing has changed then
   */
  async take(
    { extensionId, digests, device }: Presented,
    label: string | null,
  ): Promise<{ readonly extension: ExtensionFacts; readonly license: LicenseFacts } | null> {
    const asked = [extensionId, digests, device, label, newId(), this.clock.now()];
    const [row] = await this.statements.rows<TakenRow>(TAKE, asked);
    if (row === undefined) return null;
    const [keyId, offlineGraceDays, id, expiresAt, codePepper, tier, seatIdleDays, maxActivations, used] = row;
    return {
      extension: { isEnabled: true, offlineGraceDays, keyId },
      license: {
        id,
        revokedAt: null,
        suspendedFor: [],
        expiresAt,
        codePepper,
        tier,
        maxActivations,
        used,
        seatIdleDays,
      },
    };
  }
}
