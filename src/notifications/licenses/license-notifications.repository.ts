import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { licenseStatusSql } from '../../licensing/index.js';
import type { LicenseEventKind, LicenseEventReason } from '../../licensing/pure.js';
import type { EndpointKind } from '../endpoint.entity.js';

/** A fact to notify of. */
export interface NewLicenseNotification {
  readonly id: string;
  readonly kind: LicenseEventKind;
  readonly licenseId: string;
  readonly reason: LicenseEventReason | null;
  /** What follows the name of the license. */
  readonly words: string;
  readonly onceKey: string | null;
}

/** A delivery that was added, with what a mail of it says. */
export interface AddedDelivery {
  readonly id: string;
  readonly tenantId: string;
  readonly endpointKind: EndpointKind;
  readonly address: string | null;
  readonly kind: LicenseEventKind;
  readonly message: string;
  readonly extensionName: string;
}

/**
 * One statement for all facts of a transaction: what nobody asked for is not written. A delivery's id begins with the time of its notification's, as
 * every UUIDv7 does, and ends as gen_random_uuid() makes it.
 */
const NOTIFY = {
  name: 'notify_of_licenses',
  text: `
    with wanted as materialized (
      select fact.*, license.tenant_id, license.extension_id, extension.name as extension_name, endpoint.id as endpoint_id,
             endpoint.kind as endpoint_kind, endpoint.address,
             'License …' || license.code_hint || ' (' || plan.tier || ') ' || fact.words as message,
             jsonb_build_object(
               'id', license.id, 'planId', plan.id, 'tier', plan.tier, 'status', ${licenseStatusSql('$2::timestamptz')},
               'expiresAt', to_char(license.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
               'seats', jsonb_build_object(
                 'used', (select count(*) from seat where license_id = license.id and ended_at is null),
                 'max', coalesce(license.max_activations, plan.max_activations)),
               'buyerEmail', license.buyer_email, 'codeHint', license.code_hint, 'source', license.source,
               'isTest', license.is_test, 'reason', fact.reason) as license
        from json_to_recordset($1) as fact (id uuid, kind text, "licenseId" uuid, reason text, words text, "onceKey" text)
        join license on license.id = fact."licenseId"
        join plan on plan.id = license.plan_id
        join extension on extension.id = license.extension_id
        join notification_endpoint endpoint
          on endpoint.tenant_id = license.tenant_id and endpoint.enabled and fact.kind = any(endpoint.events)
         and (endpoint.kind = 'webhook' or endpoint.confirmed_at is not null)
         and (endpoint.extension_ids is null or license.extension_id = any(endpoint.extension_ids))
         and (endpoint.plan_ids is null or plan.id = any(endpoint.plan_ids))
         and (endpoint.tiers is null or plan.tier = any(endpoint.tiers))
       order by endpoint.id
         for key share of endpoint
    ), noted as (
      insert into notification (id, created_at, updated_at, tenant_id, kind, message, extension_id, extension_name, license_id, license, once_key)
      select distinct on (id) id, $2::timestamptz, $2, tenant_id, kind, message, extension_id, extension_name, "licenseId", license, "onceKey"
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
    select delivered.id, wanted.tenant_id as "tenantId", wanted.endpoint_kind as "endpointKind", wanted.address, wanted.kind, wanted.message,
           wanted.extension_name as "extensionName"
      from delivered join wanted on wanted.id = delivered.notification_id and wanted.endpoint_id = delivered.endpoint_id`,
};

/** Notifications of what happens to licenses. */
@Injectable()
export class LicenseNotificationsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds the notifications that an endpoint receives, with their deliveries; of those with the same `onceKey` only the first. */
  add(facts: readonly NewLicenseNotification[], now: Date): Promise<readonly AddedDelivery[]> {
    return this.tx.prepared(NOTIFY, [JSON.stringify(facts), now]);
  }

  /** Removes a buyer's address from the notifications of a license. Raw SQL: it changes a member of a value. */
  async eraseBuyer(licenseId: string): Promise<void> {
    await this.tx.query(
      `update notification set license = jsonb_set(license, '{buyerEmail}', 'null') where license_id = $1`,
      [licenseId],
    );
  }
}
