import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Command } from 'commander';
import { answer, everything, type Schema, type Service } from '../api/service.js';
import type { Publishing, StoreDescription } from '../connecting/index.js';
import type { FoundPackage } from '../connecting/found-package.js';
import { action, type Context } from '../context.js';
import { Failure, withResumeHint } from '../failure.js';
import { registered, type Extension } from '../publishing/extensions.js';
import { listTargets, updateTarget, type Target } from '../publishing/targets.js';
import type { Project } from '../settings/project-file.js';
import { storeName, STORES, type StoreId } from '../stores.js';
import { marked } from '../terminal/tones.js';
import { list } from '../terminal/words.js';
import { withExamples } from './example.js';

/** Leads from a built extension to its stores. */
export const initCommand = (): Command =>
  withExamples(
    new Command('init')
      .description('Register an extension, connect its stores, and write pierhead.json. Run it again to continue.')
      .argument('[path]', 'zip or folder of the extension (default: what WXT, Plasmo or a bundler built here)')
      .action(action(init)),
    'pierhead init',
    'pierhead init dist',
  );

async function init(context: Context, path: string | undefined): Promise<void> {
  const { terminal, surroundings } = context;
  const project = await context.project();
  const found = await findThere(context, path, project);
  const { manifest, build } = found;
  const at = relative(surroundings.cwd, found.path) || '.';
  const made = build.framework === null ? '' : ` by ${build.framework}`;
  terminal.note(
    `  ${terminal.noteStyle('bold', `${manifest.name} ${manifest.version}`)} · Manifest V${manifest.manifestVersion} · found in ${at}${made}`,
  );
  const service = await context.service();
  const { extension, isNew } = await registered(service, project.settings.extension ?? manifest.name);
  terminal.note(`  ${isNew ? 'Registered' : 'Known'} as "${extension.name}".`);
  const file = await writeProject(project, extension, found, surroundings.cwd, service.url);
  try {
    const connected = await connectAll(context, service, extension, found);
    const workflow = await addWorkflow(context, service, extension, { found, connected });
    const { id, name } = extension;
    terminal.result({ extension: { id, name }, stores: connected, file, workflow }, () =>
      connected.length === 0
        ? 'No store is connected yet. Continue with: pierhead init'
        : `Connected to ${list(connected.map(storeName))}. Publish with: pierhead push`,
    );
  } catch (error) {
    throw withResumeHint(error, 'pierhead init');
  }
}

/** @throws Failure where nothing was built, or its manifest cannot be read */
async function findThere(
  context: Context,
  path: string | undefined,
  { settings, folder }: Project,
): Promise<FoundPackage> {
  const { findPackage } = await import('../connecting/found-package.js');
  const named = typeof settings.package === 'string' ? resolve(folder, settings.package) : folder;
  return findPackage(path === undefined ? named : resolve(context.surroundings.cwd, path));
}

/** Notes the extension before anything else is asked, so that a second run finds it. */
async function writeProject(
  project: Project,
  extension: Extension,
  found: FoundPackage,
  cwd: string,
  serviceUrl: string,
): Promise<{ readonly path: string; readonly added: readonly string[] }> {
  const { addToProject } = await import('../settings/project-writer.js');
  const { lastingPath } = await import('../package/index.js');
  const at = pathToName(found, project.folder);
  const wanted = { extension: extension.name, ...(at === null ? {} : { package: lastingPath(at) }) };
  const { path: file, added } = await addToProject(project, wanted, serviceUrl);
  return { path: relative(cwd, file), added };
}

/** Argument that a push of a folder needs; null where it finds the package without one, or the package is elsewhere. */
function pathToName({ build }: FoundPackage, folder: string): string | null {
  const at = relative(folder, build.from).split(sep).join('/');
  return at !== '' && !at.startsWith('..') ? at : null;
}

async function connectAll(
  context: Context,
  service: Service,
  extension: Extension,
  { geckoId }: FoundPackage,
): Promise<StoreId[]> {
  const { connectStore, checkItem } = await import('../connecting/index.js');
  const { items } = await answer(service.client.GET('/api/v1/stores'));
  const targets = await listTargets(service, extension.id);
  const enabled = targets.filter((target) => target.enabled);
  const chosen = await context.ask.chooseSeveral<StoreId>(
    'Where does it go?',
    'pierhead connect <store>',
    STORES.map((store) => ({ value: store, label: storeName(store) })),
    [...new Set(enabled.map(({ store }) => store))],
  );
  const connected: StoreId[] = [];
  for (const id of chosen) {
    const target = enabled.find((each) => each.store === id) ?? targets.find((each) => each.store === id);
    const store = items.find((each) => each.id === id);
    if (target === undefined || store === undefined) throw new Failure(`The service does not know the store ${id}.`);
    const check = target.enabled ? await checkItem(service, extension.id, target.id) : null;
    if (check?.isAccepted === true)
      context.terminal.note(
        `\n  ${marked(context.terminal.noteStyle, 'ok', `${storeName(id)} is connected: ${check.because}`)}`,
      );
    else {
      if (check !== null) context.terminal.warn(`${storeName(id)}: ${check.because}`);
      await connectStore({ context, service, extension, target, store, geckoId });
    }
    await answerExport(context, service, target, store);
    connected.push(id);
  }
  return connected;
}

/** Asks the one question that a store has about each build, and that only the author can answer. */
async function answerExport(
  { ask }: Context,
  service: Service,
  target: Target,
  { capabilities, title }: StoreDescription,
): Promise<void> {
  if (!capabilities.exportCompliance || target.encryption !== null) return;
  const said = await ask.choose<Schema<'UpdateTarget'>['encryption']>(
    `${title} asks about each build: does it use encryption that export rules cover?`,
    'pierhead api PATCH',
    [
      { value: 'exempt', label: 'No, or only what is exempt' },
      { value: 'nonExempt', label: 'Yes' },
      { value: null, label: 'Answer later' },
    ],
  );
  if (said === null || said === undefined) return;
  await updateTarget(service, target, { encryption: said });
}

/** Adds the workflow where the project is at GitHub and the person wants it. @returns its path; null for none */
async function addWorkflow(
  context: Context,
  service: Service,
  extension: Extension,
  { found, connected }: { readonly found: FoundPackage; readonly connected: readonly StoreId[] },
): Promise<string | null> {
  const { findRepository, TAG_REF, withAnotherJob, WORKFLOW_FILE, workflowOf } = await import('../connecting/index.js');
  const { terminal, ask, surroundings } = context;
  const repository = await findRepository(surroundings.cwd);
  if (repository === null || repository.name === null) return null;
  const { folder, name } = repository;
  const path = join(folder, WORKFLOW_FILE);
  const shown = relative(surroundings.cwd, path);
  const before = await readFile(path, 'utf8').catch(() => null);
  if (before?.includes(extension.id)) {
    await trust(context, service, extension, name, TAG_REF);
    return shown;
  }
  const publishing = {
    ...(await publishingOf(service, extension, found, folder)),
    safari: connected.includes('safari') ? await safariAppOf(service, extension, found, folder) : null,
  };
  const after = before === null ? workflowOf(publishing) : withAnotherJob(before, publishing);
  if (after === null) {
    terminal.note(`  ${shown} already exists and was left unchanged: it does not publish with Pierhead.`);
    return null;
  }
  const question =
    before === null
      ? `Add a GitHub workflow that publishes each tag such as v${found.manifest.version}?`
      : `Add a job for ${extension.name} to ${shown}?`;
  if (!(await ask.confirm(question, 'a workflow of your own', true))) return null;
  await trust(context, service, extension, name, TAG_REF);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, after, before === null ? { flag: 'wx' } : {});
  terminal.note(before === null ? `  Wrote ${shown}.` : `  Added a job to ${shown}.`);
  if (isLoopback(service.url))
    terminal.warn(
      `GitHub cannot reach ${service.url}. Before you push a tag, put the public address of the service into ${shown}.`,
    );
  return shown;
}

const isLoopback = (url: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);

/** Facts that a workflow at the root of a repository needs. */
async function publishingOf(
  service: Service,
  extension: Extension,
  found: FoundPackage,
  root: string,
): Promise<Omit<Publishing, 'safari'>> {
  const { buildSteps } = await import('../connecting/index.js');
  const { lastingPath } = await import('../package/index.js');
  const { framework } = found.build;
  const build = await buildSteps(resolve(found.path), root, framework);
  const { tenant } = await answer(service.client.GET('/api/v1/auth/me'));
  const at = pathToName(found, root);
  return {
    url: service.url,
    tenantId: tenant.id,
    extension,
    package: at === null ? null : lastingPath(at),
    // Reviewers of Firefox want the sources of what was built; archives that a framework packs are found automatically.
    sources: framework === null && build.length > 0 ? '.' : null,
    build,
  };
}

/** The app that a Mac makes of what is built for Safari, else for Chrome. */
async function safariAppOf(
  service: Service,
  { id, name }: Extension,
  { build, path }: FoundPackage,
  root: string,
): Promise<Publishing['safari']> {
  const { lastingPath, packageFor } = await import('../package/index.js');
  const targets = await listTargets(service, id);
  const item = targets.find(({ store }) => store === 'safari')?.storeItemId ?? '';
  const built = relative(root, resolve(packageFor(build, 'safari')?.path ?? path))
    .split(sep)
    .join('/');
  return { built: lastingPath(built), name, bundleId: /^\d*$/.test(item) ? null : item };
}

/** Lets the repository's jobs for tags push this extension, unless they may already. */
async function trust(
  context: Context,
  service: Service,
  { id, name }: Extension,
  repository: string,
  ref: string,
): Promise<void> {
  const { withSecondFactor } = await import('../connecting/index.js');
  const { client } = service;
  const rules = await everything((query) => client.GET('/api/v1/ci/trust-rules', { params: { query } }));
  const isTrusted = rules.some(
    (rule) =>
      rule.repository.toLowerCase() === repository.toLowerCase() &&
      rule.ref === ref &&
      (rule.extensionIds === null || rule.extensionIds.includes(id)),
  );
  if (isTrusted) return;
  const body: Schema<'CreateTrustRule'> = {
    name: `Releases of ${name}`.slice(0, 100),
    repository,
    ref,
    scopes: ['artifacts:write', 'extensions:read'],
    extensionIds: [id],
  };
  await withSecondFactor(context, service, () => answer(client.POST('/api/v1/ci/trust-rules', { body })));
  context.terminal.note(`  Jobs of ${repository} for ${ref} may push it, without a stored secret.`);
}
