import { Command } from 'commander';
import { answer, type Schema, type Service } from '../api/service.js';
import { action, type Context } from '../context.js';
import { findExtension, listExtensions, type Extension } from '../publishing/extensions.js';
import { cellOf, isLive, linkedName, messageOf } from '../publishing/display.js';
import { listTargets, type Target } from '../publishing/targets.js';
import { totalsOf, urgencyOf } from '../publishing/totals.js';
import { storeName, STORES } from '../stores.js';
import { isRoomFor, table } from '../terminal/table.js';
import { linked, type Style } from '../terminal/style.js';
import { withExamples } from './example.js';

const AT_ONCE = 8;

/** Shows the status of every extension at every store. */
export const statusCommand = (): Command =>
  withExamples(
    new Command('status')
      .description('Show the status of your extensions at each store.')
      .argument('[extension]', 'name or id (default: all)')
      .action(action(showStatus)),
    'pierhead status',
    'pierhead status "Tab Counter" --json',
  );

interface Shown {
  readonly extension: Pick<Extension, 'id' | 'name'>;
  readonly targets: readonly Target[];
}

async function showStatus(context: Context, named: string | undefined): Promise<void> {
  const service = await context.service();
  const extensions =
    named === undefined
      ? await listExtensions(service)
      : [await findExtension(service, named, await context.project())];
  const shown = await statuses(service, extensions);
  const render = named === undefined ? matrix : details;
  const { terminal } = context;
  const totals = totalsOf(shown.flatMap(({ targets }) => targets).filter(isEnabled), terminal.noteStyle);
  if (totals !== '' && !terminal.json) terminal.note(totals);
  const needs = named === undefined && terminal.json ? { needs: await needsOf(service) } : {};
  terminal.result({ items: shown, ...needs }, () => render(shown, terminal.style, service.url));
}

/** What needs somebody, on the first page of the overview. */
async function needsOf(service: Service): Promise<Schema<'Overview'>['needs']> {
  const params = { query: { limit: 1 } };
  return (await answer(service.client.GET('/api/v1/overview', { params }))).needs;
}

/** Reads the targets of several extensions, a few at a time. */
async function statuses(service: Service, extensions: readonly Extension[]): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (let from = 0; from < extensions.length; from += AT_ONCE) {
    const some = extensions.slice(from, from + AT_ONCE);
    const read = some.map(async ({ id, name }) => ({
      extension: { id, name },
      targets: await listTargets(service, id),
    }));
    shown.push(...(await Promise.all(read)));
  }
  return shown;
}

const isEnabled = ({ enabled }: Target): boolean => enabled;

/** The page to look at: what users get once it is live, and the store's dashboard before. */
const pageOf = (target: Target): string => (isLive(target) ? target.listing : null) ?? target.dashboard;

/** One row for each extension, those that need somebody first, and one column for each store. */
function matrix(shown: readonly Shown[], style: Style, url: string): string {
  if (shown.length === 0) return 'You have no extensions yet. Register one with: pierhead init';
  const heads = ['EXTENSION', ...STORES.map((store) => storeName(store).toUpperCase())];
  const urgency = ({ targets }: Shown): number => urgencyOf(targets.filter(isEnabled));
  const inOrder = shown.toSorted((one, other) => urgency(one) - urgency(other));
  const rowsOf = (isShort: boolean): readonly (readonly string[])[] =>
    inOrder.map(({ extension, targets }) => [
      linked(style, `${url}/extensions/${extension.id}`, extension.name),
      ...STORES.map((store) => {
        const published = targets.filter((target) => target.store === store && target.enabled);
        return published.length === 0
          ? '—'
          : published.map((target) => linked(style, pageOf(target), cellOf(target, style, isShort))).join(', ');
      }),
    ]);
  const rows = rowsOf(false);
  return table(isRoomFor(rows, style, heads) ? rows : rowsOf(true), style, { heads });
}

/** One row for each target, those that need somebody first, and below it why it is in that phase. */
function details(shown: readonly Shown[], style: Style): string {
  const rows = shown.flatMap(({ targets }) =>
    targets
      .toSorted((one, other) => urgencyOf([one]) - urgencyOf([other]))
      .map((target) => [
        linkedName(target, style),
        cellOf(target, style),
        target.enabled ? messageOf(target, style) : '',
      ]),
  );
  return table(rows, style, { endsInProse: true });
}
