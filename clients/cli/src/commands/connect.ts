import { resolve } from 'node:path';
import { Command } from 'commander';
import { answer } from '../api/service.js';
import { action, type Context } from '../context.js';
import { Failure, usageFailure, withResumeHint } from '../failure.js';
import { findExtension } from '../publishing/extensions.js';
import { chooseTarget } from '../publishing/chosen.js';
import { listTargets } from '../publishing/targets.js';
import { storeName, STORES } from '../stores.js';
import { list } from '../terminal/words.js';
import { withExamples } from './example.js';
import { collect } from './options.js';

interface Options {
  readonly extension?: string;
  readonly keyFile?: string;
  readonly item?: readonly string[];
  readonly set?: readonly string[];
}

/** Connects a store, or gives it another key or item. */
export const connectCommand = (): Command =>
  withExamples(
    new Command('connect')
      .description('Connect a store: its key and the item there, which are verified at the store.')
      .argument('<store>', `${list(STORES, 'or')}; a channel as in firefox:unlisted`)
      .option('-e, --extension <name>', 'name or id (default: that of pierhead.json)')
      .option('--key-file <path>', "the store's key file, or JSON with the fields of its key; - for standard input")
      .option(
        '--item <id>',
        "the item's id, or the URL of its listing or dashboard; once for each id that a store has",
        collect,
      )
      .option('--set <name=value>', 'a field of the key that is not secret', collect)
      .action(action(connect)),
    'pierhead connect chrome',
    'pierhead connect chrome --key-file key.json --item https://chrome.google.com/webstore/devconsole/…',
    'pierhead connect firefox --key-file - --item tab-counter@example.com < amo-key.json',
  );

async function connect(context: Context, wanted: string, options: Options): Promise<void> {
  const { connectStore } = await import('../connecting/index.js');
  const service = await context.service();
  const extension = await findExtension(service, options.extension, await context.project());
  const target = chooseTarget(await listTargets(service, extension.id), wanted);
  const { items } = await answer(service.client.GET('/api/v1/stores'));
  const store = items.find(({ id }) => id === target.store);
  if (store === undefined) throw new Failure(`The service does not know the store ${target.store}.`);
  const values = Object.fromEntries((options.set ?? []).map((one) => assignment(one, store.credentials.forms.flat())));
  const { keyFile, item } = options;
  const { because } = await connectStore(
    { context, service, extension, target, store, geckoId: await geckoIdIn(context) },
    { values, ...(keyFile === undefined ? {} : { keyFile }), ...(item === undefined ? {} : { items: item }) },
  ).catch((error: unknown) => {
    throw withResumeHint(error, `pierhead connect ${wanted}`);
  });
  const { id, name } = extension;
  context.terminal.result(
    { extension: { id, name }, store: target.store, target: target.id, because },
    () => `${storeName(target.store)} is connected.`,
  );
}

function assignment(
  text: string,
  fields: readonly { readonly name: string; readonly isSecret: boolean }[],
): [string, string] {
  const [, name = '', value = ''] = /^([\w.]+)=(.+)$/.exec(text) ?? [];
  const field = fields.find((each) => each.name === name);
  if (field === undefined)
    throw usageFailure(
      `--set ${text.split('=')[0] ?? ''} is not a field of the key.`,
      `The fields are ${[...new Set(fields.filter(({ isSecret }) => !isSecret).map((each) => each.name))].join(', ')}.`,
    );
  if (field.isSecret)
    throw usageFailure(`${name} is a secret and must not be passed as an option.`, 'Use --key-file, or the question.');
  return [name, value];
}

/** The id in the manifest of what pierhead.json names, or of what is built here. */
async function geckoIdIn(context: Context): Promise<string | null> {
  const { geckoIdOf } = await import('../connecting/found-package.js');
  const { settings, folder } = await context.project();
  return geckoIdOf(typeof settings.package === 'string' ? resolve(folder, settings.package) : folder);
}
