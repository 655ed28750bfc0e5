import type { ExtensionFacts } from '../plans/index.js';
import type { LicenseState } from '../licenses/index.js';
import type { MemberSeats, SeatFacts, SeatsTaken } from './activation-rule.js';

/** Facts about a license that the rules and the answers need. */
export interface LicenseFacts extends LicenseState, SeatsTaken {
  readonly id: string;
  readonly tier: string;
  /** Features of its plan and its own, some perhaps twice. */
  readonly entitlements: readonly string[];
  /** Of the code that was named. */
  readonly codePepper: string;
  /** How long it lasts from its first activation on; null when it does not wait for one. */
  readonly duration: string | null;
  /** Null when the code is the license's own. */
  readonly member: MemberFacts | null;
  /** The code works on the device alone. */
  readonly isOfDevice: boolean;
}

/** Facts about the member of a license who has the code. */
export interface MemberFacts extends MemberSeats {
  readonly hasJoined: boolean;
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
export type LookupRow = ExtensionFacts &
  (LicenseColumns | { readonly licenseId: null }) &
  Partial<MemberColumns> &
  (SeatColumns | { readonly seatId: null });
interface LicenseColumns extends Omit<LicenseFacts, 'id' | 'member' | 'isOfDevice'> {
  readonly licenseId: string;
}
interface SeatColumns extends Omit<LabelledSeat, 'id' | 'memberId'> {
  readonly seatId: string;
  readonly seatMemberId: string | null;
}
interface MemberColumns {
  readonly memberId: string | null;
  readonly memberPepper: string | null;
  readonly memberUsed: number;
  readonly memberMax: number | null;
  readonly hasJoined: boolean;
  readonly devicePepper: string | null;
}

export type LoadRow = LookupRow & { readonly place: number; readonly heartbeatWritten: boolean };
export type FormerRow = LookupRow & LicenseColumns & Partial<MemberColumns> & { readonly formerCodeUntil: Date };

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
             license.renewal_leeway_hours as "renewalLeewayHours",
             license.on_end as "onEnd",
             license.code_pepper as "codePepper",
             plan.tier,
             plan.entitlements || license.entitlements as entitlements,
             coalesce(license.max_activations, plan.max_activations) as "maxActivations",
             (select count(*)::int from seat where license_id = license.id and ended_at is null) as used,
             seat.id as "seatId",
             seat.last_seen_at as "lastSeenAt",
             seat.ended_at as "endedAt",
             seat.member_id as "seatMemberId",
             seat.label`;

/** Of the member who has a code; the limit is as `teamOf` has it. */
const MEMBER_COLUMNS = `,
             member.id as "memberId",
             member.code_pepper as "memberPepper",
             member.joined_at is not null as "hasJoined",
             coalesce(license.seats_per_member, plan.seats_per_member) as "memberMax",
             (select count(*)::int from seat where member_id = member.id and ended_at is null) as "memberUsed"`;

/** A code that no license has is a member's, or works on the device alone. */
const MEMBER_OR_DEVICE_COLUMNS = `${LOOKUP_COLUMNS}${MEMBER_COLUMNS},
             device_code.code_pepper as "devicePepper"`;
const memberOrDevice = (isDigest: string, device: string): string => `
        left join license_member as member on member.code_digest ${isDigest}
        left join device_code on device_code.code_digest ${isDigest} and device_code.fingerprint_digest = ${device}
        left join license on license.id = coalesce(member.license_id, device_code.license_id) and license.extension_id = extension.id`;

/**
 * One statement for many checks, with one commit. It skips a seat that another transaction has locked instead of waiting for it, so
 * that batches never block one another and no device holds up the others. An unknown code and the code of another extension take the
 * same path.
 */
const load = (name: string, columns: string, licenseOf: string) => ({
  name,
  text: `
    with asked as materialized (
      select * from unnest((select $1::integer[]), (select $2::uuid[]), (select $3::bytea[]), (select $4::bytea[]))
                      as asked (place, extension_id, digest, device)
    ), found as materialized (
      select asked.place, seat.ctid as at, seat.ended_at is null and seat.last_seen_at <= $6 as is_due,${columns}
        from asked
        join extension on extension.id = asked.extension_id
        left join lease_key on lease_key.extension_id = extension.id and lease_key.state = 'current'
        ${licenseOf}
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
});
export const LOAD = {
  license: load(
    'load_seats',
    LOOKUP_COLUMNS,
    'left join license on license.extension_id = extension.id and license.code_digest = asked.digest',
  ),
  member: load('load_seats_of_members', MEMBER_OR_DEVICE_COLUMNS, memberOrDevice('= asked.digest', 'asked.device')),
};

/** Whose code a lookup is by. */
export type CodeOf = keyof typeof LOAD;

/** One key; a code has one digest for each pepper. */
const find = (name: string, columns: string, licenseOf: string) => ({
  name,
  text: `
      select${columns}
        from extension
        left join lease_key on lease_key.extension_id = extension.id and lease_key.state = 'current'
        ${licenseOf}
        left join plan on plan.id = license.plan_id
        left join seat on seat.license_id = license.id and seat.fingerprint_digest = $3
       where extension.id = $1`,
});
export const FIND = find(
  'find_seat',
  LOOKUP_COLUMNS,
  'left join license on license.extension_id = extension.id and license.code_digest = any((select $2::bytea[])::bytea[])',
);
export const FIND_OF_MEMBER = find(
  'find_seat_of_member',
  MEMBER_OR_DEVICE_COLUMNS,
  memberOrDevice('= any((select $2::bytea[])::bytea[])', '$3'),
);

/** One key whose code was replaced; a code that two licenses had counts for the one that had it last. */
export const FIND_FORMER = {
  name: 'find_former_code',
  text: `
      select former_code.replaced_at + make_interval(days => extension.replaced_code_days) as "formerCodeUntil",${LOOKUP_COLUMNS}${MEMBER_COLUMNS}
        from former_code
        left join license_member as member on member.id = former_code.member_id
        join license on license.id = former_code.license_id
        join extension on extension.id = license.extension_id
        left join lease_key on lease_key.extension_id = extension.id and lease_key.state = 'current'
        join plan on plan.id = license.plan_id
        left join seat on seat.license_id = license.id and seat.fingerprint_digest = $3
       where extension.id = $1 and former_code.code_digest = any((select $2::bytea[])::bytea[])
       order by former_code.replaced_at desc
       limit 1`,
};

export const toLookup = (row: LookupRow): SeatLookup => ({
  extension: { isEnabled: row.isEnabled, offlineGraceDays: row.offlineGraceDays, keyId: row.keyId },
  license: row.licenseId === null ? null : toLicense(row),
  seat:
    row.seatId === null
      ? null
      : {
          id: row.seatId,
          lastSeenAt: row.lastSeenAt,
          endedAt: row.endedAt,
          memberId: row.seatMemberId,
          label: row.label,
        },
});

const toMember = ({ memberId, memberUsed = 0, memberMax = null, hasJoined = false }: Partial<MemberColumns>) =>
  memberId == null ? null : { id: memberId, used: memberUsed, max: memberMax, hasJoined };

export const toLicense = (row: LicenseColumns & Partial<MemberColumns>): LicenseFacts => ({
  id: row.licenseId,
  revokedAt: row.revokedAt,
  suspendedFor: row.suspendedFor,
  expiresAt: row.expiresAt,
  duration: row.duration,
  graceDays: row.graceDays,
  renewalLeewayHours: row.renewalLeewayHours,
  onEnd: row.onEnd,
  codePepper: row.memberPepper ?? row.devicePepper ?? row.codePepper,
  tier: row.tier,
  entitlements: row.entitlements,
  maxActivations: row.maxActivations,
  seatIdleDays: row.seatIdleDays,
  used: row.used,
  member: toMember(row),
  isOfDevice: row.devicePepper != null,
});
