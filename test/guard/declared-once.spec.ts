import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SCOPES } from '../../src/common/access/index.js';
import { SETTINGS } from '../../src/common/config/index.js';
import { LICENSE_EVENTS } from '../../src/licensing/pure.js';
import { NEED_KINDS } from '../../src/operations/overview/needs/need.js';
import { RESOURCES } from '../../src/operations/overview/stream/changes.js';
import { ON_THE_WAY } from '../../src/registry/timeline/event.entity.js';
import { isYours, PHASES, type Phase } from '../../src/targets/pure.js';
import { PROCESSOR_IDS, STORE_IDS } from '../support/app.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What is made of others' facts; the sandbox and the tests state their own on purpose. */
const FOLDERS = ['src', 'clients/cli/src', 'clients/action/src', 'clients/licensing', 'console/src', 'scripts'];

const SOURCES = FOLDERS.flatMap((folder) =>
  readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.spec\.|node_modules/.test(file)),
);

const textOf = (file: string): string => readFileSync(`${ROOT}/${file}`, 'utf8');

/** The source of those files whose names match. */
const sourceOf = (names: RegExp, but = /^$/): string =>
  SOURCES.filter((file) => names.test(file) && !but.test(file))
    .map(textOf)
    .join('\n');

/** Each file is one that a new store or processor must be added to by hand, or is generated. */
it.each([
  [
    'stores',
    STORE_IDS,
    [
      'src/stores/adapters.ts',
      // The command line judges packages by the same rules, and loads no adapter.
      'src/stores/package-rules.ts',
      'src/stores/store.ts',
      // Generated.
      'clients/cli/src/api/catalog.ts',
      'clients/cli/src/api/schema.ts',
      // A compiler fails here where a store is missing.
      'clients/cli/src/connecting/same-credential.ts',
      // What a shop page may lead to.
      'clients/licensing/index.d.ts',
      // The mark of each.
      'console/src/ui/store.tsx',
      'scripts/sandbox-memory.mjs',
      'scripts/stand-ins.mjs',
    ],
  ],
  [
    'processors',
    PROCESSOR_IDS,
    [
      'src/common/config/settings.ts',
      'src/payments/adapters.ts',
      'clients/cli/src/api/processors.ts',
      'clients/cli/src/api/schema.ts',
      'clients/licensing/index.d.ts',
    ],
  ],
] as const)('no other file lists the %s', (_, ids, lists) => {
  const words = ids.map((id) => new RegExp(String.raw`\b${id}\b`));
  const found = SOURCES.filter((file) => words.every((word) => word.test(textOf(file))));
  expect(found.toSorted()).toEqual([...lists].toSorted());
});

it('each setting is read', () => {
  const source = sourceOf(/^src\//, /^src\/common\/config\/settings/);
  const unread = Object.keys(SETTINGS).filter((name) => !new RegExp(String.raw`\b${name}\b`).test(source));
  // These are read by the processor's name.
  expect(unread.toSorted()).toEqual(PROCESSOR_IDS.map((id) => `${id}ApiUrl`).toSorted());
});

it('each phase is one that something sets', () => {
  const source = sourceOf(/^src\/(reconcile|targets)\//, /status\/phase\.ts$/);
  // Which settings are missing says so where phases are declared.
  expect(PHASES.filter((phase) => !source.includes(`'${phase}'`))).toEqual(['incomplete']);
});

it('each phase marks how far a version got, or is known not to', () => {
  // A phase that does is also in EVENT_OF_STAGE of console/src/pages/extension/stages.ts.
  expect(PHASES.filter((phase) => !ON_THE_WAY.includes(`'phase_${phase}'`))).toEqual([
    'disabled',
    'incomplete',
    'idle',
    'queued',
    'uploading',
    'validating',
    'submitting',
    'backing_off',
    'taken_down',
  ]);
});

it('each scope is one that a route asks for', () => {
  const source = sourceOf(/\.controller\.ts$/);
  expect(SCOPES.filter((scope) => scope !== '*' && !source.includes(`'${scope}'`))).toEqual([]);
});

it('each event that becomes a notification is one that something records', () => {
  const kinds = 'src/notifications/kinds.ts';
  const events = [...textOf(kinds).matchAll(/event: '([a-z_]+)'/g)].flatMap(([, event = '']) => event);
  const source = sourceOf(/^src\//, new RegExp(kinds));
  expect(events.length).toBeGreaterThan(0);
  const unrecorded = events.filter((event) => !event.startsWith('phase_') && !source.includes(`'${event}'`));
  // Its name is made of the decision.
  expect(unrecorded).toEqual(['approval_approved']);
});

it('each event of a license is one that something tells', () => {
  const source = sourceOf(/^src\/licensing\//);
  const untold = LICENSE_EVENTS.filter((kind) => !source.includes(`kind: '${kind}'`));
  // Which of the two it is depends on the time.
  expect(untold).toEqual(['license.expiring', 'license.expired']);
});

it('each need is one that something finds', () => {
  const source = sourceOf(/^src\/operations\/overview\/needs\/needs\.ts$/);
  const isPhase = (kind: string): kind is Phase => (PHASES as readonly string[]).includes(kind);
  // Phases in which the tenant has to act are needs by themselves.
  const unfound = NEED_KINDS.filter((kind) => !(isPhase(kind) && isYours(kind)) && !source.includes(`'${kind}'`));
  expect(unfound).toEqual([]);
});

it('what a page of the console changes, it asks the permission for', () => {
  const { paths } = JSON.parse(textOf('openapi.json')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly 'x-scope'?: string }>>>>;
  };
  const pages = SOURCES.filter((file) => file.startsWith('console/src/pages/'));
  const wanted = pages.flatMap((file) =>
    [...textOf(file).matchAll(/\.(POST|PUT|PATCH|DELETE)\(\s*'(\/api\/v1\/[^']*)'/g)].flatMap(
      ([, method = '', path = '']) => {
        const scope = paths[path]?.[method.toLowerCase()]?.['x-scope'];
        return scope?.endsWith(':write') === true ? [{ folder: dirname(file), scope }] : [];
      },
    ),
  );
  expect(wanted.length).toBeGreaterThan(20);
  const asks = (folder: string, scope: string): boolean =>
    pages.some((page) => dirname(page) === folder && textOf(page).includes(`'${scope}'`));
  expect(wanted.filter(({ folder, scope }) => !asks(folder, scope))).toEqual([]);
});

it('each page of the console is in the rail, and something leads to it', () => {
  const routes = textOf('console/src/routes.tsx');
  const paths = [...routes.matchAll(/lazily\('(\/[a-z]+)'/g)].flatMap(([, path = '']) => path);
  const rail = routes.slice(routes.indexOf('export const RAIL'));
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !rail.includes(`'${path}'`))).toEqual(['/start']);
  const source = sourceOf(/^console\/src\//, /routes\.tsx$/);
  const isLinked = (path: string): boolean =>
    rail.includes(`href: '${path}'`) || new RegExp(`["'\`]${path}["'\`?#/]`).test(source);
  expect(paths.filter((path) => !isLinked(path))).toEqual([]);
});

it('each entry of a menu that leads to a page is named in the guide to the console', () => {
  const guide = textOf('docs/console.md').toLowerCase();
  const entries = [...sourceOf(/^console\/src\/pages\//).matchAll(/<MenuLink href="\/([a-z]+)"/g)].flatMap(
    ([, name = '']) => name,
  );
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.filter((name) => !guide.includes(name))).toEqual([]);
});

it.each([
  ['console', /^console\/src\/pages\/licenses\/change-dialog\.tsx$/],
  ['command line', /^clients\/cli\/src\/(commands\/license-changes|licensing\/(team|entitlements))\.ts$/],
])('the %s changes everything that the API lets people change of a license', (_, files) => {
  const { UpdateLicense } = JSON.parse(textOf('openapi.json')).components.schemas;
  const source = sourceOf(files);
  expect(Object.keys(UpdateLicense.properties).filter((name) => !new RegExp(`\\b${name}\\b`).test(source))).toEqual([]);
});

it('what the console shows is asked for again when somebody else changes it', () => {
  const keys = [...sourceOf(/^console\/src\//).matchAll(/(?:queryKey: |usePages(?:<.*>)?\()\[\s*'([a-z-]+)'/g)];
  const names = new Set(keys.flatMap(([, name = '']) => name));
  expect([...names].filter((name) => !(name in RESOURCES)).toSorted()).toEqual([
    // Counted by day: this and the last.
    'analytics',
    // Of the person or the instance, and in no stream of a tenant.
    'identities',
    'instance',
    // What is typed.
    'search',
    'second-factor',
    'sessions',
    'sign-in-methods',
    'stores',
    'week',
  ]);
});

it('each page of the settings has its place in their navigation', () => {
  const pathsIn = (file: string): readonly string[] =>
    [...textOf(file).matchAll(/'(\/settings\/[a-z]+)', (?:label|\()/g)].flatMap(([, path = '']) => path);
  const parts = pathsIn('console/src/pages/settings/settings.tsx');
  expect(parts.length).toBeGreaterThan(0);
  expect(pathsIn('console/src/routes.tsx').toSorted()).toEqual(parts.toSorted());
});
