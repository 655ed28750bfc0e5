import { Command } from 'commander';
import { action, type Context } from '../context.js';
import { usageFailure } from '../failure.js';
import { extendLicense, updateLicense } from '../licensing/change.js';
import { devicesOf } from '../licensing/devices.js';
import { ENTITLEMENTS, entitlementsOf, METADATA, type EntitlementOptions } from '../licensing/entitlements.js';
import { expiryOf, lengthOf } from '../licensing/expiry.js';
import { findLicense } from '../licensing/licenses.js';
import { nameOf } from '../licensing/line.js';
import { choosePlan, plansOf } from '../licensing/plans.js';
import { TEAM_OPTIONS, teamOf, type TeamOptions } from '../licensing/team.js';
import { day } from '../terminal/words.js';
import { withExamples } from './example.js';

const [MEMBERS, PER_MEMBER] = TEAM_OPTIONS;

interface Changes extends EntitlementOptions, TeamOptions {
  readonly plan?: string;
  readonly expires?: string;
  readonly devices?: string;
  readonly email?: string;
  readonly campaign?: string;
}

/** Changes a license. @param described how a license is named */
export const updateCommand = (described: string): Command =>
  withExamples(
    new Command('update')
      .description('Change the plan of a license, when it expires, its devices, features, address or your own data.')
      .argument('<license>', described)
      .option('-p, --plan <tier>', 'tier or id of another plan of its extension')
      .option('--expires <day>', 'the last day, such as 2027-12-31, a number of days, such as 90d, or never')
      .option('--devices <count>', 'how many devices may use it, or plan for as many as its plan allows')
      .option(...MEMBERS)
      .option(...PER_MEMBER)
      .option(...ENTITLEMENTS)
      .option(...METADATA)
      .option('--email <address>', 'new mail address of the buyer')
      .option('--campaign <name>', 'another campaign; "" for none')
      .action(action(update)),
    'pierhead licenses update 4F7QK --expires 365d',
    'pierhead licenses update ann@example.com --entitlements export,sync',
  );

async function update(context: Context, text: string, options: Changes): Promise<void> {
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

/** Extends a license. @param described how a license is named */
export const extendCommand = (described: string): Command =>
  withExamples(
    new Command('extend')
      .description('Extend a license by a term after its end, or after now if it has ended.')
      .argument('<license>', described)
      .argument('<term>', 'days, months or years, such as 30d, 1m or 1y')
      .action(action(extend)),
    'pierhead licenses extend 4F7QK 1y',
  );

async function extend(context: Context, text: string, term: string): Promise<void> {
  const length = lengthOf(term);
  const service = await context.service();
  const extended = await extendLicense(service, await findLicense(service, text), length);
  context.terminal.result(
    extended,
    () => `${nameOf(extended)} now ends on ${day(extended.expiresAt ?? '', new Date())}.`,
  );
}
