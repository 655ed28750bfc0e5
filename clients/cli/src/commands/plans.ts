import { Command } from 'commander';
import { answer, type Schema } from '../api/service.js';
import { action, type Context } from '../context.js';
import { usageFailure } from '../failure.js';
import { devicesOf } from '../licensing/devices.js';
import { ENTITLEMENTS, entitlementsOf, METADATA, type EntitlementOptions } from '../licensing/entitlements.js';
import { TERM_OPTIONS, termsInWords, termsOf, type TermOptions } from '../licensing/plan-terms.js';
import { trialDaysOf } from '../licensing/trials.js';
import { choosePlan, plansOf, planTable, type Plan } from '../licensing/plans.js';
import { TEAM_OPTIONS, teamOf, type TeamOptions } from '../licensing/team.js';
import { findExtension } from '../publishing/extensions.js';
import { confirmed } from '../terminal/confirmed.js';
import { list } from '../terminal/words.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

const PLAN = 'tier or id of the plan';
const TRIAL = ['--trial <days>', 'how long a device may use it without a license, such as 14d, or none'] as const;
const TRIAL_EMAIL = ['--trial-email', 'trials need an address, which is confirmed by a link'] as const;

interface OfExtension {
  readonly extension?: string;
}
interface Changes extends OfExtension, EntitlementOptions, TermOptions, TeamOptions {
  readonly devices?: string;
  readonly trial?: string;
  readonly trialEmail?: boolean;
}

/** Plans: the tiers that an extension is sold in. */
export const plansCommand = (): Command =>
  [listing, create, update, remove].reduce(
    (group, subcommand) => group.addCommand(subcommand()),
    withExamples(
      new Command('plans').description('List, create and change the plans that an extension is sold in.'),
      'pierhead plans create pro --devices 3',
    ),
  );

const said = (plan: Plan, name: string): string => {
  const { tier, maxActivations, maxMembers, trialDays, trialNeedsEmail, entitlements } = plan;
  const parts = [
    `${tier} of ${name}: ${maxActivations} ${maxActivations === 1 ? 'device' : 'devices'} for each license`,
    ...termsInWords(plan),
    ...(maxMembers === null ? [] : [`for a team of up to ${maxMembers} besides the buyer`]),
    ...(trialDays === null
      ? []
      : [`with a trial of ${trialText(trialDays)}${trialNeedsEmail ? ' for an address' : ''}`]),
    ...(entitlements.length === 0 ? [] : [`with ${list(entitlements)}`]),
  ];
  return `${parts.join(', ')}.`;
};

const trialText = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`;

const listing = (): Command =>
  withExamples(
    new Command('list')
      .description('List the plans of an extension, with the products that processors sell as them.')
      .option(...EXTENSION)
      .action(action(listAll)),
    'pierhead plans list',
  );

async function listAll(context: Context, options: OfExtension): Promise<void> {
  const { plans } = await plansOf(context, await context.service(), options);
  context.terminal.result({ items: plans }, () => planTable(plans, context.terminal.style));
}

const withTerms = (command: Command): Command =>
  [...TERM_OPTIONS, ...TEAM_OPTIONS].reduce((rest, [flags, about]) => rest.option(flags, about), command);

const create = (): Command =>
  withExamples(
    withTerms(new Command('create'))
      .description("Create a plan. An extension's first one turns licensing on, unless its settings turn it off.")
      .argument('<tier>', 'name that the extension compares; it never changes')
      .option(...EXTENSION)
      .option('--devices <count>', 'how many devices may use a license (default: 3)')
      .option(...TRIAL)
      .option(...TRIAL_EMAIL)
      .option(...ENTITLEMENTS)
      .option(...METADATA)
      .action(action(createOne)),
    'pierhead plans create pro --devices 3',
  );

const fieldsOf = (options: Changes): Omit<Schema<'UpdatePlan'>, 'tier'> => ({
  ...(options.devices === undefined ? {} : { maxActivations: devicesOf(options.devices) }),
  ...termsOf(options),
  ...teamOf(options),
  ...(options.trial === undefined ? {} : { trialDays: trialDaysOf(options.trial) }),
  ...(options.trialEmail === undefined ? {} : { trialNeedsEmail: options.trialEmail }),
  ...entitlementsOf(options),
});

async function createOne(context: Context, tier: string, options: Changes): Promise<void> {
  const fields = fieldsOf(options);
  const service = await context.service();
  const { id: extensionId, name } = await findExtension(service, options.extension, await context.project());
  const created = await answer(service.client.POST('/api/v1/plans', { body: { extensionId, tier, ...fields } }));
  context.terminal.result(created, () => `Created ${said(created, name)}`);
}

const update = (): Command =>
  withExamples(
    withTerms(new Command('update'))
      .description('Change a plan. Devices that hold a seat keep it, and licenses the terms about their end.')
      .argument('<plan>', PLAN)
      .option(...EXTENSION)
      .option('--devices <count>', 'how many devices may use a license')
      .option(...TRIAL)
      .option(...TRIAL_EMAIL)
      .option('--no-trial-email', 'trials need no address')
      .option(...ENTITLEMENTS)
      .option(...METADATA)
      .action(action(updateOne)),
    'pierhead plans update pro --devices 5',
    'pierhead plans update pro --entitlements export,sync',
  );

async function updateOne(context: Context, wanted: string, options: Changes): Promise<void> {
  const body = fieldsOf(options);
  if (Object.keys(body).length === 0)
    throw usageFailure('Name something to change.', 'pierhead plans update --help lists what there is.');
  const service = await context.service();
  const { extension, plans } = await plansOf(context, service, options);
  const path = { id: choosePlan(plans, wanted).id };
  const updated = await answer(service.client.PATCH('/api/v1/plans/{id}', { params: { path }, body }));
  context.terminal.result(updated, () => said(updated, extension.name));
}

const remove = (): Command =>
  withExamples(
    new Command('delete')
      .description('Delete a plan that has no licenses, and its trials.')
      .argument('<plan>', PLAN)
      .option(...EXTENSION)
      .option('-y, --yes', 'delete without being asked for the tier')
      .action(action(deleteOne)),
    'pierhead plans delete beta',
  );

async function deleteOne(
  context: Context,
  wanted: string,
  options: OfExtension & { readonly yes?: true },
): Promise<void> {
  const service = await context.service();
  const { extension, plans } = await plansOf(context, service, options);
  const { id, tier, products } = choosePlan(plans, wanted);
  const sold = products.length === 0 ? '' : ` Sales of its ${products.length} products make no license from then on.`;
  const what = `This deletes ${tier} of ${extension.name}. A plan of that name that you create later has another id.${sold}`;
  if (!options.yes) await confirmed(context, { what, name: tier, called: 'the tier' });
  await answer(service.client.DELETE('/api/v1/plans/{id}', { params: { path: { id } } }));
  context.terminal.result({ id, tier, deleted: true }, () => `Deleted ${tier} of ${extension.name}.`);
}
