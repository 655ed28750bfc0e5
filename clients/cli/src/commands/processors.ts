import { Command } from 'commander';
import { answer } from '../api/service.js';
import { action, type Context } from '../context.js';
import { withSecondFactor } from '../connecting/second-factor.js';
import { usageFailure } from '../failure.js';
import {
  chooseProcessor,
  openField,
  processorCredentials,
  processorTable,
  readProcessors,
  type Processor,
} from '../licensing/processors.js';
import { withExamples } from './example.js';
import { collect } from './options.js';

/** Payment processors, whose notifications issue licenses. */
export const processorsCommand = (): Command =>
  [listing, connect].reduce(
    (group, subcommand) => group.addCommand(subcommand()),
    withExamples(
      new Command('processors').description('Connect payment processors, whose notifications issue licenses.'),
      'pierhead processors connect stripe',
    ),
  );

const listing = (): Command =>
  withExamples(
    new Command('list')
      .description('List the payment processors: whether they are connected, and what came last.')
      .action(action(listAll)),
    'pierhead processors list',
  );

async function listAll(context: Context): Promise<void> {
  const summary = await readProcessors(await context.service());
  context.terminal.result(
    summary,
    ({ webhookUrl, processors }) =>
      `${processorTable(processors, context.terminal.style, new Date())}\n\nWebhook URL for each of them: ${webhookUrl}`,
  );
}

interface Options {
  readonly keyFile?: string;
  readonly set?: readonly string[];
  readonly label?: string;
  readonly replace?: true;
}

const connect = (): Command =>
  withExamples(
    new Command('connect')
      .description('Say what to enter at a payment processor, and save the secret that it signs with.')
      .argument('<processor>', 'id or name, such as stripe')
      .option(
        '--key-file <path>',
        'the signing secret, or JSON with the fields of the credential; - for standard input',
      )
      .option('--set <name=value>', 'a field that is not secret, such as testMode=true', collect)
      .option('--label <name>', 'your name for the credential')
      .option('--replace', 'replace the only credential of the processor with all its fields, instead of adding one')
      .action(action(connectOne)),
    'pierhead processors connect stripe',
    'pierhead processors connect stripe --key-file - --set testMode=true < secret.txt',
  );

async function connectOne(context: Context, wanted: string, options: Options): Promise<void> {
  const service = await context.service();
  const { webhookUrl, processors } = await readProcessors(service);
  const processor = chooseProcessor(processors, wanted);
  const replaced = options.replace === true ? onlyCredential(processor) : null;
  const [form = []] = processor.form.forms;
  const open = Object.fromEntries((options.set ?? []).map((each) => openField(form, each)));
  context.terminal.note(steps(processor, webhookUrl));
  if (replaced === null && processor.credentials.length > 0)
    context.terminal.note(`${processor.title} has a credential already. This adds another; --replace replaces it.`);
  if (replaced !== null) context.terminal.note('This replaces all fields: give --set and the API key again.');
  const credentials = {
    ...processorCredentials(form, await secretOf(context, processor, options.keyFile)),
    ...open,
  };
  const labelled = options.label === undefined ? {} : { label: options.label };
  const { client } = service;
  const saved = await withSecondFactor(context, service, () =>
    answer(
      replaced === null
        ? client.POST('/api/v1/credentials', { body: { store: processor.processor, credentials, ...labelled } })
        : client.PATCH('/api/v1/credentials/{id}', {
            params: { path: { id: replaced } },
            body: { credentials, ...labelled },
          }),
    ),
  );
  context.terminal.result(
    { ...saved, webhookUrl },
    () => `${processor.title} is connected. Its next notification shows in: pierhead processors list`,
  );
}

function onlyCredential({ title, credentials }: Processor): string {
  const [only, ...others] = credentials;
  if (only !== undefined && others.length === 0) return only.id;
  throw usageFailure(
    `${title} has ${credentials.length === 0 ? 'no credential' : 'several credentials'}.`,
    'Leave out --replace, or change one in the console.',
  );
}

const steps = ({ title, events }: Processor, webhookUrl: string): string =>
  [
    `  1. Add a webhook at ${title} with this URL:`,
    `     ${webhookUrl}`,
    '  2. Have it send these events:',
    ...events.map((event) => `     ${event}`),
    '  3. Copy its signing secret.',
  ].join('\n');

/** The signing secret, or the text of a file. */
async function secretOf(context: Context, { form, title }: Processor, keyFile: string | undefined): Promise<string> {
  if (keyFile !== undefined) return context.text(keyFile);
  const field = form.forms.flat().find(({ isSecret, isRequired }) => isSecret && isRequired);
  if (context.terminal.isInteractive) context.terminal.tell(`  ${field?.how ?? ''}`);
  return context.ask.secret(`${field?.title ?? 'Secret'} of ${title}`, '--key-file <path>, or --key-file -');
}
