import { Injectable } from '@nestjs/common';
import { In, IsNull, type Repository } from 'typeorm';
import { arrayText, Transactions } from '../../common/database/index.js';
import { newId } from '../../common/fields/pure.js';
import type { StoredCode } from '../codes/index.js';
import { HEARD_SQL } from '../events/index.js';
import { deviceLock } from './devices/fingerprint.js';
import { HEARTBEAT_MS, type SeatFacts } from './activation-rule.js';
import {
  FIND,
  FIND_FORMER,
  FIND_OF_MEMBER,
  LOAD,
  toLicense,
  toLookup,
  type CodeOf,
  type FormerRow,
  type FormerSeatLookup,
  type LicenseFacts,
  type LoadRow,
  type LookupRow,
  type MemberFacts,
  type SeatCheck,
  type SeatLookup,
} from './seat-lookup.js';
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

const LIVE = `
      select id, last_seen_at as "lastSeenAt", ended_at as "endedAt", member_id as "memberId"
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
      insert into seat (id, license_id, fingerprint_digest, label, first_seen_at, last_seen_at, member_id)
      values ($1, $2, $3, $4, $5, $5, $6)
          on conflict (license_id, fingerprint_digest) do update
         set ended_at = null, member_id = $6, first_seen_at = $5, last_seen_at = $5, label = coalesce(excluded.label, seat.label)
    )
    select id from converted where "wasRunning"`,
};

const LOCK_LICENSE = {
  name: 'lock_license',
  text: `
      select ${HEARD_SQL} as heard from license where id = $1 for no key update`,
};

/** Locks the device as well, in one statement, since devices that take a seat are many. */
const LOCK_FOR_SEAT = {
  name: 'lock_license_for_seat',
  text: `
      select ${HEARD_SQL} as heard, pg_advisory_xact_lock(hashtextextended($2, 0)) from license where id = $1 for no key update`,
};

/** Every statement on seats. The caller locks the license before it changes who holds a seat; a heartbeat needs no lock. */
@Injectable()
export class SeatsRepository {
  constructor(private readonly tx: Transactions) {}

  /**
   * Loads what many different checks ask for, and writes the heartbeats that are due, outside any transaction.
   * @returns in the order of the keys; null where there is no such extension
   */
  async load(keys: readonly SeatKey[], by: CodeOf, now: Date): Promise<readonly (SeatCheck | null)[]> {
    // One row for each digest of each key, of which at most one finds a license.
    const lookups = keys.flatMap(({ digests, ...rest }, place) =>
      digests.map((digest) => ({ ...rest, digest, place })),
    );
    const rows = await this.tx.prepared<LoadRow>(LOAD[by], [
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

  /** Finds what a key names: a code of a license, or else of a member or of the device. @returns null when there is no such extension */
  async find(key: SeatKey): Promise<SeatLookup | null> {
    const values = [key.extensionId, key.digests, key.device];
    const [row = null] = await this.tx.prepared<LookupRow>(FIND, values);
    if (row === null || row.licenseId !== null || key.digests.length === 0) return row === null ? null : toLookup(row);
    const [ofMember = row] = await this.tx.prepared<LookupRow>(FIND_OF_MEMBER, values);
    return toLookup(ofMember);
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

  /** Like `lockLicense`, and makes a request about the trial of a device wait, which is to take a seat. Raw SQL: an advisory lock. */
  async lockForSeat(id: string, device: Buffer): Promise<readonly string[]> {
    const [row] = await this.tx.prepared<{ readonly heard: readonly string[] }>(LOCK_FOR_SEAT, [
      id,
      deviceLock(device),
    ]);
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
  async seat({ id, member }: LicenseFacts, device: Buffer, label: string | null, now: Date): Promise<string | null> {
    const values = [newId(), id, device, label, now, member?.id ?? null];
    const [trial] = await this.tx.prepared<{ readonly id: string }>(SEAT, values);
    if (member !== null && !member.hasJoined)
      await this.tx.query('update license_member set joined_at = $2 where id = $1', [member.id, now]);
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

  /** Counts the live seats of a license, or of one of its members. */
  countLive(of: { readonly licenseId: string } | { readonly memberId: string }): Promise<number> {
    return this.rows.countBy({ ...of, endedAt: IsNull() });
  }

  /** Ends the live seats of a member who leaves, and forgets whose any of them were. The license is locked. @returns their number */
  async endOfMember(memberId: string, now: Date): Promise<number> {
    const live = await this.tx.query<{ readonly isLive: boolean }>(
      `update seat set ended_at = coalesce(seat.ended_at, $2), label = null, member_id = null
         from (select id, ended_at is null as is_live from seat where member_id = $1 for no key update) own
        where seat.id = own.id returning is_live as "isLive"`,
      [memberId, now],
    );
    return live.filter(({ isLive }) => isLive).length;
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

  /** Frees a device's seat if it is live. The license is locked. @param by whose code seated it; absent for anyone's @returns whether it was live; null when the device never had such a seat on the license */
  async free(licenseId: string, device: Buffer, now: Date, by?: MemberFacts | null): Promise<boolean | null> {
    const seats = await this.tx.query<{ readonly id: string }>(
      'select id from seat where license_id = $1 and fingerprint_digest = $2 and ($3 or member_id is not distinct from $4)',
      [licenseId, device, by === undefined, by?.id ?? null],
    );
    const freed = await this.tx.query(
      'update seat set ended_at = $2 where id = any($1) and ended_at is null returning id',
      [seats.map(({ id }) => id), now],
    );
    return seats.length === 0 ? null : freed.length === 1;
  }

  /** Like `free`, by the id of the seat. */
  async freeById(
    of: { readonly licenseId: string; readonly memberId?: string },
    seatId: string,
    now: Date,
  ): Promise<boolean | null> {
    const { affected } = await this.rows.update({ id: seatId, ...of, endedAt: IsNull() }, { endedAt: now });
    if (affected === 1) return true;
    return (await this.rows.existsBy({ id: seatId, ...of })) ? false : null;
  }

  /** Moves a code to the current pepper, unless another transaction has locked its row; the next use of the code tries again. */
  async rehash(
    { id, member, isOfDevice, codePepper }: LicenseFacts,
    device: Buffer,
    stored: Pick<StoredCode, 'codeDigest' | 'codePepper'>,
  ): Promise<void> {
    const values = [member?.id ?? id, codePepper, stored.codeDigest, stored.codePepper];
    if (isOfDevice) {
      const own = 'license_id = $1 and fingerprint_digest = $5 and code_pepper = $2';
      await this.tx.query(`update device_code set code_digest = $3, code_pepper = $4 where ${own}`, [
        ...values,
        device,
      ]);
      return;
    }
    const table = member === null ? 'license' : 'license_member';
    await this.tx.query(
      `update ${table} set code_digest = $3, code_pepper = $4
        where id = (select id from ${table} where id = $1 and code_pepper = $2 for no key update skip locked)`,
      values,
    );
  }

  private get rows(): Repository<SeatEntity> {
    return this.tx.repository(SeatEntity);
  }
}

const heartbeatDueBefore = (now: Date): Date => new Date(now.getTime() - HEARTBEAT_MS);
