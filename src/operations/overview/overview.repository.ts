import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { firstId, type PageStart } from '../../common/fields/index.js';
import { DAY_MS } from '../../common/system/index.js';
import type { ProcessorId } from '../../payments/index.js';
import type { StoreId } from '../../stores/index.js';
import { isYours, PHASES, type Phase } from '../../targets/index.js';
import { JOINED_USERS } from './joined-users.js';
import type { ApprovalFact, TargetFact, Waiting, TrialFact } from './needs/needs.js';

/** An extension and one of its targets; for an extension without targets, all but the first three are null. */
export type PlaceRow = readonly [
  extensionId: string,
  name: string,
  activeInstalls: number | null,
  targetId: string | null,
  store: StoreId,
  channel: string,
  phase: Phase,
  phaseSince: Date | null,
  liveVersion: string | null,
  submittedVersion: string | null,
  desiredVersion: string | null,
  rolloutPercent: number | null,
  offeredPercent: number | null,
  offeredSince: Date | null,
  liveByPierhead: boolean,
  users: number | null,
  paused: boolean,
  isReleasedByHand: boolean,
  isReleaseRequested: boolean,
  approval: 'waiting' | 'rejected' | null,
];

const PLACES = {
  name: 'overview_places',
  text: `
    with page as (
      select id, name from extension
       where tenant_id = $1 and id < $2 and ($3::uuid[] is null or id = any($3)) order by id desc limit $4
    )
    select page.id, page.name, stat_total.active::float8, target.id, target.store, target.channel, status.phase,
           status.phase_since, status.live_version, status.submitted_version, status.desired_version,
           target.rollout_percent, status.offered_percent, status.offered_since, status.live_by_pierhead, users.amount,
           target.paused, target.release_mode = 'manual', coalesce(status.release_requested = status.desired_version, false), status.approval
      from page
      left join stat_total on stat_total.extension_id = page.id and stat_total.day = $5::date
      left join target on target.extension_id = page.id
      left join target_status status on status.target_id = target.id ${JOINED_USERS}
     order by page.id desc, target.id`,
};

/** Facts of a target that may need attention; `needsOf` decides whether it does. */
export type TargetRow = Omit<TargetFact, 'storeTitle' | 'dashboard'> & {
  readonly storeItemId: string | null;
  readonly crxId: string | null;
  readonly channel: string;
  readonly account: string | null;
};

/** Only enabled targets can need attention. The last notification about a target says whether its credential was refused. */
const TARGETS_IN_NEED = {
  name: 'overview_targets_in_need',
  text: `
    select target.id as "targetId", extension.id as "extensionId", extension.name as "extensionName", target.store,
           target.store_item_id as "storeItemId", target.crx_id as "crxId", target.channel, credential.account,
           status.phase, status.phase_since as since, status.message, status.desired_version as version, status.refusable, status.approval,
           status.stall_notified_at is not null as "isStalled", target.release_mode = 'manual' as "isReleasedByHand",
           coalesce(status.release_requested = status.desired_version, false) as "isReleaseRequested", target.credential_id as "credentialId",
           status.phase = 'action_required' and coalesce((
             select kind = 'credential_failing' from notification where target_id = target.id order by id desc limit 1
           ), false) as "isCredentialRefused"
      from target
      join target_status status on status.target_id = target.id
      join extension on extension.id = target.extension_id
      left join credential on credential.id = target.credential_id
     where target.tenant_id = $1 and target.enabled and ($2::uuid[] is null or extension.id = any($2))
       and (status.phase = any($4)
            or (status.phase = 'approved' and target.release_mode = 'manual') or status.stall_notified_at is not null)
     order by status.phase_since nulls first limit $3`,
};

/** A request for an approval that waits, and whose it is. */
export type ApprovalRow = Omit<ApprovalFact, 'isYours'> & { readonly requestedById: string | null };

const APPROVALS_IN_NEED = {
  name: 'overview_approvals_in_need',
  text: `
    select approval.id as "approvalId", extension.id as "extensionId", extension.name as "extensionName", approval.version,
           nullif(split_part(approval.scope, ':', 1), 'any') as store, approval.requested_by as "requestedBy", approval.requested_by_id as "requestedById",
           approval.created_at as since
      from approval join extension on extension.id = approval.extension_id
     where approval.state = 'waiting' and extension.tenant_id = $1 and ($2::uuid[] is null or extension.id = any($2))
     order by approval.created_at limit $3`,
};

/** A credential that may need attention. */
export interface CredentialRow {
  readonly credentialId: string;
  readonly provider: StoreId | ProcessorId;
  readonly label: string | null;
  readonly expiresAt: Date | null;
  readonly acceptsTests: boolean;
}

const CREDENTIALS_IN_NEED = {
  name: 'overview_credentials_in_need',
  text: `
    select id as "credentialId", store as provider, label, expires_at as "expiresAt", accepts_tests as "acceptsTests"
      from credential where tenant_id = $1 and (expires_at <= $2 or accepts_tests) order by expires_at, id limit $3`,
};

const TRIALS_IN_NEED = {
  name: 'overview_trials_in_need',
  text: `
    select extension.id as "extensionId", extension.name as "extensionName", counted.begun, counted.refused
      from trial_day counted join extension on extension.id = counted.extension_id
     where extension.tenant_id = $1 and ($2::uuid[] is null or extension.id = any($2))
       and counted.day = ($3::timestamptz at time zone 'UTC')::date and (2 * counted.begun >= $4 or counted.refused > 0)
     order by extension.id`,
};

/** Sales, codes and notifications that wait, each counted up to a limit, since a queue may be very long. A sale may have several notifications. */
const WAITING = {
  name: 'overview_waiting',
  text: `
    select (select json_build_object('count', count(distinct coalesce(purchase_id, id)), 'since', min(created_at)) from (
              select id, purchase_id, created_at from inbox_item where $2 and tenant_id = $1 and status in ('unmapped', 'waiting') limit $4
            ) sale) as sales,
           (select json_build_object('count', count(*), 'since', min(updated_at)) from (
              select updated_at from license where $2 and tenant_id = $1 and delivery = 'undelivered' limit $4
            ) code) as codes,
           (select json_build_object('count', count(*), 'since', min(created_at)) from (
              select created_at from notification_delivery
               where $3 and tenant_id = $1 and status = 'given_up' and id >= $5 limit $4
            ) delivery) as notifications`,
};

type Counted = Readonly<
  Record<'sales' | 'codes' | 'notifications', { readonly count: number; readonly since: string | null }>
>;

/** A notification that was given up longer ago no longer needs attention. */
const GIVEN_UP_WITHIN_MS = 7 * DAY_MS;
const MAX_COUNTED = 1000;

/** Reads the overview. Raw SQL: each statement reads the tables of several folders. */
@Injectable()
export class OverviewRepository {
  constructor(private readonly tx: Transactions) {}

  /** Returns the targets of a page of extensions, and of one extension more. @param day whose active installs to return, such as 2030-01-31 */
  places(
    tenantId: string,
    only: readonly string[] | null,
    { limit, after }: PageStart,
    day: string,
  ): Promise<readonly PlaceRow[]> {
    return this.tx.preparedArrays(PLACES, [tenantId, after, only, limit + 1, day]);
  }

  targetsInNeed(tenantId: string, only: readonly string[] | null, most: number): Promise<readonly TargetRow[]> {
    return this.tx.prepared(TARGETS_IN_NEED, [tenantId, only, most, PHASES.filter(isYours)]);
  }

  /** Returns the versions that wait for an approval, oldest first. */
  approvalsInNeed(tenantId: string, only: readonly string[] | null, most: number): Promise<readonly ApprovalRow[]> {
    return this.tx.prepared(APPROVALS_IN_NEED, [tenantId, only, most]);
  }

  /** Returns the credentials that expire before a time, or accept the test mode; first to expire first. */
  credentialsInNeed(tenantId: string, until: Date, most: number): Promise<readonly CredentialRow[]> {
    return this.tx.prepared(CREDENTIALS_IN_NEED, [tenantId, until, most]);
  }

  /** Returns the extensions of whose trials half of the day's number has begun, or one was refused. */
  trialsInNeed(
    tenantId: string,
    extensionIds: readonly string[] | null,
    now: Date,
    most: number,
  ): Promise<readonly TrialFact[]> {
    return this.tx.prepared(TRIALS_IN_NEED, [tenantId, extensionIds, now, most]);
  }

  /** Counts what waits; a kind that is not requested counts as zero. */
  async waiting(
    tenantId: string,
    of: { readonly sales: boolean; readonly notifications: boolean },
    now: Date,
  ): Promise<Readonly<Record<keyof Counted, Waiting>>> {
    const recent = firstId(new Date(Math.min(Date.now(), now.getTime()) - GIVEN_UP_WITHIN_MS));
    const values = [tenantId, of.sales, of.notifications, MAX_COUNTED, recent];
    const [found] = await this.tx.prepared<Counted>(WAITING, values);
    if (found === undefined) throw new Error('Counting always answers');
    const { sales, codes, notifications } = found;
    return { sales: dated(sales), codes: dated(codes), notifications: dated(notifications) };
  }
}

const dated = ({ count, since }: Counted['sales']): Waiting => ({
  count,
  since: since === null ? null : new Date(since),
});
