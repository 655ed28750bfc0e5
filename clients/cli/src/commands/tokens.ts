import { Command, Option } from 'commander';
import { SCOPES } from '../api/catalog.js';
import { answer, type Service } from '../api/service.js';
import { withSecondFactor } from '../connecting/second-factor.js';
import { action, type Context } from '../context.js';
import { usageFailure } from '../failure.js';
import { asPerson } from '../logging-in/as-person.js';
import { findExtension, listExtensions } from '../publishing/extensions.js';
import { confirmed } from '../terminal/confirmed.js';
import { day } from '../terminal/words.js';
import { chooseToken, listTokens, tokenTable, type Scope } from '../tokens/tokens.js';
import { withExamples } from './example.js';

/** Access tokens, for scripts and CI. They need a log-in: no token makes another. */
export const tokensCommand = (): Command =>
  [listing, create, revoke].reduce(
    (group, subcommand) => group.addCommand(subcommand()),
    withExamples(
      new Command('tokens').description('List, create and revoke access tokens, for scripts and CI. Needs a log-in.'),
      'pierhead tokens list',
      'pierhead tokens create CI --scope artifacts:write extensions:read',
    ),
  );

const TOKENS = 'list, create or revoke access tokens';

const listing = (): Command =>
  withExamples(
    new Command('list')
      .description('List access tokens: what they may do, when they expire, and when they were last used.')
      .action(action(listAll)),
    'pierhead tokens list',
  );

async function listAll(context: Context): Promise<void> {
  const service = await asPerson(context, TOKENS);
  const [items, extensions] = await Promise.all([listTokens(service), listExtensions(service)]);
  const names = new Map(extensions.map(({ id, name }) => [id, name]));
  context.terminal.result({ items }, () => tokenTable(items, names, context.terminal.style, new Date()));
}

interface TokenOptions {
  readonly scope: readonly Scope[];
  readonly extension?: readonly string[];
  readonly expires?: string;
}

const create = (): Command =>
  withExamples(
    new Command('create')
      .description('Create an access token, and print it. It cannot be shown again.')
      .argument('<name>', 'what uses it')
      .addOption(
        new Option('-s, --scope <scope...>', 'what it may do; write includes read')
          .choices(SCOPES)
          .makeOptionMandatory(),
      )
      .option('-e, --extension <name...>', 'only for these extensions, by name or id (default: all)')
      .option('--expires <days>', 'when it expires, such as 90d (default: never)')
      .action(action(createOne)),
    'pierhead tokens create "CI of Tab Counter" --scope artifacts:write extensions:read --extension "Tab Counter" --expires 365d',
    'pierhead tokens create backup --scope licenses:read | gh secret set PIERHEAD_TOKEN',
  );

async function createOne(context: Context, name: string, options: TokenOptions): Promise<void> {
  const expiresInDays = options.expires === undefined ? undefined : daysOf(options.expires);
  const service = await asPerson(context, TOKENS);
  const extensionIds = options.extension === undefined ? null : await idsOf(context, service, options.extension);
  const body = {
    name,
    scopes: [...options.scope],
    extensionIds,
    ...(expiresInDays === undefined ? {} : { expiresInDays }),
  };
  const created = await withSecondFactor(context, service, () =>
    answer(service.client.POST('/api/v1/access-tokens', { body })),
  );
  const end = created.expiresAt === null ? 'It never expires.' : `It expires on ${day(created.expiresAt, new Date())}.`;
  context.terminal.note(`Created "${created.name}" at ${service.url}. ${end} The token:`);
  context.terminal.result(created, ({ token }) => token);
}

function daysOf(text: string): number {
  const [, days] = /^(\d{1,4})d?$/.exec(text) ?? [];
  if (days === undefined || Number(days) < 1) throw usageFailure(`"${text}" is not a number of days.`, 'Example: 90d.');
  return Number(days);
}

async function idsOf(context: Context, service: Service, names: readonly string[]): Promise<string[]> {
  const project = await context.project();
  const found = await Promise.all(names.map((name) => findExtension(service, name, project)));
  return [...new Set(found.map(({ id }) => id))];
}

const revoke = (): Command =>
  withExamples(
    new Command('revoke')
      .description('Revoke an access token. Anything that uses it is refused from then on.')
      .argument('<token>', 'name, last four characters as "tokens list" shows them (…abcd), or id')
      .option('-y, --yes', 'revoke without being asked for the name')
      .action(action(revokeOne)),
    'pierhead tokens revoke "CI of Tab Counter"',
  );

async function revokeOne(context: Context, wanted: string, { yes }: { readonly yes?: true }): Promise<void> {
  const service = await asPerson(context, TOKENS);
  const { id, name, lastFour } = chooseToken(await listTokens(service), wanted);
  const what = `This revokes "${name}" (…${lastFour}). What uses it is refused from then on.`;
  if (!yes) await confirmed(context, { what, name, called: 'the name of the token' });
  const { client } = service;
  await answer(client.DELETE('/api/v1/access-tokens/{id}', { params: { path: { id } } }));
  context.terminal.result({ id, name, revoked: true }, () => `"${name}" (…${lastFour}) is revoked.`);
}
