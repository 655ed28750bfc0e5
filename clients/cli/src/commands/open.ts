import { Argument, Command } from 'commander';
import { answer, type Service } from '../api/service.js';
import { action, type Context } from '../context.js';
import { Failure, usageFailure } from '../failure.js';
import { findExtension, listExtensions } from '../publishing/extensions.js';
import { chooseTarget } from '../publishing/chosen.js';
import { listTargets } from '../publishing/targets.js';
import { storeName, STORES, type StoreId } from '../stores.js';
import { linked } from '../terminal/style.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

const PLACES = ['console', 'docs', 'extension', ...STORES] as const;
type Place = (typeof PLACES)[number];

interface Options {
  readonly extension?: string;
  readonly dashboard?: true;
  readonly print?: true;
}

/** Opens the page of a thing in the browser. */
export const openCommand = (): Command =>
  withExamples(
    new Command('open')
      .description(
        "Open the console, its page of the extension, the API reference, or the extension's page at a store.",
      )
      .addArgument(new Argument('[page]', 'what to open').choices(PLACES).default('console'))
      .option(...EXTENSION)
      .option('--dashboard', "the store's page for authors instead of the listing")
      .option('--print', 'print the address, and open nothing')
      .action(action(openPage)),
    'pierhead open docs',
    'pierhead open extension',
    'pierhead open chrome --dashboard',
    'pierhead open firefox --extension "Tab Counter" --print',
  );

async function openPage(context: Context, place: Place, options: Options): Promise<void> {
  const { terminal } = context;
  const url = await urlOf(context, place, options);
  terminal.result({ url }, () => linked(terminal.style, url));
  if (options.print || terminal.json || !terminal.isInteractive) return;
  const { openInBrowser } = await import('../terminal/browser.js');
  if (!(await openInBrowser(context.surroundings.env, url))) terminal.note('No browser could be started.');
}

async function urlOf(context: Context, place: Place, { extension, dashboard }: Options): Promise<string> {
  if (place === 'console' || place === 'docs' || place === 'extension') {
    if (dashboard) throw usageFailure('--dashboard needs a store.', 'Example: pierhead open chrome --dashboard');
    if (place === 'extension') {
      const service = await context.service();
      const { id } = await findExtension(service, extension, await context.project());
      return `${service.url}/extensions/${id}`;
    }
    const url = await context.url();
    return place === 'docs' ? `${url}/api/docs` : `${url}/`;
  }
  const service = await context.service();
  const project = await context.project();
  const isNamed = extension !== undefined || project.settings.extension !== undefined;
  if (dashboard && !isNamed && (await listExtensions(service)).length !== 1) return frontDoor(service, place);
  const { id, name } = await findExtension(service, extension, project);
  const target = chooseTarget(await listTargets(service, id), place);
  if (dashboard) return target.dashboard;
  if (target.listing !== null) return target.listing;
  throw new Failure(`${name} has no known listing at ${storeName(place)}.`, {
    hint: `Open the page for authors with: pierhead open ${place} --dashboard`,
  });
}

/** The page for authors, which each store names first. */
async function frontDoor(service: Service, store: StoreId): Promise<string> {
  const { items } = await answer(service.client.GET('/api/v1/stores'));
  const url = items.find(({ id }) => id === store)?.links[0]?.url;
  if (url === undefined) throw new Failure(`The service does not know a page for ${storeName(store)}.`);
  return url;
}
