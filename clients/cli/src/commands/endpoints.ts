import { Command, Option } from 'commander';
import { NOTIFICATION_KINDS } from '../api/catalog.js';
import { answer, type Service } from '../api/service.js';
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
import { confirmed } from '../terminal/confirmed.js';
import { withExamples } from './example.js';

const ENDPOINT = 'URL, mail address or id';

interface WithEvents {
  readonly event?: readonly Kind[];
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

const withEvents = (): Option =>
  new Option('--event <event...>', 'only these events (default: all); after the endpoint').choices(NOTIFICATION_KINDS);

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
    new Command('add')
      .description(
        'Notify a webhook, whose secret is printed this once, or a mail address, which confirms it by a link.',
      )
      .argument('<endpoint>', 'https URL, or mail address')
      .addOption(withEvents())
      .action(action(addOne)),
    'pierhead endpoints add me@example.com --event live rejected',
    'pierhead endpoints add https://hooks.example.com/pierhead > secret.txt',
  );

async function addOne(context: Context, wanted: string, { event }: WithEvents): Promise<void> {
  const to = /^https?:\/\//i.test(wanted)
    ? { kind: 'webhook' as const, url: wanted }
    : { kind: 'mail' as const, address: wanted };
  const body = { ...to, ...(event === undefined ? {} : { events: [...event] }) };
  const service = await context.service();
  const known = (await listEndpoints(service)).find((each) => isNamed(each, wanted));
  if (known !== undefined) return sendLinkAgain(context, service, known);
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
}

const update = (): Command =>
  withExamples(
    new Command('update')
      .description('Change which events an endpoint receives, or disable it.')
      .argument('<endpoint>', ENDPOINT)
      .addOption(withEvents())
      .addOption(new Option('--enable', 'notify it again').conflicts('disable'))
      .option('--disable', 'notify it no more, and give up what is pending')
      .action(action(updateOne)),
    'pierhead endpoints update me@example.com --event rejected action_required',
    'pierhead endpoints update me@example.com --disable',
  );

async function updateOne(context: Context, wanted: string, { event, enable, disable }: UpdateOptions): Promise<void> {
  if (event === undefined && enable === undefined && disable === undefined)
    throw usageFailure('Nothing is to change.', 'Use --event, --enable or --disable.');
  const service = await context.service();
  const endpoint = chooseEndpoint(await listEndpoints(service), wanted);
  const body = {
    ...(event === undefined ? {} : { events: [...event] }),
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
