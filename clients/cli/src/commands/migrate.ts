import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import type { Service } from '../api/service.js';
import { action, type Context } from '../context.js';
import { EXIT, type ExitCode, Failure, usageFailure } from '../failure.js';
import type { Applied, Line, Plan, Refused } from '../migrate/index.js';
import { type Extension, registered } from '../publishing/extensions.js';
import { storeName } from '../stores.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/style.js';
import { marked, type Mark } from '../terminal/tones.js';
import { list } from '../terminal/words.js';
import { withExamples } from './example.js';

const SUBMIT_ENV = '.env.submit';

interface Options {
  readonly extension?: string;
  // Not `--env-file`: Node.js takes that for its own, also behind the name of a program.
  readonly submitEnv?: string;
  readonly fastlaneKey?: string;
  readonly chromePublisher?: string;
  readonly dryRun?: boolean;
}

/** Takes over what other tools know. */
export const migrateCommand = (): Command =>
  withExamples(
    new Command('migrate')
      .description('Import the settings and keys of publish-browser-extension, web-ext and fastlane.')
      .option('-e, --extension <name>', 'name or id (default: that of pierhead.json, or of the manifest)')
      .option(
        '--submit-env <path>',
        `the settings of publish-browser-extension (default: ${SUBMIT_ENV}, if it is there)`,
      )
      .option('--fastlane-key <path>', 'the key file of App Store Connect (default: found in fastlane/)')
      .option('--chrome-publisher <id>', 'the publisher id of the Chrome Developer Dashboard, under Account')
      .option('--dry-run', 'show what would be imported, and change nothing')
      .action(action(migrate)),
    'pierhead migrate --dry-run',
    'pierhead migrate --chrome-publisher 1b7c0a4e-0000-4000-8000-000000000000',
  );

async function migrate(context: Context, options: Options): Promise<ExitCode> {
  const { terminal, surroundings } = context;
  const plan = await planOf(context, options);
  if (plan.lines.length === 0)
    throw new Failure(
      `There is nothing to import: no ${SUBMIT_ENV}, no web-ext settings, no key, Appfile or Deliverfile of fastlane.`,
      {
        hint: 'Start with: pierhead init',
      },
    );
  const { lines, project: settings } = plan;
  const rows = lines.map(({ from, name, outcome, note }) => [
    marked(terminal.noteStyle, MARKS[outcome]),
    from,
    name,
    note,
  ]);
  terminal.note(table(rows, terminal.noteStyle, { endsInProse: true }));
  if (options.dryRun === true) {
    terminal.result({ lines }, () => 'Nothing was changed.');
    return EXIT.done;
  }
  const { applyPlans } = await import('../migrate/index.js');
  const project = await context.project();
  const service = await context.service();
  const found = await manifestIn(surroundings.cwd);
  const extension = await extensionOf(service, options.extension ?? project.settings.extension ?? found?.name);
  const stores = await applyPlans(context, service, extension.id, withAddonId(plan, found?.geckoId ?? null));
  const { addToProject } = await import('../settings/project-writer.js');
  const { path, added } = await addToProject(project, { extension: extension.name, ...settings }, service.url);
  const file = { path: relative(surroundings.cwd, path), added };
  const { id, name } = extension;
  terminal.result(
    {
      extension: { id, name },
      lines,
      stores: stores.map((each) => ('failure' in each ? { store: each.store, error: each.failure.message } : each)),
      file,
    },
    () => rendered(extension, stores, file, terminal.style),
  );
  for (const each of stores)
    if ('failure' in each)
      terminal.fail(new Failure(`${storeName(each.store)}: ${each.failure.message}`, each.failure));
  return stores.some((each) => 'failure' in each) ? EXIT.failed : EXIT.done;
}

const MARKS = { taken: 'ok', left: 'skipped' } as const satisfies Record<Line['outcome'], Mark>;

async function planOf(context: Context, options: Options): Promise<Plan> {
  const { cwd, env } = context.surroundings;
  const migrating = await import('../migrate/index.js');
  const { planFastlane, planSubmitEnv, planWebExt, readFastlane } = migrating;
  const { readWebExt } = await import('../settings/web-ext-config.js');
  const { submitEnv, fastlaneKey } = options;
  const envFile = submitEnv ?? SUBMIT_ENV;
  const text = submitEnv === undefined ? await textIfThere(join(cwd, SUBMIT_ENV)) : await context.text(submitEnv);
  const submit = planSubmitEnv(text, envFile, options.chromePublisher ?? (await publisherOf(context, text, envFile)));
  const hasKeys = submit.stores.some(({ store, credentials }) => store === 'firefox' && credentials !== null);
  return migrating.merged([
    submit,
    planWebExt(await readWebExt(cwd, env), hasKeys ? envFile : null),
    planFastlane(
      await readFastlane(
        cwd,
        fastlaneKey === undefined ? undefined : { from: fastlaneKey, text: await context.text(fastlaneKey) },
      ),
    ),
  ]);
}

const textIfThere = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });

/** Asks for the one thing that files of the old API lack. */
async function publisherOf(context: Context, text: string, envFile: string): Promise<string | undefined> {
  const { planSubmitEnv } = await import('../migrate/index.js');
  const completed = (publisherId?: string): boolean =>
    planSubmitEnv(text, envFile, publisherId).stores.some(
      ({ store, credentials }) => store === 'chrome' && credentials !== null,
    );
  if (completed() || !completed('any') || !context.terminal.isInteractive) return undefined;
  return context.ask.text(
    'Your publisher id, which the Chrome Developer Dashboard shows under Account',
    '--chrome-publisher',
  );
}

async function manifestIn(folder: string): Promise<{ readonly name: string; readonly geckoId: string | null } | null> {
  const { findBuild, readManifest } = await import('../package/index.js');
  try {
    const { packages } = await findBuild(folder);
    const chosen = packages.find(({ browser }) => browser === 'firefox') ?? packages[0];
    return chosen === undefined ? null : await readManifest(chosen.path);
  } catch {
    // A package that is not built yet has no name to offer.
    return null;
  }
}

/** The extension that is named, or a new one of that name. */
async function extensionOf(service: Service, name: string | undefined): Promise<Extension> {
  if (name === undefined)
    throw usageFailure('Cannot tell which extension this is: no manifest was found.', 'Name it with --extension.');
  return (await registered(service, name)).extension;
}

const withAddonId = ({ stores }: Plan, geckoId: string | null): Plan['stores'] =>
  stores.map((each) =>
    each.store === 'firefox' && geckoId !== null
      ? { ...each, settings: { storeItemId: geckoId, ...each.settings } }
      : each,
  );

function rendered(
  { name }: Extension,
  stores: readonly (Applied | Refused)[],
  file: { readonly path: string; readonly added: readonly string[] },
  style: Style,
): string {
  const rows = stores.map((each) =>
    'failure' in each
      ? [storeName(each.store), 'refused', '']
      : [storeName(each.store), keyText(each), targetText(each)],
  );
  const written =
    file.added.length === 0 ? `${file.path} already has everything` : `Added ${list(file.added)} to ${file.path}`;
  return [name, table(rows, style, { endsInProse: true }), `${written}. Your other files are unchanged.`].join('\n');
}

const keyText = ({ credential }: Applied): string =>
  ({ created: 'key saved', rotated: 'key replaced', unchanged: 'key is known', none: 'no key' })[credential ?? 'none'];

const targetText = ({ store, enabled, target }: Applied): string =>
  enabled ? `target ${target}` : `not connected yet: pierhead connect ${store}`;
