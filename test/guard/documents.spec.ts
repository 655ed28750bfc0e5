import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROLE_PERMISSIONS, ROLES, TENANT_SCOPES } from '../../src/common/access/roles.js';
import type { Dimension } from '../../src/analytics/dimensions.js';
import { NOTIFICATION_KINDS } from '../../src/notifications/kinds.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);

/** What the documents call a path of the repository: a folder at its top, and something below. */
const PATH = /^\.?\/?((?:src|test|sandbox|scripts|bench|examples|\.ci)\/[\w./-]*)$/;

interface BoundaryRule {
  readonly name: string;
  readonly to: { readonly pathNot?: readonly string[] };
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
const anchorsOf = (text: string): string[] => all(text, /^#+ (.+)$/gm).map(anchorOf);

const DOCUMENTS = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...['bench', 'docs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
  ...[
    'clients/action',
    'clients/cli',
    'clients/licensing',
    'console',
    'src/common/database',
    'src/payments',
    'src/stores',
    'test',
    'test/simulator',
  ].map((folder) => `${folder}/README.md`),
  'examples/http-api.md',
  'test/invariants.md',
];

const SOURCES = ['src', 'sandbox', 'test'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .map((path) => join(folder, path)),
);

describe.each(DOCUMENTS)('%s', (document) => {
  const text = read(document);

  it('links only to what is there', () => {
    const broken = all(withoutCode(text), /\]\(([^)\s]+)\)/g)
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? document : join(dirname(document), path);
        return !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor));
      });
    expect(broken).toEqual([]);
  });

  it('names only files and folders that are there', () => {
    const paths = all(text, /`([^`\n]+)`/g).flatMap((span) => PATH.exec(span)?.[1] ?? []);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('names only npm scripts that are there', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    const named = all(text, /\bnpm (?:run (?:--silent )?)?([a-z][\w:-]*)/g).filter(
      (name) => !['audit', 'ci', 'install'].includes(name),
    );
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

const { version } = JSON.parse(read('package.json')) as { readonly version: string };
const PAGES = DOCUMENTS.filter((document) => /^(README\.md|docs\/|clients\/|examples\/)/.test(document));

it.each(PAGES.filter((document) => read(document).includes('npx pierhead ')))(
  '%s shows how to install the command line before its first use',
  (document) => {
    const [before] = read(document).split('npx pierhead ');
    expect(before).toContain(`npm install -D https://pierhead.example/clients/pierhead-${version}.tgz`);
  },
);

it.each(PAGES)('%s names clients at addresses of this version', (document) => {
  const named = all(read(document), /\/clients\/(pierhead[\w.-]*\.tgz)/g);
  expect(
    named.filter((file) => !/^pierhead(?:-licensing|-action)?-/.test(file) || !file.endsWith(`-${version}.tgz`)),
  ).toEqual([]);
});

it('comments in the code link only to sections of documents that are there', () => {
  const broken = SOURCES.flatMap((source) =>
    all(read(source), /\b((?:docs\/[\w/-]+|src\/[\w/-]+\/README)\.md(?:#[\w-]+)?)/g)
      .filter((link) => {
        const [document = '', anchor] = link.split('#');
        return (
          !existsSync(join(ROOT, document)) || (anchor !== undefined && !anchorsOf(read(document)).includes(anchor))
        );
      })
      .map((link) => `${source}: ${link}`),
  );
  expect(broken).toEqual([]);
});

/** Folders that import neither audit nor accounts. */
const ALONE = ['audit', 'backup', 'commands', 'doctor', 'documents', 'keys', 'mail', 'overview', 'payments', 'stores'];

it('the arrows in ARCHITECTURE are those that are enforced', () => {
  const { forbidden } = require(join(ROOT, '.dependency-cruiser.cjs')) as {
    readonly forbidden: readonly BoundaryRule[];
  };
  const nameOf = (folder: string): string => folder.replace(/^(?:platform|operations)\//, '');
  const enforced = forbidden
    .filter(({ name }) => name.startsWith('arrows-of-'))
    .map(({ name, to }) => {
      const folder = nameOf(name.slice('arrows-of-'.length));
      const allowed = (to.pathNot ?? []).map((path) => nameOf(path.replaceAll(/^\^src\/|\/$/g, '')));
      return [folder, allowed.filter((each) => each !== folder).toSorted()] as const;
    });
  const drawn = new Map(
    [...read('ARCHITECTURE.md').matchAll(/^ +([\w-]+) --> (.+)$/gm)].map(([, folder = '', to = '']) => [
      folder,
      to.split(' & '),
    ]),
  );
  // What the text above the diagram says of common, audit and accounts.
  const impliedOf = (folder: string): readonly string[] => {
    if (folder === 'common') return [];
    if (ALONE.includes(folder)) return ['common'];
    return folder === 'accounts' ? ['common', 'audit'] : ['common', 'accounts', 'audit'];
  };
  const allowed = enforced.map(([folder]) => [folder, [...impliedOf(folder), ...(drawn.get(folder) ?? [])].toSorted()]);
  expect(Object.fromEntries(allowed)).toEqual(Object.fromEntries(enforced));
});

/** `[Name](file.ts)`, with `.method` behind it where a document names one. */
const NAMED = /\[([A-Z]\w*|[a-z]+[A-Z]\w*)\]\(([\w./-]+\.(?:tsx?|mjs|js))\)(?:`\.(\w+)`)?/g;

it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'test/README.md'])(
  '%s names only what the linked files hold',
  (document) => {
    const missing = [...read(document).matchAll(NAMED)].flatMap(([, name = '', path = '', method]) => {
      const source = read(join(dirname(document), path));
      return [name, method]
        .filter((each) => each !== undefined && !new RegExp(String.raw`\b${each}\b`).test(source))
        .map((each) => `${path}: ${each}`);
    });
    expect(missing).toEqual([]);
  },
);

it('ARCHITECTURE names only functions and classes that are in the code', () => {
  const code = SOURCES.map(read).join('\n');
  const named = new Set(all(read('ARCHITECTURE.md'), /`@?((?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*))(?:\([^`]*\))?`/g));
  expect([...named].filter((name) => !new RegExp(String.raw`\b${name}\b`).test(code))).toEqual([]);
});

describe('Where would I change…, in CONTRIBUTING', () => {
  const [, section = ''] = read('CONTRIBUTING.md').split('\n## Where would I change…\n');
  const areas = (section.split('\n## ')[0] ?? '')
    .split('\n### ')
    .slice(1)
    .map((area) => {
      const [heading = '', ...items] = area.trimEnd().split(/\n+(?=- )/);
      return { heading: heading.trim(), items };
    });
  const items = areas.flatMap((area) => area.items);
  const changeOf = (item: string): string => /\*\*(.+?)\*\*/.exec(item)?.[1] ?? item;
  const linked = (text: string): string[] => all(text, /\]\(([^)#\s]+)/g);
  const halvesOf = (item: string): readonly string[] => item.split(/\bTest: /);

  it('has items for each part of the repository', () => {
    const parts = new Set(areas.map(({ heading }) => heading.split(':')[0]));
    expect(parts).toEqual(new Set(['Service', 'CLI', 'Console', 'Sandbox', 'Documents']));
    expect(areas.filter((area) => area.items.length < 2)).toEqual([]);
    expect(items.length).toBeGreaterThan(45);
  });

  it('names before each link what that file holds, and after the last one what the last file holds', () => {
    const missing = items.flatMap((item) => {
      const [change = ''] = halvesOf(item);
      const parts = change.split(/\]\(([^)#\s]+\.(?:tsx?|js))[^)]*\)/);
      return parts.flatMap((text, at) => {
        const path = parts[Math.min(at + 1, parts.length - 2)] ?? '';
        const source = at % 2 === 0 && parts.length > 1 ? read(path) : '';
        return at % 2 === 1
          ? []
          : all(text, /`@?(\w+)`/g)
              .filter((name) => !new RegExp(String.raw`\b${name}\b`).test(source))
              .map((name) => `${changeOf(item)}: ${path}: ${name}`);
      });
    });
    expect(missing).toEqual([]);
  });

  it('names a test for each change', () => {
    const untested = items.filter((item) => {
      const tests = linked(halvesOf(item)[1] ?? '');
      return tests.length === 0 || !tests.every((path) => /\.spec\.ts$|^test\//.test(path));
    });
    expect(untested.map(changeOf)).toEqual([]);
  });
});

it('docs/people.md says of each permission which roles have it', () => {
  const rows = [...read('docs/people.md').matchAll(/^\| .+? +\| `([a-z]+(?::[a-z]+)?)` +\| (.+) \|$/gm)];
  const said = rows.map(([, permission, cells = '']) => [
    permission,
    cells.split('|').map((cell) => cell.trim() === 'yes'),
  ]);
  const held = ROLE_PERMISSIONS.owner.map((permission) => [
    permission,
    ROLES.map((role) => ROLE_PERMISSIONS[role].includes(permission)),
  ]);
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(held));
});

it('docs/people.md names the scopes that `*` does not include', () => {
  const [item = ''] = /^- .*must be named[^]*?(?=^- )/m.exec(read('docs/people.md')) ?? [];
  expect(all(item, /`([a-z]+:[a-z]+)`/g).toSorted()).toEqual([...TENANT_SCOPES].toSorted());
});

/** Each dimension in the words of the documents. */
const DIMENSION_WORDS: Readonly<Record<Dimension, string>> = {
  version: 'version',
  browser: 'browser',
  browserVersion: 'browser',
  os: 'operating system',
  country: 'country',
  language: 'language',
  store: 'store',
  licensed: 'licensed or free',
};

it('docs/security.md names all that is kept of an install', () => {
  const [, kept = ''] = /^\| analytics +\| (.+?); no address/m.exec(read('docs/security.md')) ?? [];
  expect(kept.split(', ')).toEqual([...new Set(Object.values(DIMENSION_WORDS))]);
});

it('docs/publishing.md describes each kind of notification', () => {
  const [, section = ''] = read('docs/publishing.md').split('\n## Get notified\n');
  const rows = all(section.split('\n## ')[0] ?? '', /^\| (`.+?) +\|/gm);
  expect(rows.flatMap((row) => all(row, /`([\w.]+)`/g)).toSorted()).toEqual([...NOTIFICATION_KINDS].toSorted());
});

it('docs/publishing.md describes each setting of a target that says how a version goes out', () => {
  const [, section = ''] = read('docs/publishing.md').split('\n## Control how a version goes out\n');
  const { components } = JSON.parse(read('openapi.json')) as {
    components: { schemas: { UpdateTarget: { properties: object } } };
  };
  const where = new Set(['storeItemId', 'crxId', 'credentialId', 'enabled']);
  expect(all(section.split('\n## ')[0] ?? '', /^\| `(\w+)` +\|/gm).toSorted()).toEqual(
    Object.keys(components.schemas.UpdateTarget.properties)
      .filter((name) => !where.has(name))
      .toSorted(),
  );
});

it('README, ARCHITECTURE and CONTRIBUTING stay short', () => {
  const linesOf = (document: string): number => read(document).trimEnd().split('\n').length;
  const wordsOf = (document: string): number => all(read(document), /(\S+)/g).length;
  expect(wordsOf('ARCHITECTURE.md')).toBeLessThanOrEqual(2000);
  expect(wordsOf('CONTRIBUTING.md')).toBeLessThanOrEqual(2500);
  expect(linesOf('README.md')).toBeLessThanOrEqual(180);
  expect(linesOf('ARCHITECTURE.md')).toBeLessThanOrEqual(250);
});

const GUIDES = DOCUMENTS.filter((document) =>
  /^(docs\/[\w-]+|(?:bench|console|src\/.+|test\/simulator)\/README|examples\/http-api|test\/invariants)\.md$/.test(
    document,
  ),
);
/** The words up to the first full stop that ends a sentence. */
const openingOf = (document: string): readonly string[] =>
  (/^[\s\S]+?\.(?=\s|$)/.exec(read(document).split('\n\n')[1] ?? '')?.[0] ?? '').split(/\s+/);

it.each(GUIDES)('%s says first, in one short sentence, what it is for', (document) => {
  const words = openingOf(document);
  expect(words.length).toBeGreaterThanOrEqual(5);
  expect(words.length).toBeLessThanOrEqual(25);
  expect(words.join(' ')).toMatch(/^[`A-Z]/);
});

it('no two guides open with the same phrase', () => {
  const openings = GUIDES.map((document) => openingOf(document).slice(0, 3).join(' '));
  expect(openings.filter((opening, at) => openings.indexOf(opening) !== at)).toEqual([]);
  expect(openings.filter((opening) => opening === 'After reading this')).toEqual([]);
});
