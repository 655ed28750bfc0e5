import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Batcher, arrayText, SHARING_STATEMENTS, Statements } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { newId } from '../../common/fields/index.js';
import type { ExtensionFacts } from './known-extensions.js';
import { currentDigest, type LicenseFacts, type Presented } from './seat-store.js';

/** A device that asks for a seat, and what it calls itself. */
interface Wanted extends Presented {
  readonly label: string | null;
}

/** A license that a seat of has been taken, as it is with it. */
interface Taken {
  readonly extension: ExtensionFacts;
  readonly license: LicenseFacts;
}

type TakenRow = readonly [
  place: number,
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

/** The migrations `Activation` and `ActivationsTogether` say what it does, and in what order. Devices are seated one after another. */
const TAKE = {
  name: 'seat_devices',
  text: `
    select asked.place, taken.*
      from unnest($1::integer[], $2::uuid[], $3::bytea[], $4::bytea[], $5::text[], $6::uuid[])
             as asked (place, extension_id, digest, device, label, new_seat)
      cross join lateral
           seat_device(asked.extension_id, array[asked.digest], asked.device, asked.label, asked.new_seat, $7) as taken`,
};

/** Gives out seats that nobody needs to give up for it, to all devices that ask at the same time with one commit. */
@Injectable()
export class FreeSeats implements BeforeApplicationShutdown {
  private readonly batcher = new Batcher<Wanted, Taken | null>((all) => this.takeAll(all), SHARING_STATEMENTS);

  constructor(
    private readonly clock: Clock,
    private readonly statements: Statements,
  ) {}

  /**
   * Seats a device in one round trip when `decideActivation` would without ending anybody's seat.
   * @returns null when it would not, when the device has its seat already, or when somebody else is changing the license; nothing has
   *   changed then
   * @throws Overloaded
   */
  take(presented: Presented, label: string | null): Promise<Taken | null> {
    return this.batcher.add({ ...presented, label });
  }

  /** Lets the devices that have asked be answered. */
  beforeApplicationShutdown(): Promise<void> {
    return this.batcher.drain();
  }

  private async takeAll(all: readonly Wanted[]): Promise<readonly (Taken | null)[]> {
    // By code, so that two batches lock licenses in the same order. It is kept under one digest at most.
    const inOrder = all
      .map((wanted, place) => ({ ...wanted, place }))
      .toSorted((one, other) => Buffer.compare(currentDigest(one), currentDigest(other)));
    const asked = inOrder.flatMap(({ digests, ...rest }) => digests.map((digest) => ({ ...rest, digest })));
    const rows = await this.statements.rows<TakenRow>(TAKE, [
      arrayText(asked.map(({ place }) => place)),
      arrayText(asked.map(({ extensionId }) => extensionId)),
      arrayText(asked.map(({ digest }) => digest)),
      arrayText(asked.map(({ device }) => device)),
      arrayText(asked.map(({ label }) => label)),
      arrayText(asked.map(() => newId())),
      this.clock.now(),
    ]);
    const taken: (Taken | null)[] = all.map(() => null);
    for (const [place, ...row] of rows) taken[place] = toTaken(row);
    return taken;
  }
}

function toTaken([
  keyId,
  offlineGraceDays,
  id,
  expiresAt,
  codePepper,
  tier,
  seatIdleDays,
  maxActivations,
  used,
]: TakenRow extends readonly [number, ...infer Rest] ? Rest : never): Taken {
  return {
    extension: { isEnabled: true, offlineGraceDays, keyId },
    license: { id, revokedAt: null, suspendedFor: [], expiresAt, codePepper, tier, maxActivations, used, seatIdleDays },
  };
}
