import { Command } from 'commander';
import { answer } from '../api/service.js';
import { action, type Context } from '../context.js';
import { Failure } from '../failure.js';
import { chosenTargets, pathOf } from '../publishing/chosen.js';
import { targetName, type Target } from '../publishing/targets.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

interface Options {
  readonly extension?: string;
}

/** Stops all changes at a store. */
export const pauseCommand = (): Command =>
  withExamples(
    switchCommand(
      'pause',
      'Pause a store: nothing changes there until you resume it. The service keeps checking it.',
      true,
    ),
    'pierhead pause',
    'pierhead pause chrome edge',
  );

/** Goes on after a pause. */
export const resumeCommand = (): Command =>
  withExamples(switchCommand('resume', 'Resume a paused store.', false), 'pierhead resume', 'pierhead resume chrome');

const switchCommand = (name: string, description: string, isPaused: boolean): Command =>
  new Command(name)
    .description(description)
    .argument('[stores...]', 'where (default: every store that the extension is published at)')
    .option(...EXTENSION)
    .action(
      action((context: Context, stores: readonly string[], options: Options) =>
        change(context, stores, options, isPaused),
      ),
    );

async function change(context: Context, stores: readonly string[], options: Options, isPaused: boolean): Promise<void> {
  const { service, extension, targets } = await chosenTargets(context, options.extension, stores);
  if (targets.length === 0) throw new Failure(`${extension.name} is not published at any store yet.`);
  const changed: Target[] = [];
  for (const target of targets) {
    const request = { params: { path: pathOf(target) }, fetch: service.repeatedly };
    changed.push(
      await answer(
        isPaused
          ? service.client.POST('/api/v1/extensions/{id}/targets/{targetId}/pause', request)
          : service.client.POST('/api/v1/extensions/{id}/targets/{targetId}/resume', request),
      ),
    );
  }
  context.terminal.result({ targets: changed }, () =>
    changed.map((target) => `${targetName(target)} ${isPaused ? 'is paused' : 'is resumed'}.`).join('\n'),
  );
}
