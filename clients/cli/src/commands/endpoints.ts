import { Command, Option } from 'commander';
import { NOTIFICATION_KINDS } from '../api/catalog.js';
import { answer, type Schema, type Service } from '../api/service.js';
import { action, type Context } from '../context.js';
import { asFailure, Failure, usageFailure } from '../failure.js';
import {
  chooseEndpoint,
  endpointTable,
  isNamed,
  listEndpoints,
  nameOf,
  type Endpoint,
  type Kind,
} from '../notifications/endpoints.js';
import { findExtension } from '../publishing/extensions.js';
import { confirmed } from '../terminal/confirmed.js';
import { withExamples } from './example.js';

const ENDPOINT = 'URL, mail address or id';

interface WithEvents {
  readonly event?: readonly Kind[];
  readonly extension?: readonly string[];
  readonly plan?: readonly string[];
  readonly tier?: readonly string[];
}

/** Endpoints: the webhooks and mail addresses that are notified. */
export const endpointsCommand = (): Command =>
  [listing, add, update, test, rotate, remove].reduce(
    (group, subcommand) => group.addCommand(subcommand()),
    withExamples(
      new Command('endpoints').description('List, add and test the webhooks and mail addresses that are notified.'),
      'pierhead endpoints add me@example.com',
    ),
  );

/** Adds the options that choose what an endpoint receives. */
const withEvents = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--event <event...>',
        'only these events (default: all but those of licenses); after the endpoint',
      ).choices(NOTIFICATION_KINDS),
    )
    .option('--extension <name...>', 'only these extensions')
    .option('--plan <id...>', 'of license events, only those of these plans')
    .option('--tier <tier...>', 'of license events, only those of these tiers');

/** What an endpoint receives, as the service takes it. */
async function toldOf(
  context: Context,
  service: Service,
  { event, extension, plan, tier }: WithEvents,
): Promise<Schema<'UpdateNotificationEndpoint'>> {
  const project = await context.project();
  const extensionIds: string[] = [];
  for (const name of extension ?? []) extensionIds.push((await findExtension(service, name, project)).id);
  return {
    ...(event === undefined ? {} : { events: [...event] }),
    ...(extension === undefined ? {} : { extensionIds }),
    ...(plan === undefined ? {} : { planIds: [...plan] }),
    ...(tier === undefined ? {} : { tiers: [...tier] }),
  };
}

const listing = (): Command =>
  withExamples(
    new Command('list')
      .description('List the webhooks and mail addresses that are notified, and whether it reaches them.')
      .action(action(listAll)),
    'pierhead endpoints list',
  );

async function listAll(context: Context): Promise<void> {
  const items = await listEndpoints(await context.service());
  context.terminal.result({ items }, () => endpointTable(items, context.terminal.style));
}

const add = (): Command =>
  withExamples(
    withEvents(
      new Command('add')
        .description(
          'Notify a webhook, whose secret is printed this once, or a mail address, which confirms it by a link.',
        )
        .argument('<endpoint>', 'https URL, or mail address'),
    ).action(action(addOne)),
    'pierhead endpoints add me@example.com --event live rejected',
    'pierhead endpoints add https://hooks.example.com/pierhead > secret.txt',
    'pierhead endpoints add https://hooks.example.com/sold --event license.issued license.renewed --tier pro',
  );

async function addOne(context: Context, wanted: string, options: WithEvents): Promise<void> {
  const to = /^https?:\/\//i.test(wanted)
    ? { kind: 'webhook' as const, url: wanted }
    : { kind: 'mail' as const, address: wanted };
  const service = await context.service();
  const known = (await listEndpoints(service)).find((each) => isNamed(each, wanted));
  if (known !== undefined) return sendLinkAgain(context, service, known);
  const body = { ...to, ...(await toldOf(context, service, options)) };
  const { client } = service;
  const added = await answer(client.POST('/api/v1/notifications/endpoints', { body }));
  if (added.secret !== null) context.terminal.note(`${nameOf(added)} is notified. The secret of its signatures:`);
  context.terminal.result(added, ({ secret }) => secret ?? `${wanted} receives a link to confirm it by.`);
}

/** An address that nobody has confirmed gets another link. @throws Failure for any other endpoint */
async function sendLinkAgain(
  context: Context,
  { client }: Service,
  { id, kind, address, confirmedAt }: Endpoint,
): Promise<void> {
  if (kind !== 'mail' || confirmedAt !== null || address === null)
    throw new Failure('It is notified already.', { hint: 'Change its events with: pierhead endpoints update' });
  const path = { id };
  const again = await answer(
    client.PATCH('/api/v1/notifications/endpoints/{id}', { params: { path }, body: { address } }),
  );
  context.terminal.result(again, () => `${address} receives another link to confirm it by.`);
}

interface UpdateOptions extends WithEvents {
  readonly enable?: true;
  readonly disable?: true;
  readonly everything?: true;
}

const update = (): Command =>
  withExamples(
    withEvents(
      new Command('update')
        .description('Change which events an endpoint receives, or disable it.')
        .argument('<endpoint>', ENDPOINT),
    )
      .addOption(
        new Option('--everything', 'of all extensions, plans and tiers again').conflicts(['extension', 'plan', 'tier']),
      )
      .addOption(new Option('--enable', 'notify it again').conflicts('disable'))
      .option('--disable', 'notify it no more, and give up what is pending')
      .action(action(updateOne)),
    'pierhead endpoints update me@example.com --event rejected action_required',
    'pierhead endpoints update me@example.com --disable',
  );

async function updateOne(context: Context, wanted: string, options: UpdateOptions): Promise<void> {
  if (Object.values(options).every((value) => value === undefined))
    throw usageFailure('Nothing is to change.', 'Use --event, --extension, --plan, --tier, --enable or --disable.');
  const { enable, disable, everything } = options;
  const service = await context.service();
  const endpoint = chooseEndpoint(await listEndpoints(service), wanted);
  const body = {
    ...(await toldOf(context, service, options)),
    ...(everything === true ? { extensionIds: null, planIds: null, tiers: null } : {}),
    ...(enable === undefined && disable === undefined ? {} : { enabled: enable === true }),
  };
  const path = { id: endpoint.id };
  // It may be as wanted already, also because the answer to an earlier attempt was lost.
  const updated = await answer(
    service.client.PATCH('/api/v1/notifications/endpoints/{id}', { params: { path }, body }),
  ).catch((error: unknown) => {
    if (asFailure(error).code === 'nothing_to_update') return endpoint;
    throw error;
  });
  context.terminal.result(updated, () => endpointTable([updated], context.terminal.style));
}

const test = (): Command =>
  withExamples(
    new Command('test')
      .description('Send a test notification to an endpoint.')
      .argument('<endpoint>', ENDPOINT)
      .action(action(testOne)),
    'pierhead endpoints test https://hooks.example.com/pierhead',
  );

async function testOne(context: Context, wanted: string): Promise<void> {
  const service = await context.service();
  const endpoint = chooseEndpoint(await listEndpoints(service), wanted);
  const path = { id: endpoint.id };
  const sent = await answer(service.client.POST('/api/v1/notifications/endpoints/{id}/test', { params: { path } }));
  context.terminal.result(sent, () => `A test goes to ${nameOf(endpoint)}. pierhead endpoints list shows if it fails.`);
}

const rotate = (): Command =>
  withExamples(
    new Command('rotate')
      .description('Replace the secret of a webhook, and print the new one. The former also signs for another day.')
      .argument('<endpoint>', ENDPOINT)
      .option('-y, --yes', 'replace it without being asked, also within a day of the last time')
      .action(action(rotateOne)),
    'pierhead endpoints rotate https://hooks.example.com/pierhead',
  );

async function rotateOne(context: Context, wanted: string, { yes }: { readonly yes?: true }): Promise<void> {
  const service = await context.service();
  const endpoint = chooseEndpoint(await listEndpoints(service), wanted);
  const name = nameOf(endpoint);
  const what = `The secret of ${name} was replaced within a day. The one from before stops signing at once.`;
  if (endpoint.formerSecretUntil !== null && !yes) await confirmed(context, { what, name, called: 'the endpoint' });
  const path = { id: endpoint.id };
  const { client } = service;
  const rotated = await answer(client.POST('/api/v1/notifications/endpoints/{id}/rotate', { params: { path } }));
  context.terminal.note(`The new secret of ${name}:`);
  context.terminal.result(rotated, ({ secret }) => secret ?? '');
}

const remove = (): Command =>
  withExamples(
    new Command('delete')
      .description('Delete an endpoint. Pending notifications are not sent.')
      .argument('<endpoint>', ENDPOINT)
      .option('-y, --yes', 'delete without being asked for the name')
      .action(action(deleteOne)),
    'pierhead endpoints delete me@example.com',
  );

async function deleteOne(context: Context, wanted: string, { yes }: { readonly yes?: true }): Promise<void> {
  const service = await context.service();
  const endpoint = chooseEndpoint(await listEndpoints(service), wanted);
  const name = nameOf(endpoint);
  const what = `This deletes ${name}. What is pending for it is not sent.`;
  if (!yes) await confirmed(context, { what, name, called: 'the endpoint' });
  const path = { id: endpoint.id };
  await answer(service.client.DELETE('/api/v1/notifications/endpoints/{id}', { params: { path } }));
  context.terminal.result({ id: endpoint.id, deleted: true }, () => `${name} is notified no more.`);
}
