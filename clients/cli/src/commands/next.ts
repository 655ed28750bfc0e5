import { Command } from 'commander';
import { sentenceInOptions } from '../api/in-options.js';
import { answer, type Schema } from '../api/service.js';
import { action, type Context } from '../context.js';
import { findExtension } from '../publishing/extensions.js';
import { storeName } from '../stores.js';
import { table } from '../terminal/table.js';
import { stated } from '../terminal/tones.js';
import { withExamples } from './example.js';

/** Shows what the service would do next. */
export const nextCommand = (): Command =>
  withExamples(
    new Command('next')
      .alias('plan')
      .description('Ask each store, and show what the service would do there next and why. Nothing is changed.')
      .argument('[extension]', 'name or id (default: that of pierhead.json, or the only one)')
      .action(action(showNext)),
    'pierhead next',
  );

const needsYou = ({ step, phase }: Pick<Schema<'PlannedTarget'>, 'step' | 'phase'>): boolean =>
  step === 'ask_human' || phase === 'incomplete';

async function showNext(context: Context, named: string | undefined): Promise<void> {
  const service = await context.service();
  const { id, name } = await findExtension(service, named, await context.project());
  const { targets } = await answer(
    service.client.GET('/api/v1/extensions/{id}/next-steps', { params: { path: { id } } }),
  );
  context.terminal.result({ extension: { id, name }, targets }, () => {
    const published = targets
      .filter(({ phase }) => phase !== 'disabled')
      .toSorted((one, other) => Number(needsYou(other)) - Number(needsYou(one)));
    if (published.length === 0) return `${name} is not published at any store yet.`;
    return table(
      published.map((target) => [
        target.platform === undefined ? storeName(target.store) : `${storeName(target.store)} (${target.platform})`,
        needsYou(target) ? stated(context.terminal.style, 'needs_you', 'needs you') : target.step.replaceAll('_', ' '),
        sentenceInOptions(target.because),
      ]),
      context.terminal.style,
      { endsInProse: true },
    );
  });
}
