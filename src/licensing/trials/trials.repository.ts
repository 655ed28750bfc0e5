import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { selectList, Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import { heardSql } from '../events/index.js';
import type { ExtensionFacts } from '../plans/index.js';
import { deviceLock } from '../seats/index.js';
import { TrialEntity, type LinkOutcome } from './trial.entity.js';
import { dayOf, NAMED_MS, type TrialState } from './trial-rule.js';

/** A trial without its relations. */
export type TrialRow = Omit<TrialEntity, 'tenant' | 'extension' | 'plan' | 'license'>;

/** The trial that a plan offers. */
export interface TrialOffer {
  readonly planId: string;
  readonly tier: string;
  readonly entitlements: readonly string[];
  readonly days: number;
  readonly needsEmail: boolean;
}

/** Facts in the database about a device of an extension. */
export interface TrialLookup {
  readonly tenantId: string;
  readonly extensionName: string;
  readonly extension: ExtensionFacts;
  readonly offer: TrialOffer | null;
  readonly trial: (Pick<TrialEntity, 'endsAt' | 'convertedAt'> & Pick<TrialOffer, 'tier' | 'entitlements'>) | null;
  readonly isSeated: boolean;
  /** Trials of the extension that have begun on this UTC day. */
  readonly begunToday: number;
  readonly link: { readonly email: string; readonly outcome: LinkOutcome | null; readonly mailedAt: Date } | null;
}

type LookupRow = ExtensionFacts & Omit<TrialLookup, 'extension' | 'trial' | 'link'> & TrialColumns & LinkColumns;
interface TrialColumns {
  readonly trialId: string | null;
  readonly endsAt: Date;
  readonly convertedAt: Date | null;
  readonly tier: string;
  readonly entitlements: readonly string[];
}
interface LinkColumns {
  readonly linkEmail: string | null;
  readonly outcome: LinkOutcome | null;
  readonly mailedAt: Date;
}

const FIND = {
  name: 'find_trial',
  text: `
    select extension.tenant_id as "tenantId", extension.name as "extensionName",
           extension.licensing_enabled and exists (select from plan where extension_id = extension.id) as "isEnabled",
           extension.offline_grace_days as "offlineGraceDays", lease_key.id as "keyId",
           exists (select from seat where fingerprint_digest = $2 and ended_at is null) as "isSeated",
           trial.id as "trialId", trial.ends_at as "endsAt", trial.converted_at as "convertedAt", plan.tier, plan.entitlements,
           case when offer.id is not null then json_build_object('planId', offer.id, 'tier', offer.tier, 'entitlements', offer.entitlements,
             'days', offer.trial_days, 'needsEmail', offer.trial_needs_email) end as offer,
           link.email as "linkEmail", link.outcome, link.created_at as "mailedAt",
           coalesce((select begun from trial_day where extension_id = extension.id and day = $4), 0) as "begunToday"
      from extension
      left join lease_key on lease_key.extension_id = extension.id and lease_key.state = 'current'
      left join trial on trial.extension_id = extension.id and trial.fingerprint_digest = $2
      left join plan on plan.id = trial.plan_id
      left join plan offer on offer.extension_id = extension.id and offer.trial_days is not null
      left join lateral (
             select email, outcome, created_at from trial_link
              where extension_id = extension.id and fingerprint_digest = $2 and expires_at > $3 order by id desc limit 1
           ) link on true
     where extension.id = $1`,
};

/** Whichever of two trials of a device or an address comes first starts; the other waits for it, and then does nothing. */
const START = {
  name: 'start_trial',
  text: `
    insert into trial (id, created_at, updated_at, tenant_id, extension_id, plan_id, fingerprint_digest, label, email, email_digest, started_at, ends_at)
    values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $2, $10)
        on conflict do nothing
    returning ${heardSql('trial.tenant_id')} as heard`,
};

const LOCK_DEVICE = { name: 'lock_trial_device', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' };

const COUNT_BEGUN = {
  name: 'count_begun_trial',
  text: `
    insert into trial_day as counted (extension_id, day, begun) values ($1, $2, 1)
        on conflict (extension_id, day) do update set begun = counted.begun + 1 where counted.begun < $3
    returning begun`,
};

const LISTED_COLUMNS = [
  'id',
  'extensionId',
  'planId',
  'email',
  'label',
  'startedAt',
  'endsAt',
  'convertedAt',
  'licenseId',
  'updatedAt',
] as const satisfies readonly (keyof TrialRow)[];

/** A trial as it is listed. */
export type ListedTrial = Pick<TrialRow, (typeof LISTED_COLUMNS)[number]> & { readonly tier: string };

const LISTED = `select ${selectList('trial', LISTED_COLUMNS)}, plan.tier from trial join plan on plan.id = trial.plan_id`;

/** Each state as a condition on `trial`, as `trialStateOf` decides it at `:now`. */
const STATE_SQL: Readonly<Record<TrialState, string>> = {
  running: 'trial.converted_at is null and trial.ends_at > :now',
  ended: 'trial.converted_at is null and trial.ends_at <= :now',
  converted: 'trial.converted_at is not null',
};

/** Filter of a tenant's trials; an absent field does not filter. */
interface TrialFilter {
  readonly extension?: string | undefined;
  readonly email?: string | undefined;
  readonly state?: TrialState | undefined;
}

/** Counts of trials. */
export interface TrialCounts {
  readonly running: number;
  readonly converted: number;
  readonly ended: number;
  readonly refused: number;
}

/** Trials. The statement that seats a device converts its trial (SeatsRepository). */
@Injectable()
export class TrialsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Finds what is known of a device. @returns null when there is no such extension */
  async find(extensionId: string, device: Buffer, now: Date): Promise<TrialLookup | null> {
    const [row] = await this.tx.prepared<LookupRow>(FIND, [extensionId, device, now, dayOf(now)]);
    return row === undefined ? null : toLookup(row);
  }

  /** Makes requests about the trial of one device, and those that give it a seat, wait for each other until the transaction ends. Raw SQL: an advisory lock. */
  async lockDevice(device: Buffer): Promise<void> {
    await this.tx.prepared(LOCK_DEVICE, [deviceLock(device)]);
  }

  /** Starts a trial, unless device or address have one. @returns the kinds of notifications that somebody receives; null when nothing was started */
  async start(
    row: Pick<
      TrialRow,
      | 'id'
      | 'tenantId'
      | 'extensionId'
      | 'planId'
      | 'fingerprintDigest'
      | 'label'
      | 'email'
      | 'emailDigest'
      | 'startedAt'
      | 'endsAt'
    >,
  ): Promise<readonly string[] | null> {
    const { tenantId, extensionId, planId, fingerprintDigest, label, email, emailDigest, startedAt, endsAt } = row;
    const values = [row.id, startedAt, tenantId, extensionId, planId, fingerprintDigest, label, email, emailDigest];
    const [started] = await this.tx.prepared<{ readonly heard: readonly string[] }>(START, [...values, endsAt]);
    return started?.heard ?? null;
  }

  /** Whether an address has had a trial, by the digests that it may have. */
  async isTaken(extensionId: string, emailDigests: readonly Buffer[]): Promise<boolean> {
    const found = await this.tx.query(
      'select from trial where extension_id = $1 and email_digest = any($2::bytea[]) limit 1',
      [extensionId, emailDigests],
    );
    return found.length > 0;
  }

  /** Counts a trial of an extension that begins on a day. @returns false when that many have begun */
  async countBegun(extensionId: string, day: string, most: number): Promise<boolean> {
    return (await this.tx.prepared(COUNT_BEGUN, [extensionId, day, most])).length === 1;
  }

  /** Counts a request that a limit refused. */
  async countRefused(extensionId: string, day: string): Promise<void> {
    await this.tx.query(
      `insert into trial_day as counted (extension_id, day, refused) select id, $2, 1 from extension where id = $1
           on conflict (extension_id, day) do update set refused = counted.refused + 1`,
      [extensionId, day],
    );
  }

  async findListed(tenantId: string, id: string): Promise<ListedTrial | null> {
    const [row = null] = await this.tx.query<ListedTrial>(`${LISTED} where trial.id = $1 and trial.tenant_id = $2`, [
      id,
      tenantId,
    ]);
    return row;
  }

  /** Lists a tenant's trials: one row more than the page holds, newest first. Raw SQL, as that of licenses. */
  list(
    tenantId: string,
    { extension, email, state }: TrialFilter,
    { limit, after }: PageStart,
    now: Date,
  ): Promise<readonly ListedTrial[]> {
    const values: unknown[] = [];
    const value = (one: unknown): string => `$${values.push(one)}`;
    const conditions = [`trial.tenant_id = ${value(tenantId)}`, `trial.id < ${value(after)}`];
    if (extension !== undefined) conditions.push(`trial.extension_id = ${value(extension)}`);
    if (email !== undefined) conditions.push(`trial.email = ${value(email)}`);
    if (state !== undefined) conditions.push(STATE_SQL[state].replace(':now', () => value(now)));
    const page = `select id from trial where ${conditions.join(' and ')} order by id desc limit ${value(limit + 1)}`;
    return this.tx.query(`${LISTED} where trial.id = any(array(${page})) order by trial.id desc`, values);
  }

  /** Counts a tenant's trials: those that run, and those of a span that ended, were converted or refused. */
  async count(tenantId: string, extension: string | null, since: Date, now: Date): Promise<TrialCounts> {
    const among = (condition: string): string =>
      `(select count(*)::int from trial where tenant_id = $1 and ($2::uuid is null or extension_id = $2) and ${condition})`;
    const [counts] = await this.tx.query<TrialCounts>(
      `select ${among('converted_at is null and ends_at > $4')} as running,
              ${among('converted_at > $3')} as converted,
              ${among('converted_at is null and ends_at > $3 and ends_at <= $4')} as ended,
              (select coalesce(sum(refused), 0)::int from trial_day join extension on extension.id = trial_day.extension_id
                where extension.tenant_id = $1 and ($2::uuid is null or extension.id = $2)
                  and day > ($3::timestamptz at time zone 'UTC')::date) as refused`,
      [tenantId, extension, since, now],
    );
    return counts ?? { running: 0, converted: 0, ended: 0, refused: 0 };
  }

  findForUpdate(tenantId: string, id: string): Promise<TrialEntity | null> {
    return this.rows.findOne({ where: { tenantId, id }, lock: { mode: 'pessimistic_write' } });
  }

  async change(id: string, change: Pick<TrialRow, 'endsAt' | 'endToldAt' | 'updatedAt'>): Promise<void> {
    await this.rows.update({ id }, change);
  }

  async delete(id: string): Promise<void> {
    await this.rows.delete({ id });
  }

  /** Marks ended trials whose end has not been told. @returns their ids. Raw SQL: it leaves out those that another transaction has locked */
  async takeEnded(now: Date, limit: number): Promise<readonly string[]> {
    const ended = await this.tx.query<{ readonly id: string }>(
      `update trial set end_told_at = $1
        where id = any(array(select id from trial where end_told_at is null and ends_at <= $1 order by ends_at limit $2
                              for no key update skip locked))
        returning id`,
      [now, limit],
    );
    return ended.map(({ id }) => id);
  }

  /** Drops addresses and labels of trials that ended long ago. @returns how many had one. Raw SQL: a change that nobody sees, in batches */
  async forgetNames(now: Date, limit: number): Promise<number> {
    const forgotten = await this.tx.query(
      `update trial set email = null, label = null
        where id = any(array(select id from trial where ends_at <= $1 and (email is not null or label is not null) order by ends_at limit $2
                              for no key update skip locked))
        returning id`,
      [new Date(now.getTime() - NAMED_MS), limit],
    );
    return forgotten.length;
  }

  /** Erases who had the trials that became a license, and those of its buyer unless they have another one. @returns their ids */
  async eraseBuyer(tenantId: string, email: string | null, licenseId: string): Promise<readonly string[]> {
    const erased = await this.tx.query<{ readonly id: string }>(
      `update trial set email = null, email_digest = null, label = null
        where tenant_id = $1
          and (license_id = $3
               or email = $2 and not exists (select from license where tenant_id = $1 and buyer_email = $2 and id <> $3))
       returning id`,
      [tenantId, email, licenseId],
    );
    return erased.map(({ id }) => id);
  }

  private get rows(): Repository<TrialEntity> {
    return this.tx.repository(TrialEntity);
  }
}

function toLookup(row: LookupRow): TrialLookup {
  const { tenantId, extensionName, isEnabled, offlineGraceDays, keyId, isSeated, offer, trialId, linkEmail } = row;
  const { endsAt, convertedAt, tier, entitlements, outcome, mailedAt, begunToday } = row;
  return {
    tenantId,
    extensionName,
    extension: { isEnabled, offlineGraceDays, keyId },
    offer,
    isSeated,
    begunToday,
    trial: trialId === null ? null : { endsAt, convertedAt, tier, entitlements },
    link: linkEmail === null ? null : { email: linkEmail, outcome, mailedAt },
  };
}
