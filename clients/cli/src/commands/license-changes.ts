import type { Context } from '../context.js';
import { usageFailure } from '../failure.js';
import { extendLicense, updateLicense } from '../licensing/change.js';
import { devicesOf } from '../licensing/devices.js';
import { entitlementsOf, type EntitlementOptions } from '../licensing/entitlements.js';
import { expiryOf, lengthOf } from '../licensing/expiry.js';
import { findLicense } from '../licensing/licenses.js';
import { nameOf } from '../licensing/line.js';
import { choosePlan, plansOf } from '../licensing/plans.js';
import { teamOf, type TeamOptions } from '../licensing/team.js';
import { day } from '../terminal/words.js';

/** What may change on a license. */
interface LicenseChanges extends EntitlementOptions, TeamOptions {
  readonly plan?: string;
  readonly expires?: string;
  readonly devices?: string;
  readonly email?: string;
  readonly campaign?: string;
}

/** Changes a license. */
export async function update(context: Context, text: string, options: LicenseChanges): Promise<void> {
  const { expires, devices, email, plan, campaign } = options;
  const changes = {
    ...(expires === undefined ? {} : { expiresAt: expires === 'never' ? null : expiryOf(expires, new Date()) }),
    ...(devices === undefined ? {} : { maxActivations: devices === 'plan' ? null : devicesOf(devices) }),
    ...(email === undefined ? {} : { buyerEmail: email }),
    ...(campaign === undefined ? {} : { campaign: campaign === '' ? null : campaign }),
    ...entitlementsOf(options),
    ...teamOf(options),
  };
  if (plan === undefined && Object.keys(changes).length === 0)
    throw usageFailure('Name something to change.', 'pierhead licenses update --help lists what there is.');
  const service = await context.service();
  const { id, extensionId } = await findLicense(service, text);
  const moved =
    plan === undefined
      ? {}
      : { planId: choosePlan((await plansOf(context, service, { extension: extensionId })).plans, plan).id };
  const updated = await updateLicense(service, id, { ...changes, ...moved });
  context.terminal.result(updated, () => `Changed ${nameOf(updated)}.`);
}

/** Extends a license. */
export async function extend(context: Context, text: string, term: string): Promise<void> {
  const length = lengthOf(term);
  const service = await context.service();
  const extended = await extendLicense(service, await findLicense(service, text), length);
  context.terminal.result(
    extended,
    () => `${nameOf(extended)} now expires on ${day(extended.expiresAt ?? '', new Date())}.`,
  );
}
