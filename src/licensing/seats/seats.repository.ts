import { Injectable } from '@nestjs/common';
import { In, IsNull, type Repository } from 'typeorm';
import { arrayText, Transactions } from '../../common/database/index.js';
import { newId } from '../../common/fields/pure.js';
import type { StoredCode } from '../codes/index.js';
import { HEARD_SQL } from '../events/index.js';
import type { LicenseState } from '../licenses/index.js';
import { HEARTBEAT_MS, type SeatFacts, type SeatsTaken } from './activation-rule.js';
import type { ExtensionFacts } from '../plans/index.js';
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

/** Facts about a license that the rules and the answers need. */
export interface LicenseFacts extends LicenseState, SeatsTaken {
  readonly id: string;
  readonly tier: string;
  /** Features of its plan and its own, some perhaps twice. */
  readonly entitlements: readonly string[];
  readonly codePepper: string;
  /** How long it lasts from its first activation on; null when it does not wait for one. */
  readonly duration: string | null;
}

/** A device's seat, with the label that the device gave itself. */
export interface LabelledSeat extends SeatFacts {
  readonly label: string | null;
}

/** Facts in the database for a key. */
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
  /** A device that holds a seat may use the code until then. */
  readonly formerCodeUntil: Date;
}

/** A lookup for a check. */
export interface SeatCheck {
  readonly lookup: SeatLookup;
  /** A heartbeat was due and has been written. */
  readonly heartbeatWritten: boolean;
}

/** A row of LOOKUP_COLUMNS. */
type LookupRow = ExtensionFacts &
  (LicenseColumns | { readonly licenseId: null }) &
  (SeatColumns | { readonly seatId: null });
interface LicenseColumns extends Omit<LicenseFacts, 'id'> {
  readonly licenseId: string;
}
interface SeatColumns extends Omit<LabelledSeat, 'id'> {
  readonly seatId: string;
}

type LoadRow = LookupRow & { readonly place: number; readonly heartbeatWritten: boolean };
type FormerRow = LookupRow & LicenseColumns & { readonly formerCodeUntil: Date };

const LOOKUP_COLUMNS = `
             extension.licensing_enabled and exists (select from plan where extension_id = extension.id) as "isEnabled",
             extension.offline_grace_days as "offlineGraceDays",
             extension.seat_idle_days as "seatIdleDays",
             lease_key.id as "keyId",
             license.id as "licenseId",
             license.revoked_at as "revokedAt",
             license.suspended_for as "suspendedFor",
             license.expires_at as "expiresAt",
             license.duration,
             license.grace_days as "graceDays",
             license.on_end as "onEnd",
             license.code_pepper as "codePepper",
             plan.tier,
             plan.entitlements || license.entitlements as entitlements,
             coalesce(license.max_activations, plan.max_activations) as "maxActivations",
             (select count(*)::int from seat where license_id = license.id and ended_at is null) as used,
             seat.id as "seatId",
             seat.last_seen_at as "lastSeenAt",
             seat.ended_at as "endedAt",
             seat.label`;

/**
 * One statement for many checks, with one commit. It skips a seat that another transaction has locked instead of waiting for it, so
 * that batches never block one another and no device holds up the others. An unknown code and the code of another extension take the
 * same path.
 */
const LOAD = {
  name: 'load_seats',
  text: `
    with asked as materialized (
      select * from unnest((select $1::integer[]), (select $2::uuid[]), (select $3::bytea[]), (select $4::bytea[]))
                      as asked (place, extension_id, digest, device)
    ), found as materialized (
      select asked.place, seat.ctid as at, seat.ended_at is null and seat.last_seen_at <= $6 as is_due,${LOOKUP_COLUMNS}
        from asked
        join extension on extension.id = asked.extension_id
        left join lease_key on lease_key.extension_id = extension.id and lease_key.state = 'current'
        left join license on license.extension_id = extension.id and license.code_digest = asked.digest
        left join plan on plan.id = license.plan_id
        left join seat on seat.license_id = license.id and seat.fingerprint_digest = asked.device
    ), locked as materialized (
      select id, ctid as at from seat
       where ctid = any(array(select at from found where is_due)) and ended_at is null and last_seen_at <= $6
         for no key update skip locked
    ), touched as (
      update seat set last_seen_at = $5 from locked where seat.ctid = locked.at and seat.id = locked.id returning seat.id
    )
    select found.*, touched.id is not null as "heartbeatWritten" from found left join touched on touched.id = found."seatId"`,
};

/** One key; a code has one digest for each pepper. */
const FIND = {
  name: 'find_seat',
  text: `
      select${LOOKUP_COLUMNS}
        from extension
        left join lease_key on lease_key.extension_id = extension.id and lease_key.state = 'current'
        left join license on license.extension_id = extension.id and license.code_digest = any((select $2::bytea[])::bytea[])
        left join plan on plan.id = license.plan_id
        left join seat on seat.license_id = license.id and seat.fingerprint_digest = $3
       where extension.id = $1`,
};

/** One key whose code was replaced; a code that two licenses had counts for the one that had it last. */
const FIND_FORMER = {
  name: 'find_former_code',
  text: `
      select former_code.replaced_at + make_interval(days => extension.replaced_code_days) as "formerCodeUntil",${LOOKUP_COLUMNS}
        from former_code
        join license on license.id = former_code.license_id
        join extension on extension.id = license.extension_id
        left join lease_key on lease_key.extension_id = extension.id and lease_key.state = 'current'
        join plan on plan.id = license.plan_id
        left join seat on seat.license_id = license.id and seat.fingerprint_digest = $3
       where extension.id = $1 and former_code.code_digest = any((select $2::bytea[])::bytea[])
       order by former_code.replaced_at desc
       limit 1`,
};

const LIVE = `
      select id, last_seen_at as "lastSeenAt", ended_at as "endedAt"
        from seat
       where license_id = $1 and ended_at is null`;
const FIND_LIVE = { name: 'find_live_seats', text: LIVE };
const LOCK_LIVE = { name: 'lock_live_seats', text: `${LIVE} order by id for no key update` };

/** Also makes the device's trial a conversion, which saves a statement for the many devices that never had one. */
const SEAT = {
  name: 'seat_device',
  text: `
    with converted as (
      update trial set converted_at = $5, license_id = license.id, updated_at = greatest($5, trial.updated_at + interval '1 ms'),
                       end_told_at = case when trial.ends_at > $5 then $5 else trial.end_told_at end
        from license
       where license.id = $2 and trial.extension_id = license.extension_id and trial.fingerprint_digest = $3 and trial.converted_at is null
      returning trial.id, trial.ends_at > $5 as "wasRunning"
    ), seated as (
      insert into seat (id, license_id, fingerprint_digest, label, first_seen_at, last_seen_at)
      values ($1, $2, $3, $4, $5, $5)
          on conflict (license_id, fingerprint_digest) do update
         set ended_at = null, first_seen_at = $5, last_seen_at = $5, label = coalesce(excluded.label, seat.label)
    )
    select id from converted where "wasRunning"`,
};

const LOCK_LICENSE = {
  name: 'lock_license',
  text: `
      select ${HEARD_SQL} as heard from license where id = $1 for no key update`,
};

/** Every statement on seats. The caller locks the license before it changes who holds a seat; a heartbeat needs no lock. */
@Injectable()
export class SeatsRepository {
  constructor(private readonly tx: Transactions) {}

  /**
   * Loads what many different checks ask for, and writes the heartbeats that are due, outside any transaction.
   * @returns in the order of the keys; null where there is no such extension
   */
  async load(keys: readonly SeatKey[], now: Date): Promise<readonly (SeatCheck | null)[]> {
    // One row for each digest of each key, of which at most one finds a license.
    const lookups = keys.flatMap(({ digests, ...rest }, place) =>
      digests.map((digest) => ({ ...rest, digest, place })),
    );
    const rows = await this.tx.prepared<LoadRow>(LOAD, [
      arrayText(lookups.map(({ place }) => place)),
      arrayText(lookups.map(({ extensionId }) => extensionId)),
      arrayText(lookups.map(({ digest }) => digest)),
      arrayText(lookups.map(({ device }) => device)),
      now,
      heartbeatDueBefore(now),
    ]);
    const rowOf = new Map<number, LoadRow>();
    for (const row of rows) if (row.licenseId !== null || !rowOf.has(row.place)) rowOf.set(row.place, row);
    return keys.map((_, place) => {
      const row = rowOf.get(place);
      return row === undefined ? null : { lookup: toLookup(row), heartbeatWritten: row.heartbeatWritten };
    });
  }

  /** Finds what a key names. @returns null when there is no such extension */
  async find(key: SeatKey): Promise<SeatLookup | null> {
    const [row = null] = await this.tx.prepared<LookupRow>(FIND, [key.extensionId, key.digests, key.device]);
    return row === null ? null : toLookup(row);
  }

  /** Finds what a key names whose code was replaced. @returns null when no license of the extension had it */
  async findFormer(key: SeatKey): Promise<FormerSeatLookup | null> {
    const [row = null] = await this.tx.prepared<FormerRow>(FIND_FORMER, [key.extensionId, key.digests, key.device]);
    return row === null ? null : { ...toLookup(row), license: toLicense(row), formerCodeUntil: row.formerCodeUntil };
  }

  /**
   * Locks a license, if it has not been deleted, and thereby who holds its seats, until the transaction ends.
   * @returns the kinds of notifications that an endpoint of its tenant receives
   */
  async lockLicense(id: string): Promise<readonly string[]> {
    const [row] = await this.tx.prepared<{ readonly heard: readonly string[] }>(LOCK_LICENSE, [id]);
    return row?.heard ?? [];
  }

  /** Finds the live seats of a license. */
  findLive(licenseId: string): Promise<readonly SeatFacts[]> {
    return this.tx.prepared(FIND_LIVE, [licenseId]);
  }

  /** Finds the live seats of a license that is locked, and locks them, so that no heartbeat is written until the transaction ends. */
  findLiveForNoKeyUpdate(licenseId: string): Promise<readonly SeatFacts[]> {
    return this.tx.prepared(LOCK_LIVE, [licenseId]);
  }

  /**
   * Gives a device a seat, or the one back that it had. The license is locked.
   * @param label null keeps the present one
   * @returns the id of the device's trial, if the seat ended it
   */
  async seat(licenseId: string, device: Buffer, label: string | null, now: Date): Promise<string | null> {
    const values = [newId(), licenseId, device, label, now];
    const [trial] = await this.tx.prepared<{ readonly id: string }>(SEAT, values);
    return trial?.id ?? null;
  }

  /** Sets the end of a license whose duration begins, and when something about it is due. The license is locked. */
  async begin(licenseId: string, expiresAt: Date | null, dueAt: Date | null, now: Date): Promise<void> {
    await this.tx.query(
      `update license set expires_at = $2, expiry_event_at = $3, duration = null, updated_at = greatest($4, updated_at + interval '1 ms')
        where id = $1`,
      [licenseId, expiresAt, dueAt, now],
    );
  }

  /** Ends seats. Their license is locked. */
  async end(seatIds: readonly string[], now: Date): Promise<void> {
    await this.rows.update({ id: In([...seatIds]) }, { endedAt: now });
  }

  /** Counts the live seats of a license. */
  countLive(licenseId: string): Promise<number> {
    return this.rows.countBy({ licenseId, endedAt: IsNull() });
  }

  /** Lists the live seats of licenses, the longest held first. */
  listLive(licenseIds: readonly string[]): Promise<readonly SeatEntity[]> {
    return this.rows.find({
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
    const seats = await this.tx.query<{ readonly id: string }>(
      'select id from seat where license_id = $1 and fingerprint_digest = $2',
      [licenseId, device],
    );
    const freed = await this.tx.query(
      'update seat set ended_at = $2 where id = any($1) and ended_at is null returning id',
      [seats.map(({ id }) => id), now],
    );
    return seats.length === 0 ? null : freed.length === 1;
  }

  /** Like `free`, by the id of the seat. */
  async freeById(licenseId: string, seatId: string, now: Date): Promise<boolean | null> {
    const { affected } = await this.rows.update({ id: seatId, licenseId, endedAt: IsNull() }, { endedAt: now });
    if (affected === 1) return true;
    return (await this.rows.existsBy({ id: seatId, licenseId })) ? false : null;
  }

  /** Moves a code to the current pepper, unless another transaction has locked the license; the next use of the code tries again. */
  async rehash(licenseId: string, from: string, stored: Pick<StoredCode, 'codeDigest' | 'codePepper'>): Promise<void> {
    await this.tx.query(
      `update license set code_digest = $3, code_pepper = $4
        where id = (select id from license where id = $1 and code_pepper = $2 for no key update skip locked)`,
      [licenseId, from, stored.codeDigest, stored.codePepper],
    );
  }

  private get rows(): Repository<SeatEntity> {
    return this.tx.repository(SeatEntity);
  }
}

const heartbeatDueBefore = (now: Date): Date => new Date(now.getTime() - HEARTBEAT_MS);

const toLookup = (row: LookupRow): SeatLookup => ({
  extension: { isEnabled: row.isEnabled, offlineGraceDays: row.offlineGraceDays, keyId: row.keyId },
  license: row.licenseId === null ? null : toLicense(row),
  seat:
    row.seatId === null ? null : { id: row.seatId, lastSeenAt: row.lastSeenAt, endedAt: row.endedAt, label: row.label },
});

const toLicense = (row: LicenseColumns): LicenseFacts => ({
  id: row.licenseId,
  revokedAt: row.revokedAt,
  suspendedFor: row.suspendedFor,
  expiresAt: row.expiresAt,
  duration: row.duration,
  graceDays: row.graceDays,
  onEnd: row.onEnd,
  codePepper: row.codePepper,
  tier: row.tier,
  entitlements: row.entitlements,
  maxActivations: row.maxActivations,
  seatIdleDays: row.seatIdleDays,
  used: row.used,
});
