import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { newId } from '../../common/fields/index.js';
import type { Standing, Suspension } from '../licenses/license-status.js';
import { HEARTBEAT_MS, type SeatFacts, type SeatRules } from './decide.js';
import { KnownExtensions, type ExtensionFacts } from './known-extensions.js';

/** What a device presents: what its code and its fingerprint are kept as. */
export interface Presented {
  readonly extensionId: string;
  /** Every digest that the code may be kept under. */
  readonly digests: readonly Buffer[];
  readonly device: Buffer;
}

/** The digest under the current pepper. */
export function currentDigest({ digests: [current] }: Pick<Presented, 'digests'>): Buffer {
  if (current === undefined) throw new Error('There is always a current pepper');
  return current;
}

/** A license as a device meets it. */
export interface LicenseFacts extends Standing, SeatRules {
  readonly id: string;
  readonly tier: string;
  readonly codePepper: string;
  /** Seats held. */
  readonly used: number;
}

/** What is known of what a device presents. */
export interface Found {
  readonly extension: ExtensionFacts;
  /** Null when the code is none of this extension's: unknown, or another's. */
  readonly license: LicenseFacts | null;
  /** The seat of this device, also one that has ended. */
  readonly seat: SeatFacts | null;
}

/** A seat with the mark of whose it is. */
export interface KnownSeat extends SeatFacts {
  readonly isOwn: boolean;
}

export interface FoundRow {
  readonly isEnabled: boolean;
  readonly seatIdleDays: number | null;
  readonly offlineGraceDays: number;
  readonly keyId: string | null;
  readonly licenseId: string | null;
  readonly revokedAt: Date | null;
  readonly suspendedFor: readonly Suspension[];
  readonly expiresAt: Date | null;
  readonly codePepper: string;
  readonly tier: string;
  readonly maxActivations: number;
  readonly used: number;
  readonly seatId: string | null;
  readonly lastSeenAt: Date;
  readonly endedAt: Date | null;
}

/** What is found, by the names of FoundRow. */
const COLUMNS: Readonly<Record<keyof FoundRow, string>> = {
  isEnabled: 'extension.licensing_enabled and exists (select from plan where extension_id = extension.id)',
  seatIdleDays: 'extension.seat_idle_days',
  offlineGraceDays: 'extension.offline_grace_days',
  keyId: 'lease_key.id',
  licenseId: 'license.id',
  revokedAt: 'license.revoked_at',
  suspendedFor: 'license.suspended_for',
  expiresAt: 'license.expires_at',
  codePepper: 'license.code_pepper',
  tier: 'plan.tier',
  maxActivations: 'coalesce(license.max_activations, plan.max_activations)',
  used: '(select count(*)::int from seat where license_id = license.id and ended_at is null)',
  seatId: 'seat.id',
  lastSeenAt: 'seat.last_seen_at',
  endedAt: 'seat.ended_at',
};

/** The columns of a FoundRow in the order in which they are selected. */
export const COLUMN_NAMES = Object.keys(COLUMNS) as readonly (keyof FoundRow)[];

/**
 * SQL of all that a check must know, without its `select`; a code of another extension is not found by the same path as an unknown one.
 * @param from where the extension comes from
 */
export const foundBy = (from: string, digest: string, device: string): string => `
         ${COLUMN_NAMES.map((name) => `${COLUMNS[name]} as "${name}"`).join(', ')}
    from ${from}
    left join lease_key on lease_key.extension_id = extension.id and lease_key.state = 'current'
    left join license on license.extension_id = extension.id and license.code_digest = ${digest}
    left join plan on plan.id = license.plan_id
    left join seat on seat.license_id = license.id and seat.fingerprint_digest = ${device}`;

const FIND = `select ${foundBy('extension', 'any($2::bytea[])', '$3')} where extension.id = $1`;

/** Reads and writes seats. Whoever changes who holds one has locked the license; a heartbeat needs no lock. */
@Injectable()
export class SeatStore {
  constructor(
    private readonly tx: Transactions,
    private readonly known: KnownExtensions,
  ) {}

  /** @returns null when there is no such extension */
  async find({ extensionId, digests, device }: Presented): Promise<Found | null> {
    const [row] = await this.tx.query<FoundRow>(FIND, [extensionId, digests, device]);
    const found = row === undefined ? null : toFound(row);
    this.known.remember(extensionId, found?.extension ?? null);
    return found;
  }

  /** Lets nobody else change the license or who holds its seats, until the transaction ends. @returns whether it is still there */
  async lock(licenseId: string): Promise<boolean> {
    return (await this.tx.query('select id from license where id = $1 for update', [licenseId])).length === 1;
  }

  /** Every seat that is held, and that of this device, held or not. With `for update` no heartbeat comes between, either. */
  async seatsOf(licenseId: string, device: Buffer, lock: '' | 'for update' = ''): Promise<readonly KnownSeat[]> {
    return this.tx.query<KnownSeat>(
      `select id, last_seen_at as "lastSeenAt", ended_at as "endedAt", fingerprint_digest = $2 as "isOwn" from seat
        where license_id = $1 and (ended_at is null or fingerprint_digest = $2) order by id ${lock}`,
      [licenseId, device],
    );
  }

  async count(licenseId: string): Promise<number> {
    const [row] = await this.tx.query<{ readonly used: number }>(
      'select count(*)::int as used from seat where license_id = $1 and ended_at is null',
      [licenseId],
    );
    return row?.used ?? 0;
  }

  async add(licenseId: string, device: Buffer, label: string | null, now: Date): Promise<void> {
    await this.tx.query(
      `insert into seat (id, license_id, fingerprint_digest, label, first_seen_at, last_seen_at)
       values ($1, $2, $3, $4, $5, $5)`,
      [newId(), licenseId, device, label, now],
    );
  }

  /** Gives a device the seat back that it once had. */
  async revive(seatId: string, label: string | null, now: Date): Promise<void> {
    await this.tx.query(
      `update seat set ended_at = null, first_seen_at = $3, last_seen_at = $3, label = coalesce($2, label) where id = $1`,
      [seatId, label, now],
    );
  }

  /** Writes what a device says about itself when it activates again. */
  async rename(seatId: string, label: string): Promise<void> {
    await this.tx.query('update seat set label = $2 where id = $1 and label is distinct from $2', [seatId, label]);
  }

  async end(seatIds: readonly string[], now: Date): Promise<void> {
    await this.tx.query('update seat set ended_at = $2 where id = any($1) and ended_at is null', [seatIds, now]);
  }

  /**
   * Writes a sign of life, unless one was written meanwhile or the seat has ended.
   * @returns false when it was not written: what was known of the seat is no longer true
   */
  async touch(seatId: string, now: Date): Promise<boolean> {
    const written = await this.tx.query(
      'update seat set last_seen_at = $2 where id = $1 and ended_at is null and last_seen_at <= $3 returning id',
      [seatId, now, new Date(now.getTime() - HEARTBEAT_MS)],
    );
    return written.length === 1;
  }

  /** Ends the seat of a device, if it holds one. @returns whether it ever did */
  async release(licenseId: string, device: Buffer, now: Date): Promise<boolean> {
    const known = await this.tx.query<{ readonly id: string }>(
      'select id from seat where license_id = $1 and fingerprint_digest = $2',
      [licenseId, device],
    );
    await this.end(
      known.map(({ id }) => id),
      now,
    );
    return known.length === 1;
  }

  /** Moves a code to the current pepper, if nobody else is changing the license just now: the next use of the code is soon enough. */
  async rehash(
    licenseId: string,
    from: string,
    kept: { readonly codeDigest: Buffer; readonly codePepper: string },
  ): Promise<void> {
    await this.tx.query(
      `update license set code_digest = $3, code_pepper = $4
        where id = (select id from license where id = $1 and code_pepper = $2 for no key update skip locked)`,
      [licenseId, from, kept.codeDigest, kept.codePepper],
    );
  }
}

/** What a row says. */
export function toFound(row: FoundRow): Found {
  const { isEnabled, offlineGraceDays, keyId, seatIdleDays, licenseId, seatId } = row;
  const { revokedAt, suspendedFor, expiresAt, codePepper, tier, maxActivations, used } = row;
  return {
    extension: { isEnabled, offlineGraceDays, keyId },
    license:
      licenseId === null
        ? null
        : { id: licenseId, revokedAt, suspendedFor, expiresAt, codePepper, tier, maxActivations, used, seatIdleDays },
    seat: seatId === null ? null : { id: seatId, lastSeenAt: row.lastSeenAt, endedAt: row.endedAt },
  };
}
