import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { arrayText, Statements, Transactions } from '../../common/database/index.js';
import type { StoredCode } from '../codes/codes.service.js';
import type { LicenseState } from '../licenses/license-status.js';
import { HEARTBEAT_MS, type SeatFacts, type SeatRules } from './activation-rule.js';
import type { ExtensionFacts } from '../plans/extension-cache.js';
import { SeatEntity } from './seat.entity.js';

/** Names one seat, whether or not it exists: the extension, the license's code and the device, as the database stores them. */
export interface SeatKey {
  readonly extensionId: string;
  /** HMAC-SHA-256 of the code under each of CODE_PEPPERS, the current one first. */
  readonly digests: readonly Buffer[];
  /** SHA-256 of extension and fingerprint. */
  readonly device: Buffer;
}

/** The code's digest under the current pepper. */
export function currentDigest({ digests: [current] }: Pick<SeatKey, 'digests'>): Buffer {
  if (current === undefined) throw new Error('CODE_PEPPERS is empty');
  return current;
}

/** What the rules and the answers need to know of a license. */
export interface LicenseFacts extends LicenseState, SeatRules {
  readonly id: string;
  readonly tier: string;
  readonly codePepper: string;
  /** Number of devices that hold a seat. */
  readonly used: number;
}

/** A device's seat, with the label that the device gave itself. */
export interface LabelledSeat extends SeatFacts {
  readonly label: string | null;
}

/** What the database holds for a key. */
export interface SeatLookup {
  readonly extension: ExtensionFacts;
  /** Null when no license of this extension has the code. */
  readonly license: LicenseFacts | null;
  /** The device's seat, live or ended; null when the device never had one. */
  readonly seat: LabelledSeat | null;
}

/** A lookup by a code that was replaced. */
export interface FormerSeatLookup extends SeatLookup {
  readonly license: LicenseFacts;
  /** A device that holds a seat may go on with the code until then. */
  readonly formerCodeUntil: Date;
}

/** A live seat and the device that holds it. */
export interface LiveSeat extends SeatFacts {
  /** The device's digest in hex. */
  readonly device: string;
}

/** A lookup, and every live seat of its license. */
export interface SeatLookupWithLive extends SeatLookup {
  readonly live: readonly LiveSeat[];
}

/** A lookup for a check. */
export interface SeatCheck {
  readonly lookup: SeatLookup;
  /** A heartbeat was due and has been written. */
  readonly heartbeatWritten: boolean;
}

/** A seat that a device is to hold: a new one, or the one that the device held before. */
export interface SeatToWrite {
  readonly id: string;
  readonly licenseId: string;
  readonly device: Buffer;
  readonly label: string | null;
}

/** Each fact and its SQL: a rule that needs another fact adds one line here. */
const FACTS: {
  readonly extension: Readonly<Record<keyof ExtensionFacts, string>>;
  readonly license: Readonly<Record<keyof LicenseFacts, string>>;
  readonly seat: Readonly<Record<keyof LabelledSeat, string>>;
} = {
  extension: {
    isEnabled: 'extension.licensing_enabled and exists (select from plan where extension_id = extension.id)',
    offlineGraceDays: 'extension.offline_grace_days',
    keyId: 'lease_key.id',
  },
  license: {
    id: 'license.id',
    revokedAt: 'license.revoked_at',
    suspendedFor: 'license.suspended_for',
    expiresAt: 'license.expires_at',
    codePepper: 'license.code_pepper',
    tier: 'plan.tier',
    maxActivations: 'coalesce(license.max_activations, plan.max_activations)',
    seatIdleDays: 'extension.seat_idle_days',
    used: '(select count(*)::int from seat where license_id = license.id and ended_at is null)',
  },
  seat: {
    id: 'seat.id',
    lastSeenAt: 'seat.last_seen_at',
    endedAt: 'seat.ended_at',
    label: 'seat.label',
  },
};

const COLUMNS = Object.entries(FACTS).flatMap(([of, facts]) =>
  Object.entries(facts).map(([name, sql]) => ({ of: of as keyof SeatLookup, name, sql, alias: `"${of}.${name}"` })),
);
const SELECTED = COLUMNS.map(({ sql, alias }) => `${sql} as ${alias}`).join(', ');
const ALIASES = COLUMNS.map(({ alias }) => `found.${alias}`).join(', ');

const ASKED = `asked as materialized (
      select * from unnest($1::integer[], $2::uuid[], $3::bytea[], $4::bytea[]) as asked (place, extension_id, digest, device)
    )`;

/** @param joinLicense joins the license that has, or had, the digest */
const fromAsked = (joinLicense: string): string => `
      from asked
      join extension on extension.id = asked.extension_id
      left join lease_key on lease_key.extension_id = extension.id and lease_key.state = 'current'
      ${joinLicense}
      left join plan on plan.id = license.plan_id
      left join seat on seat.license_id = license.id and seat.fingerprint_digest = asked.device`;

/** An unknown code and the code of another extension take the same path. */
const FROM_ASKED = fromAsked(
  'left join license on license.extension_id = extension.id and license.code_digest = asked.digest',
);

/**
 * One statement for many checks, with one commit. It skips a seat that another transaction has locked instead of waiting for it, so
 * that batches never block one another and no device holds up the others.
 */
const LOAD = {
  name: 'load_seats',
  text: `
    with ${ASKED}, found as materialized (
      select asked.place, seat.ctid as at, seat.ended_at is null and seat.last_seen_at <= $6 as is_due, ${SELECTED} ${FROM_ASKED}
    ), held as materialized (
      select id, ctid as at from seat
       where ctid = any(array(select at from found where is_due)) and ended_at is null and last_seen_at <= $6
         for no key update skip locked
    ), touched as (
      update seat set last_seen_at = $5 from held where seat.ctid = held.at and seat.id = held.id returning seat.id
    )
    select found.place, ${ALIASES}, touched.id is not null from found left join touched on touched.id = found."seat.id"`,
};

const FIND = {
  name: 'find_seats',
  text: `
    with ${ASKED}
    select asked.place, ${SELECTED}, (
             select json_agg(json_build_object('id', id, 'lastSeenAt', last_seen_at, 'device', encode(fingerprint_digest, 'hex')))
               from seat where license_id = license.id and ended_at is null
           ) as live ${FROM_ASKED}`,
};

/** As above, for codes that were replaced; one that two licenses had counts for the one that had it last. */
const FIND_FORMER = {
  name: 'find_former_codes',
  text: `
    with ${ASKED}
    select asked.place, ${SELECTED}, former_code.replaced_at + make_interval(days => extension.replaced_code_days)
    ${fromAsked(`join former_code on former_code.code_digest = asked.digest
      join license on license.id = former_code.license_id and license.extension_id = extension.id`)}
     order by former_code.replaced_at desc`,
};

const LOCK = 'select id from license where id = any($1) order by id for no key update';
const LOCKS = {
  wait: { name: 'lock_licenses', text: LOCK },
  skip: { name: 'lock_free_licenses', text: `${LOCK} skip locked` },
};

const RESEAT = {
  name: 'reseat',
  text: `
    with ended as (update seat set ended_at = $1 where id = any($2::uuid[]))
    insert into seat (id, license_id, fingerprint_digest, label, first_seen_at, last_seen_at)
    select id, license_id, device, label, $1, $1
      from unnest($3::uuid[], $4::uuid[], $5::bytea[], $6::text[]) as seated (id, license_id, device, label)
        on conflict (license_id, fingerprint_digest) do update
       set ended_at = null, first_seen_at = $1, last_seen_at = $1, label = coalesce(excluded.label, seat.label)`,
};

type LiveJson = readonly { readonly id: string; readonly lastSeenAt: string; readonly device: string }[] | null;

/**
 * Every statement on seats, in raw SQL: they work on batches, lock in order, or update only what is still as expected.
 * The caller locks the license before it changes who holds a seat; a heartbeat needs no lock.
 */
@Injectable()
export class SeatsRepository {
  constructor(
    private readonly tx: Transactions,
    private readonly statements: Statements,
  ) {}

  /**
   * Loads what many different checks ask for, and writes the heartbeats that are due, outside any transaction.
   * @returns in the order of the keys; null where there is no such extension
   */
  async load(keys: readonly SeatKey[], now: Date): Promise<readonly (SeatCheck | null)[]> {
    const rows = await this.statements.rows(LOAD, [...asked(keys), now, heartbeatDueBefore(now)]);
    return inPlaces(keys, rows, (lookup, heartbeatWritten) => ({
      lookup,
      heartbeatWritten: heartbeatWritten as boolean,
    }));
  }

  /** Finds what the keys name, with the license's live seats, as of now. @returns in the order of the keys; null where there is no such extension */
  async findAll(keys: readonly SeatKey[]): Promise<readonly (SeatLookupWithLive | null)[]> {
    const rows = await this.statements.rows(FIND, asked(keys));
    return inPlaces(keys, rows, (lookup, live) => ({
      ...lookup,
      live: ((live as LiveJson) ?? []).map((seat) => ({
        ...seat,
        lastSeenAt: new Date(seat.lastSeenAt),
        endedAt: null,
      })),
    }));
  }

  /** Finds what one key names. */
  async find(key: SeatKey): Promise<SeatLookup | null> {
    return (await this.findAll([key]))[0] ?? null;
  }

  /** Finds what a key names whose code was replaced. @returns null when no license of the extension had it */
  async findFormer(key: SeatKey): Promise<FormerSeatLookup | null> {
    const [found = null] = inPlaces([key], await this.statements.rows(FIND_FORMER, asked([key])), (lookup, until) => ({
      ...lookup,
      formerCodeUntil: until as Date,
    }));
    return found === null || found.license === null ? null : { ...found, license: found.license };
  }

  /**
   * Locks licenses and thereby who holds their seats, until the transaction ends.
   * @param whenLocked what to do about a license that another transaction has locked
   * @returns the ids of those that are locked now; a license that has been deleted is not among them
   */
  async lockLicenses(ids: readonly string[], whenLocked: 'wait' | 'skip'): Promise<ReadonlySet<string>> {
    const rows = await this.statements.rows<readonly [string]>(LOCKS[whenLocked], [arrayText(ids)]);
    return new Set(rows.map(([id]) => id));
  }

  /** Locks the live seats of licenses that are locked already, so that no heartbeat is written until the transaction ends. */
  async lockLiveSeats(licenseIds: readonly string[]): Promise<void> {
    await this.tx.query(
      'select id from seat where license_id = any($1) and ended_at is null order by id for no key update',
      [arrayText(licenseIds)],
    );
  }

  /** Ends some seats and gives others to their devices, in one statement. Their licenses are locked. */
  async reseat(ended: readonly string[], seated: readonly SeatToWrite[], now: Date): Promise<void> {
    await this.statements.rows(RESEAT, [
      now,
      arrayText(ended),
      arrayText(seated.map(({ id }) => id)),
      arrayText(seated.map(({ licenseId }) => licenseId)),
      arrayText(seated.map(({ device }) => device)),
      arrayText(seated.map(({ label }) => label)),
    ]);
  }

  /** Counts the live seats of a license. */
  countLive(licenseId: string): Promise<number> {
    return this.tx.repository(SeatEntity).countBy({ licenseId, endedAt: IsNull() });
  }

  /** Lists the live seats of licenses, the longest held first. */
  listLive(licenseIds: readonly string[]): Promise<readonly SeatEntity[]> {
    return this.tx.repository(SeatEntity).find({
      where: { licenseId: In([...licenseIds]), endedAt: IsNull() },
      order: { firstSeenAt: 'ASC', id: 'ASC' },
    });
  }

  /** Changes the label of a seat. */
  async rename(seatId: string, label: string): Promise<void> {
    await this.tx.query('update seat set label = $2 where id = $1 and label is distinct from $2', [seatId, label]);
  }

  /**
   * Writes a heartbeat, unless the seat has ended or another request has already written one.
   * @returns false when nothing was written, because the caller's view of the seat is out of date
   */
  async touch(seatId: string, now: Date): Promise<boolean> {
    const written = await this.tx.query(
      'update seat set last_seen_at = $2 where id = $1 and ended_at is null and last_seen_at <= $3 returning id',
      [seatId, now, heartbeatDueBefore(now)],
    );
    return written.length === 1;
  }

  /** Frees a device's seat if it is live. The license is locked. @returns whether it was live; null when the device never had a seat on the license */
  async free(licenseId: string, device: Buffer, now: Date): Promise<boolean | null> {
    const known = await this.tx.query<{ readonly id: string }>(
      'select id from seat where license_id = $1 and fingerprint_digest = $2',
      [licenseId, device],
    );
    const freed = await this.tx.query(
      'update seat set ended_at = $2 where id = any($1) and ended_at is null returning id',
      [known.map(({ id }) => id), now],
    );
    return known.length === 0 ? null : freed.length === 1;
  }

  /** Like `free`, by the id of the seat. */
  async freeById(licenseId: string, seatId: string, now: Date): Promise<boolean | null> {
    const seats = this.tx.repository(SeatEntity);
    const { affected } = await seats.update({ id: seatId, licenseId, endedAt: IsNull() }, { endedAt: now });
    if (affected === 1) return true;
    return (await seats.existsBy({ id: seatId, licenseId })) ? false : null;
  }

  /** Moves a code to the current pepper, unless another transaction has locked the license; the next use of the code tries again. */
  async rehash(licenseId: string, from: string, stored: Pick<StoredCode, 'codeDigest' | 'codePepper'>): Promise<void> {
    await this.tx.query(
      `update license set code_digest = $3, code_pepper = $4
        where id = (select id from license where id = $1 and code_pepper = $2 for no key update skip locked)`,
      [licenseId, from, stored.codeDigest, stored.codePepper],
    );
  }
}

const heartbeatDueBefore = (now: Date): Date => new Date(now.getTime() - HEARTBEAT_MS);

/** The parameters of ASKED: one row for each digest of each key, of which at most one finds a license. */
function asked(keys: readonly SeatKey[]): readonly string[] {
  const all = keys.flatMap(({ digests, ...rest }, place) =>
    (digests.length === 0 ? [Buffer.alloc(0)] : digests).map((digest) => ({ ...rest, digest, place })),
  );
  return [
    arrayText(all.map(({ place }) => place)),
    arrayText(all.map(({ extensionId }) => extensionId)),
    arrayText(all.map(({ digest }) => digest)),
    arrayText(all.map(({ device }) => device)),
  ];
}

/** Gives each key its row, preferring the digest that found a license. @param rows the place, the columns, and one more value */
function inPlaces<Result>(
  keys: readonly SeatKey[],
  rows: readonly (readonly unknown[])[],
  make: (lookup: SeatLookup, more: unknown) => Result,
): readonly (Result | null)[] {
  const rowOf: (readonly unknown[] | undefined)[] = keys.map(() => undefined);
  const idAt = 1 + COLUMNS.findIndex(({ alias }) => alias === '"license.id"');
  for (const row of rows) if (rowOf[Number(row[0])] === undefined || row[idAt] !== null) rowOf[Number(row[0])] = row;
  return rowOf.map((row) => (row === undefined ? null : make(toLookup(row), row.at(-1))));
}

function toLookup(row: readonly unknown[]): SeatLookup {
  const found: Record<keyof SeatLookup, Record<string, unknown>> = { extension: {}, license: {}, seat: {} };
  COLUMNS.forEach(({ of, name }, at) => (found[of][name] = row[at + 1]));
  const { extension, license, seat } = found;
  return {
    extension,
    license: license['id'] === null ? null : license,
    seat: seat['id'] === null ? null : seat,
  } as unknown as SeatLookup;
}
