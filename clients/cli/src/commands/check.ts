import { relative } from 'node:path';
import { Command } from 'commander';
import { action, type Context } from '../context.js';
import { EXIT, type ExitCode, Failure, usageFailure } from '../failure.js';
import { inOrder, isRefusal, rendered, type Finding } from '../preflight/findings.js';
import type { LinterMessage } from '../package/index.js';
import { packagesOf } from '../pushing/packages.js';
import { storeOf } from '../publishing/targets.js';
import type { Project } from '../settings/project-file.js';
import { storeChannels, storeName, storesThat, type StoreId } from '../stores.js';
import { list } from '../terminal/words.js';
import { withExamples } from './example.js';

/** The store that runs Mozilla's linter. */
const LINTED: StoreId = 'firefox';

interface Options {
  readonly store?: readonly string[];
  readonly lint: boolean;
}

/** Judges a package by what stores are known to refuse, without a service. */
export const checkCommand = (): Command =>
  withExamples(
    new Command('check')
      .description('Check a package for what stores refuse, on this machine. Needs no service.')
      .argument('[package]', 'zip, folder or project (default: that of pierhead.json, or what the build made)')
      .option('-s, --store <store...>', 'only for these stores; firefox:unlisted is an add-on that AMO does not list')
      .option('--no-lint', "leave out Mozilla's addons-linter, which runs when the project has it")
      .action(action(check)),
    'pierhead check',
    'pierhead check extension.zip --store edge',
  );

async function check(context: Context, named: string | undefined, options: Options): Promise<ExitCode> {
  const { terminal, surroundings } = context;
  const project = await context.project(named);
  const channels = channelsOf(options.store ?? project.settings.stores ?? storesOf(project));
  const packages = await packagesFor(project, surroundings.cwd, named, [...channels.keys()], options);
  const findings: Finding[] = [];
  const faults = new Set<string>();
  for (const [path, stores] of packages) {
    const found = await judged(context, project, path, { channels, stores, lint: options.lint });
    findings.push(...found.findings);
    for (const each of found.unjustified) faults.add(each);
  }
  for (const each of faults) terminal.warn(each);
  const refused = findings.filter(isRefusal);
  const ok = refused.length === 0;
  terminal.result({ ok, findings: inOrder(findings), justifications: [...faults] }, () =>
    findings.length === 0
      ? `Nothing was found that ${list([...packages.values()].flat().map(storeName), 'or')} would refuse.`
      : rendered(findings, terminal.style).join('\n\n'),
  );
  return ok ? EXIT.done : EXIT.failed;
}

/** The stores that pierhead.json names packages for; all that take packages where it names none. */
function storesOf({ settings }: Project): readonly string[] {
  const named = typeof settings.package === 'object' ? Object.keys(settings.package) : [];
  return named.length > 0 ? named : storesThat('requiresArtifact');
}

/** The channel of each store that is meant; null where it has none. @throws Failure for a store that takes no packages */
function channelsOf(named: readonly string[]): ReadonlyMap<StoreId, string | null> {
  const channels = new Map<StoreId, string | null>();
  for (const each of named) {
    const [name = '', ...of] = each.split(':');
    const store = storeOf(name);
    const known = storeChannels(store);
    const channel = of.length === 0 ? (known[0] ?? null) : of.join(':');
    if (channel !== null && !known.includes(channel))
      throw usageFailure(
        `${storeName(store)} has no channel "${channel}".`,
        known.length === 0 ? undefined : `Its channels are ${list(known)}.`,
      );
    if (storesThat('requiresArtifact').includes(store)) channels.set(store, channel);
  }
  if (channels.size === 0)
    throw usageFailure(
      'There is no package to check.',
      'The service checks a signed package for the App Store when it is pushed.',
    );
  return channels;
}

/** The packages, each with its stores. @throws Failure when a store that was asked for has none */
async function packagesFor(
  project: Project,
  cwd: string,
  named: string | undefined,
  stores: readonly StoreId[],
  { store: asked }: Options,
): Promise<ReadonlyMap<string, readonly StoreId[]>> {
  const { packageOf } = await packagesOf(project, cwd, named);
  const found = new Map<string, StoreId[]>();
  for (const store of stores) {
    const path = packageOf(store);
    if (path !== null) found.set(path, [...(found.get(path) ?? []), store]);
    else if (asked !== undefined) throw new Failure(`The build has no package for ${storeName(store)}.`);
  }
  return found;
}

interface For {
  readonly channels: ReadonlyMap<StoreId, string | null>;
  readonly stores: readonly StoreId[];
  readonly lint: boolean;
}

/** Findings in one package, for the stores that get it. */
async function judged(
  { terminal, surroundings: { cwd, env, signal } }: Context,
  project: Project,
  path: string,
  { channels, stores, lint }: For,
): Promise<{ readonly findings: readonly Finding[]; readonly unjustified: readonly string[] }> {
  const { preparePackage } = await import('../package/index.js');
  const { ignoreFilesOf } = await import('../settings/web-ext-config.js');
  const { judge, linted, mattersAt, unjustified } = await import('../preflight/rules.js');
  const prepared = await preparePackage(path, await ignoreFilesOf(project, env, path), { signal });
  try {
    const { name, version } = prepared.manifest;
    terminal.note(`${name} ${version}   ${relative(cwd, path) || '.'}`);
    const found = await judge(prepared.path);
    const byRules = found
      .filter((one) => stores.some((store) => mattersAt(one, store, channels.get(store) ?? null)))
      .map(({ channels: _channels, itemId: _itemId, ...finding }) => finding);
    const errors = lint && stores.includes(LINTED) ? await lintErrors(terminal, prepared.path, cwd, signal) : [];
    return { findings: [...byRules, ...linted(errors, found)], unjustified: unjustified(project, prepared) };
  } finally {
    await prepared.discard();
  }
}

/** What AMO's linter refuses, where the project has it. */
async function lintErrors(
  terminal: Context['terminal'],
  path: string,
  cwd: string,
  signal: AbortSignal,
): Promise<readonly LinterMessage[]> {
  const { lint } = await import('../package/index.js');
  const report = await lint(path, cwd, signal, () => terminal.note('Running addons-linter…'));
  return report?.errors ?? [];
}
