import { Command } from 'commander';
import { answer, type Service } from '../api/service.js';
import { action, type Context } from '../context.js';
import { Failure } from '../failure.js';
import { chosenTargets, pathOf } from '../publishing/chosen.js';
import { targetName, type Target } from '../publishing/targets.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

interface Options {
  readonly extension?: string;
}

/** One request to each of the targets that a command names. */
interface Request {
  readonly about: string;
  readonly stores: readonly [argument: string, about: string];
  readonly examples: readonly string[];
  /** The targets that are meant where no store is named; all unless given. */
  readonly isMeant?: (target: Target) => boolean;
  readonly none?: Failure;
  readonly send: (service: Service, params: { readonly path: ReturnType<typeof pathOf> }) => Promise<Target>;
  readonly said: (target: Target) => string;
}

const EVERYWHERE = ['[stores...]', 'where (default: every store that the extension is published at)'] as const;

/** Stops all changes at a store. */
export const pauseCommand = (): Command =>
  requestCommand('pause', {
    about: 'Pause a store: nothing changes there until you resume it. The service keeps checking it.',
    stores: EVERYWHERE,
    examples: ['pierhead pause', 'pierhead pause chrome edge'],
    send: ({ client, repeatedly: fetch }, params) =>
      answer(client.POST('/api/v1/extensions/{id}/targets/{targetId}/pause', { params, fetch })),
    said: (target) => `${targetName(target)} is paused.`,
  });

/** Goes on after a pause. */
export const resumeCommand = (): Command =>
  requestCommand('resume', {
    about: 'Resume a paused store.',
    stores: EVERYWHERE,
    examples: ['pierhead resume', 'pierhead resume chrome'],
    send: ({ client, repeatedly: fetch }, params) =>
      answer(client.POST('/api/v1/extensions/{id}/targets/{targetId}/resume', { params, fetch })),
    said: (target) => `${targetName(target)} is resumed.`,
  });

/** Publishes approved versions that are held back. */
export const releaseCommand = (): Command =>
  requestCommand('release', {
    about: 'Publish approved versions that are waiting for you.',
    stores: ['[stores...]', 'where (default: wherever an approved version waits)'],
    examples: ['pierhead release', 'pierhead release chrome'],
    isMeant: ({ status }) => status.phase === 'approved',
    none: new Failure('No approved version is waiting for you.', { hint: 'Check their status with: pierhead status' }),
    send: ({ client, repeatedly: fetch }, params) =>
      answer(client.POST('/api/v1/extensions/{id}/targets/{targetId}/release', { params, fetch })),
    said: (target) => `${targetName(target)} will publish ${target.status.desiredVersion}.`,
  });

/** Submits versions again that a store rejected for something else than the package. */
export const resubmitCommand = (): Command =>
  requestCommand('resubmit', {
    about: 'Submit a rejected version again, for example once its listing is mended.',
    stores: ['<stores...>', 'where'],
    examples: ['pierhead resubmit chrome'],
    // Never repeated by itself: each request is one more attempt.
    send: ({ client }, params) =>
      answer(client.POST('/api/v1/extensions/{id}/targets/{targetId}/resubmit', { params })),
    said: (target) => `${targetName(target)} gets ${target.status.desiredVersion} again.`,
  });

const requestCommand = (name: string, request: Request): Command =>
  withExamples(
    new Command(name)
      .description(request.about)
      .argument(...request.stores)
      .option(...EXTENSION)
      .action(
        action((context: Context, stores: readonly string[], options: Options) =>
          sendEach(context, stores, options, request),
        ),
      ),
    ...request.examples,
  );

async function sendEach(
  context: Context,
  stores: readonly string[],
  options: Options,
  { isMeant = () => true, none, send, said }: Request,
): Promise<void> {
  const { service, extension, targets } = await chosenTargets(context, options.extension, stores);
  const meant = stores.length > 0 ? targets : targets.filter(isMeant);
  if (meant.length === 0) throw none ?? new Failure(`${extension.name} is not published at any store yet.`);
  const answers: Target[] = [];
  for (const target of meant) answers.push(await send(service, { path: pathOf(target) }));
  context.terminal.result({ targets: answers }, () => answers.map(said).join('\n'));
}
