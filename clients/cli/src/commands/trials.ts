import { Command, Option } from 'commander';
import { answer } from '../api/service.js';
import { action, type Context } from '../context.js';
import { expiryOf } from '../licensing/expiry.js';
import {
  findTrial,
  listTrials,
  moveEnd,
  summarizeTrials,
  summaryText,
  trialTable,
  trialText,
  type Trial,
} from '../licensing/trials.js';
import { findExtension } from '../publishing/extensions.js';
import { confirmed } from '../terminal/confirmed.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

const TRIAL = 'id of the trial, or the address of its user';

/** Trials: devices that use a plan for a while without a license. */
export const trialsCommand = (): Command =>
  withExamples(
    new Command('trials').description('List the trials of an extension, end one, or prolong it.'),
    'pierhead trials',
    'pierhead trials extend ann@example.com 7d',
  )
    .addCommand(listing(), { isDefault: true })
    .addCommand(extend())
    .addCommand(end())
    .addCommand(remove());

interface ListOptions {
  readonly extension?: string;
  readonly email?: string;
  readonly state?: Trial['state'];
}

const listing = (): Command =>
  withExamples(
    new Command('list')
      .description('List trials, and count those that run, became licenses, expired and were refused.')
      .option(...EXTENSION)
      .option('--email <address>', 'only those of this address')
      .addOption(new Option('--state <state>', 'only those in it').choices(['running', 'ended', 'converted']))
      .action(action(listAll)),
    'pierhead trials list --state running',
  );

async function listAll(context: Context, { extension: named, ...narrowing }: ListOptions): Promise<void> {
  const service = await context.service();
  const { id: extension } = await findExtension(service, named, await context.project());
  const items = await listTrials(service, { extension, ...narrowing });
  const summary = await summarizeTrials(service, extension);
  context.terminal.result({ items, summary }, () =>
    [
      ...(items.length === 0 ? ['There is no such trial.'] : [trialTable(items, context.terminal.style, new Date())]),
      summaryText(summary),
    ].join('\n\n'),
  );
}

const extend = (): Command =>
  withExamples(
    new Command('extend')
      .description('Let a trial expire later; one that has expired runs again.')
      .argument('<trial>', TRIAL)
      .argument('<end>', 'last day, or a number of days from now, such as 7d')
      .action(action(extendOne)),
    'pierhead trials extend ann@example.com 7d',
  );

async function extendOne(context: Context, wanted: string, until: string): Promise<void> {
  const endsAt = expiryOf(until, new Date());
  const service = await context.service();
  const trial = await moveEnd(service, await findTrial(service, wanted), endsAt);
  context.terminal.result(trial, () => `The trial of ${trial.tier} ${trialText(trial, new Date())}.`);
}

const end = (): Command =>
  withExamples(
    new Command('end').description('End a trial now.').argument('<trial>', TRIAL).action(action(endOne)),
    'pierhead trials end ann@example.com',
  );

async function endOne(context: Context, wanted: string): Promise<void> {
  const service = await context.service();
  const trial = await moveEnd(service, await findTrial(service, wanted), new Date(0).toISOString());
  context.terminal.result(trial, () => `The trial of ${trial.tier} has ended.`);
}

const remove = (): Command =>
  withExamples(
    new Command('delete')
      .description('Delete a trial and everything known of its user. Device and address can have another.')
      .argument('<trial>', TRIAL)
      .option('-y, --yes', 'delete without being asked for the name')
      .action(action(deleteOne)),
    'pierhead trials delete ann@example.com',
  );

async function deleteOne(context: Context, wanted: string, options: { readonly yes?: true }): Promise<void> {
  const service = await context.service();
  const { id, email, tier } = await findTrial(service, wanted);
  const what = `This deletes the trial of ${tier}. Its device and its address can have another.`;
  if (!options.yes)
    await confirmed(context, { what, name: email ?? id, called: email === null ? 'the id' : 'the address' });
  await answer(service.client.DELETE('/api/v1/trials/{id}', { params: { path: { id } } }));
  context.terminal.result({ id, deleted: true }, () => 'Deleted the trial.');
}
