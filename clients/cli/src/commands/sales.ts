import { Command, Option } from 'commander';
import { rangeOf, type RangeOptions } from '../analytics/range.js';
import { answer } from '../api/service.js';
import { AS_CSV, asJson, withoutEnd } from '../api/csv.js';
import { action, type Context } from '../context.js';
import { usageFailure } from '../failure.js';
import { salesText } from '../licensing/sales.js';
import { withExamples } from './example.js';

const GROUPS = ['plan', 'processor', 'country', 'day'] as const;

interface Options extends RangeOptions {
  readonly by?: (typeof GROUPS)[number];
  readonly csv?: true;
}

/** Sales figures. */
export const salesCommand = (): Command =>
  withExamples(
    new Command('sales')
      .description('Show sales, renewals, refunds and disputes in each currency, and active subscriptions.')
      .option('--from <day>', 'the first day, in UTC (default: 27 days before the last)')
      .option('--to <day>', 'the last day, in UTC (default: today)')
      .option('--last <days>', 'number of days, instead of --from, such as 90d')
      .addOption(new Option('--by <what>', 'what a row is about (default: everything)').choices(GROUPS))
      .option('--csv', 'print all figures as CSV')
      .action(action(showSales)),
    'pierhead sales --last 90d --by plan',
    'pierhead sales --by day --csv > sales.csv',
  );

async function showSales(context: Context, { by, csv, ...range }: Options): Promise<void> {
  const { terminal } = context;
  if (csv && terminal.json) throw usageFailure('--csv and --json cannot be combined.');
  const params = { query: { ...rangeOf(range, new Date()), ...(by === undefined ? {} : { by }) } };
  const { client } = await context.service();
  if (csv) {
    terminal.data(await answer(client.GET('/api/v1/sales', { params, ...AS_CSV })), withoutEnd);
    return;
  }
  const summary = asJson(await answer(client.GET('/api/v1/sales', { params })));
  terminal.result(summary, () => salesText(summary, terminal.style));
}
