import { Injectable } from '@nestjs/common';
import { type Statement, Transactions } from '../../common/database/index.js';
import { licenseStatusSql } from '../../licensing/index.js';
import type { LicenseEventKind, LicenseEventReason } from '../../licensing/pure.js';
import type { EndpointKind } from '../endpoint.entity.js';

/** A fact to notify of. */
export interface NewLicenseNotification {
  readonly id: string;
  readonly kind: LicenseEventKind;
  /** What it is about: one of these. */
  readonly licenseId?: string;
  readonly trialId?: string;
  readonly reason: LicenseEventReason | null;
  /** What follows the name of the license. */
  readonly words: string;
  readonly onceKey: string | null;
}

/** A delivery that was added, with what a mail of it says. */
export interface AddedDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly tenantId: string;
  readonly endpointKind: EndpointKind;
  readonly address: string | null;
  readonly kind: LicenseEventKind;
  readonly message: string;
  readonly extensionId: string;
  readonly extensionName: string;
  /** Undefined for a trial. */
  readonly licenseId?: string;
}

/** Facts of one kind of subject, and what is kept of the subject, whose row is `about`. */
interface Notifying {
  readonly name: string;
  /** The table, and the member of a fact that has its id; the columns of the notification for the id and for what is kept. */
  readonly table: 'license' | 'trial';
  /** SQL of the subject's name in a message. */
  readonly title: string;
  /** SQL of what is kept. */
  readonly kept: string;
}

const inIso = (time: string): string => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * One statement for all facts of a transaction: what nobody asked for is not written. A delivery's id begins with the time of its notification's, as
 * every UUIDv7 does, and ends as gen_random_uuid() makes it.
 */
const notifying = ({ name, table, title, kept }: Notifying): Statement => ({
  name,
  text: `
    with wanted as materialized (
      select fact.*, ${table}.tenant_id, ${table}.extension_id, extension.name as extension_name, endpoint.id as endpoint_id,
             endpoint.kind as endpoint_kind, endpoint.address, ${title} || ' (' || plan.tier || ') ' || fact.words as message, ${kept} as kept
        from json_to_recordset($1) as fact (id uuid, kind text, "${table}Id" uuid, reason text, words text, "onceKey" text)
        join ${table} on ${table}.id = fact."${table}Id"
        join plan on plan.id = ${table}.plan_id
        join extension on extension.id = ${table}.extension_id
        join notification_endpoint endpoint
          on endpoint.tenant_id = ${table}.tenant_id and endpoint.enabled and fact.kind = any(endpoint.events)
         and (endpoint.kind = 'webhook' or endpoint.confirmed_at is not null)
         and (endpoint.extension_ids is null or ${table}.extension_id = any(endpoint.extension_ids))
         and (endpoint.plan_ids is null or plan.id = any(endpoint.plan_ids))
         and (endpoint.tiers is null or plan.tier = any(endpoint.tiers))
       order by endpoint.id
         for key share of endpoint
    ), noted as (
      insert into notification (id, created_at, updated_at, tenant_id, kind, message, extension_id, extension_name, ${table}_id, ${table}, once_key)
      select distinct on (id) id, $2::timestamptz, $2, tenant_id, kind, message, extension_id, extension_name, "${table}Id", kept, "onceKey"
        from wanted order by id
          on conflict (once_key) do nothing
      returning id
    ), delivered as (
      insert into notification_delivery (id, created_at, updated_at, tenant_id, endpoint_id, notification_id, status, attempts, failures, next_try_at)
      select overlay(gen_random_uuid()::text placing left(id::text, 15) from 1)::uuid, $2, $2, tenant_id, endpoint_id, id, 'waiting', 0, 0,
             case endpoint_kind when 'webhook' then $2 end
        from wanted join noted using (id)
      returning id, endpoint_id, notification_id
    )
    select delivered.id, delivered.endpoint_id as "endpointId", wanted.tenant_id as "tenantId", wanted.endpoint_kind as "endpointKind", wanted.address, wanted.kind, wanted.message,
           wanted.extension_id as "extensionId", wanted.extension_name as "extensionName", wanted."${table}Id"
      from delivered join wanted on wanted.id = delivered.notification_id and wanted.endpoint_id = delivered.endpoint_id`,
});

/** Whether a subscription renews a license, as `renewalOf` decides it. */
const RENEWS = '(license.renewal_leeway_hours is not null and license.expires_at is not null)';

const OF_LICENSES = notifying({
  name: 'notify_of_licenses',
  table: 'license',
  title: "'License …' || license.code_hint",
  kept: `jsonb_build_object(
               'id', license.id, 'planId', plan.id, 'tier', plan.tier, 'status', ${licenseStatusSql('$2::timestamptz')},
               'expiresAt', ${inIso('license.expires_at')}, 'renews', ${RENEWS},
               'renewsAt', case when ${RENEWS} then ${inIso('license.expires_at')} end,
               'seats', jsonb_build_object(
                 'used', (select count(*) from seat where license_id = license.id and ended_at is null),
                 'max', coalesce(license.max_activations, plan.max_activations)),
               'buyerEmail', license.buyer_email, 'codeHint', license.code_hint, 'source', license.source,
               'isTest', license.is_test, 'reason', fact.reason)`,
});

const OF_TRIALS = notifying({
  name: 'notify_of_trials',
  table: 'trial',
  title: "'Trial'",
  kept: `jsonb_build_object(
               'id', trial.id, 'planId', plan.id, 'tier', plan.tier, 'startedAt', ${inIso('trial.started_at')},
               'endsAt', ${inIso('trial.ends_at')}, 'email', trial.email, 'licenseId', trial.license_id, 'reason', fact.reason)`,
});

/** Notifications of what happens to licenses. */
@Injectable()
export class LicenseNotificationsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds the notifications that an endpoint receives, with their deliveries; of those with the same `onceKey` only the first. */
  async add(facts: readonly NewLicenseNotification[], now: Date): Promise<readonly AddedDelivery[]> {
    const isTrial = ({ trialId }: NewLicenseNotification): boolean => trialId !== undefined;
    return [
      ...(await this.addAll(
        OF_LICENSES,
        facts.filter((fact) => !isTrial(fact)),
        now,
      )),
      ...(await this.addAll(OF_TRIALS, facts.filter(isTrial), now)),
    ];
  }

  /** Removes a buyer's address from the notifications of a license. Raw SQL: it changes a member of a value. */
  async eraseBuyer(licenseId: string): Promise<void> {
    await this.tx.query(
      `update notification set license = jsonb_set(license, '{buyerEmail}', 'null') where license_id = $1`,
      [licenseId],
    );
    // A receiver may have answered with what it was sent.
    await this.tx.query(
      `update delivery_attempt set answer = null where answer is not null and delivery_id in (
         select delivery.id from notification_delivery delivery join notification on notification.id = notification_id where license_id = $1)`,
      [licenseId],
    );
  }

  /** Removes the addresses of users from the notifications of trials. Raw SQL, as above. */
  async eraseTrials(trialIds: readonly string[]): Promise<void> {
    if (trialIds.length === 0) return;
    await this.tx.query(
      `update notification set trial = jsonb_set(trial, '{email}', 'null') where trial_id = any($1)`,
      [trialIds],
    );
    await this.tx.query(
      `update delivery_attempt set answer = null where answer is not null and delivery_id in (
         select delivery.id from notification_delivery delivery join notification on notification.id = notification_id where trial_id = any($1))`,
      [trialIds],
    );
  }

  private addAll(
    statement: Statement,
    facts: readonly NewLicenseNotification[],
    now: Date,
  ): Promise<readonly AddedDelivery[]> {
    return facts.length === 0 ? Promise.resolve([]) : this.tx.prepared(statement, [JSON.stringify(facts), now]);
  }
}
