import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Batcher, arrayText, SHARING_STATEMENTS, Statements } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { HEARTBEAT_MS } from './decide.js';
import { KnownExtensions } from './known-extensions.js';
import { COLUMN_NAMES, foundBy, toFound, type Found, type FoundRow, type Presented } from './seat-store.js';

/** One look at what a device presents. */
export interface Look {
  readonly found: Found;
  /** A sign of life of its seat was due, and has been written. */
  readonly isTouched: boolean;
}

type LookRow = readonly [place: number, isTouched: boolean, ...found: unknown[]];

/**
 * Finds what each of many devices presents, and writes the signs of life that are due, with one commit. A seat that somebody else
 * is changing is passed over instead of waited for, so that batches never block one another, nor one device its neighbours.
 */
const LOOK = {
  name: 'look_at_seats',
  text: `
    with asked as materialized (
      select * from unnest($1::integer[], $2::uuid[], $3::bytea[], $4::bytea[]) as asked (place, extension_id, digest, device)
    ), found as materialized (
      select asked.place, seat.ctid as at, seat.ended_at is null and seat.last_seen_at <= $6 as is_due, ${foundBy(
        'asked join extension on extension.id = asked.extension_id',
        'asked.digest',
        'asked.device',
      )}
    ), held as materialized (
      select id, ctid as at from seat
       where ctid = any(array(select at from found where is_due)) and ended_at is null and last_seen_at <= $6
         for no key update skip locked
    ), touched as (
      update seat set last_seen_at = $5 from held where seat.ctid = held.at and seat.id = held.id returning seat.id
    )
    select found.place, touched.id is not null, ${COLUMN_NAMES.map((name) => `found."${name}"`).join(', ')}
      from found left join touched on touched.id = found."seatId"`,
};

/** Looks for all devices that check at the same time, together. */
@Injectable()
export class SeatLooks implements BeforeApplicationShutdown {
  private readonly batcher = new Batcher<Presented, Look | null>((all) => this.lookAtAll(all), SHARING_STATEMENTS);

  constructor(
    private readonly clock: Clock,
    private readonly statements: Statements,
    private readonly known: KnownExtensions,
  ) {}

  /** @returns null when there is no such extension @throws Overloaded */
  look(presented: Presented): Promise<Look | null> {
    return this.batcher.add(presented);
  }

  /** Lets the devices that have asked be answered. */
  beforeApplicationShutdown(): Promise<void> {
    return this.batcher.drain();
  }

  /** Each different one once, in the order of their keys: an UPDATE answers for a row only once. */
  private async lookAtAll(all: readonly Presented[]): Promise<readonly (Look | null)[]> {
    const keys = all.map(keyOf);
    const distinct = new Map(all.map((presented, at) => [keys[at] ?? '', presented]));
    const inOrder = [...distinct].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const looks = await this.lookAt(inOrder.map(([, presented]) => presented));
    const byKey = new Map(inOrder.map(([key], place) => [key, looks[place] ?? null]));
    return keys.map((key) => byKey.get(key) ?? null);
  }

  private async lookAt(all: readonly Presented[]): Promise<readonly (Look | null)[]> {
    // A code may be kept under several digests, one for each pepper: at most one of them finds a license.
    const asked = all.flatMap(({ digests, ...rest }, place) => digests.map((digest) => ({ ...rest, digest, place })));
    const now = this.clock.now();
    const rows = await this.statements.rows<LookRow>(LOOK, [
      arrayText(asked.map(({ place }) => place)),
      arrayText(asked.map(({ extensionId }) => extensionId)),
      arrayText(asked.map(({ digest }) => digest)),
      arrayText(asked.map(({ device }) => device)),
      now,
      new Date(now.getTime() - HEARTBEAT_MS),
    ]);
    const looks: (Look | null)[] = all.map(() => null);
    for (const [place, isTouched, ...columns] of rows) {
      const row: Partial<Record<keyof FoundRow, unknown>> = {};
      COLUMN_NAMES.forEach((name, at) => (row[name] = columns[at]));
      const found = toFound(row as unknown as FoundRow);
      if (found.license !== null || (looks[place] ?? null) === null) looks[place] = { found, isTouched };
    }
    all.forEach(({ extensionId }, place) => this.known.remember(extensionId, looks[place]?.found.extension ?? null));
    return looks;
  }
}

const keyOf = ({ extensionId, digests, device }: Presented): string =>
  `${extensionId} ${digests.map((digest) => digest.toString('latin1')).join('')} ${device.toString('latin1')}`;
