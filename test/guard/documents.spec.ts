import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);

/** What the documents call a path of the repository: a folder at its top, and something below. */
const PATH = /^\.?\/?((?:src|test|scripts|bench|examples|\.ci)\/[\w./-]*)$/;

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
];

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
    const named = all(text, /\bnpm (?:run (?:--silent )?)?([a-z][\w:]*)/g).filter((name) => name !== 'ci');
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

it('comments in the code link only to sections of docs that are there', () => {
  const sources = ['src', 'sandbox', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
      .map((path) => join(folder, path)),
  );
  const broken = sources.flatMap((source) =>
    all(read(source), /\b(docs\/[\w/-]+\.md(?:#[\w-]+)?)/g)
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

it('the arrows in ARCHITECTURE are those that are enforced', () => {
  const { forbidden } = require(join(ROOT, '.dependency-cruiser.cjs')) as {
    readonly forbidden: readonly BoundaryRule[];
  };
  const enforced = forbidden
    .filter(({ name }) => name.startsWith('arrows-of-'))
    .map(({ name, to }) => {
      const folder = name.slice('arrows-of-'.length);
      const allowed = (to.pathNot ?? []).map((path) => path.replaceAll(/^\^src\/|\/$/g, ''));
      return [folder, allowed.filter((each) => each !== folder).toSorted()];
    });
  const drawn = [...read('ARCHITECTURE.md').matchAll(/^(\w+) +-> (.+)$/gm)].map(([, folder, to = '']) => [
    folder,
    to === 'nothing' ? [] : to.split(', ').toSorted(),
  ]);
  expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(enforced));
});
