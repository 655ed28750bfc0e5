import { Command, Option } from 'commander';
import { rangeOf, type RangeOptions } from '../analytics/range.js';
import { overviewText, reportText, sharesText, type Dimension } from '../analytics/report.js';
import { storesText } from '../analytics/stores.js';
import { DIMENSIONS, GRANULARITIES } from '../api/catalog.js';
import { AS_CSV, asJson, withoutEnd } from '../api/csv.js';
import { answer, type Service } from '../api/service.js';
import { action, type Context } from '../context.js';
import { usageFailure } from '../failure.js';
import { findExtension } from '../publishing/extensions.js';
import { withExamples } from './example.js';

interface Options extends RangeOptions {
  readonly every?: (typeof GRANULARITIES)[number];
  readonly by?: Dimension;
  readonly all?: true;
  readonly stores?: true;
  readonly csv?: true;
}

type Range = ReturnType<typeof rangeOf>;

/** Number of installs, by their properties. */
export const analyticsCommand = (): Command =>
  withExamples(
    new Command('analytics')
      .description('Show active and new installs, and their versions, browsers, systems, countries and languages.')
      .argument('[extension]', 'name or id (default: that of pierhead.json, or all)')
      .option('--from <day>', 'the first day, in UTC (default: 27 days before the last)')
      .option('--to <day>', 'the last day, in UTC (default: today)')
      .option('--last <days>', 'number of days, instead of --from, such as 90d')
      .addOption(new Option('--every <step>', 'what a row covers (default: day)').choices(GRANULARITIES))
      .addOption(new Option('--by <dimension>', 'show only the shares by this').choices(DIMENSIONS))
      .option('--stores', 'show what the stores count instead: users, installs, uninstalls and ratings')
      .option('--all', 'all extensions, also where pierhead.json names one')
      .option('--csv', 'print all figures as CSV')
      .action(action(showAnalytics)),
    'pierhead analytics "Tab Counter" --last 90d --every week',
    'pierhead analytics --by country',
    'pierhead analytics --stores --last 90d',
    'pierhead analytics --csv > installs.csv',
  );

async function showAnalytics(context: Context, named: string | undefined, options: Options): Promise<void> {
  if (options.csv && context.terminal.json) throw usageFailure('--csv and --json cannot be combined.');
  const range = rangeOf(options, new Date());
  const project = await context.project();
  const service = await context.service();
  const wanted = named ?? (options.all ? undefined : project.settings.extension);
  if (wanted === undefined) return showOverview(context, service, range, options);
  const { id } = await findExtension(service, wanted, project);
  if (options.stores) return showStores(context, service, id, range, options);
  await showReport(context, service, id, range, options);
}

async function showReport(
  { terminal }: Context,
  service: Service,
  id: string,
  range: Range,
  { every, by, csv }: Options,
): Promise<void> {
  const params = { path: { id }, query: { ...range, ...(every === undefined ? {} : { granularity: every }) } };
  const path = '/api/v1/extensions/{id}/analytics';
  if (csv) {
    terminal.data(await answer(service.client.GET(path, { params, ...AS_CSV })), withoutEnd);
    return;
  }
  const report = asJson(await answer(service.client.GET(path, { params })));
  const { style } = terminal;
  if (by === undefined) terminal.result(report, () => reportText(report, style));
  else
    terminal.result({ from: report.from, to: report.to, by, items: report.shares[by] }, ({ items }) =>
      sharesText(items, by, style),
    );
}

async function showStores(
  { terminal }: Context,
  service: Service,
  extension: string,
  range: Range,
  { every, by, csv }: Options,
): Promise<void> {
  if (every !== undefined || by !== undefined)
    throw usageFailure(`--${by === undefined ? 'every' : 'by'} and --stores cannot be combined.`);
  const params = { query: { ...range, extension } };
  const path = '/api/v1/analytics/stores';
  if (csv) {
    terminal.data(await answer(service.client.GET(path, { params, ...AS_CSV })), withoutEnd);
    return;
  }
  const report = asJson(await answer(service.client.GET(path, { params })));
  terminal.result(report, () => storesText(report, terminal.style));
}

async function showOverview(
  { terminal }: Context,
  service: Service,
  query: Range,
  { every, by, stores, csv }: Options,
): Promise<void> {
  const unfit = Object.entries({ every, by, stores }).find(([, value]) => value !== undefined);
  if (unfit !== undefined) throw usageFailure(`--${unfit[0]} needs one extension. Name it.`);
  const params = { query };
  const path = '/api/v1/analytics/overview';
  if (csv) {
    terminal.data(await answer(service.client.GET(path, { params, ...AS_CSV })), withoutEnd);
    return;
  }
  const overview = asJson(await answer(service.client.GET(path, { params })));
  terminal.result(overview, () => overviewText(overview, terminal.style));
}
