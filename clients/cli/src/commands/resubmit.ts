import { Command } from 'commander';
import { answer } from '../api/service.js';
import { action, type Context } from '../context.js';
import { chosenTargets, pathOf } from '../publishing/chosen.js';
import { targetName, type Target } from '../publishing/targets.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

interface Options {
  readonly extension?: string;
}

/** Submits versions again that a store rejected for something else than the package. */
export const resubmitCommand = (): Command =>
  withExamples(
    new Command('resubmit')
      .description('Submit a rejected version again, for example once its listing is mended.')
      .argument('<stores...>', 'where')
      .option(...EXTENSION)
      .action(action(resubmit)),
    'pierhead resubmit chrome',
  );

async function resubmit(context: Context, stores: readonly string[], options: Options): Promise<void> {
  const { service, targets } = await chosenTargets(context, options.extension, stores);
  const submitted: Target[] = [];
  for (const target of targets) {
    const request = { params: { path: pathOf(target) } };
    submitted.push(await answer(service.client.POST('/api/v1/extensions/{id}/targets/{targetId}/resubmit', request)));
  }
  context.terminal.result({ targets: submitted }, () =>
    submitted.map((target) => `${targetName(target)} gets ${target.status.desiredVersion} again.`).join('\n'),
  );
}
