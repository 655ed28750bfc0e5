// Where the version of Pierhead is written, for the release, which sets it, and for the check of a release, which compares.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './built.mjs';

const NUMBER = String.raw`\d+\.\d+\.\d+`;
const PACKAGES = ['.', 'console', 'sandbox', 'clients/action', 'clients/cli', 'clients/licensing'];
const GUIDES = [
  'README.md',
  'SECURITY.md',
  'clients/action/README.md',
  'clients/cli/README.md',
  'clients/licensing/README.md',
];

const guidesIn = (folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

/** The files, and what stands before and after the version in each. */
const PLACES = [
  ...PACKAGES.map((folder) => [join(folder, 'package.json'), /^ {2}"version": "/m, '"']),
  ['deploy/kubernetes/kustomization.yaml', /newTag: /, '\n'],
  ['Dockerfile', /image\.version=/, ' '],
  ...[...GUIDES, ...guidesIn('docs')].flatMap((path) => [
    [path, /pierhead-(?:\w+-)?/, '.tgz'],
    [path, /ghcr\.io\/pierhead\/pierhead:/, ' '],
  ]),
].map(([path, before, after]) => [
  path,
  new RegExp(`(?<=${before.source})${NUMBER}(?=${after.replace('.', '\\.')})`, 'gm'),
]);

const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** The version of this clone. */
export const currentVersion = () => JSON.parse(read('package.json')).version;

/** @returns where another version is written than this one, as `path: version` */
export const otherVersions = (version) =>
  PLACES.flatMap(([path, pattern]) =>
    (read(path).match(pattern) ?? []).filter((found) => found !== version).map((found) => `${path}: ${found}`),
  );

/** Writes a version wherever it belongs, also into the lock file. */
export function setVersion(version) {
  for (const [path, pattern] of PLACES) writeFileSync(join(ROOT, path), read(path).replace(pattern, version));
  const lock = JSON.parse(read('package-lock.json'));
  lock.version = version;
  for (const folder of PACKAGES) lock.packages[folder === '.' ? '' : folder].version = version;
  writeFileSync(join(ROOT, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
}

/** @returns what CHANGELOG.md says of a version, or of what is unreleased; undefined when it has no such section */
export function notesOf(title) {
  const [, section] = read('CHANGELOG.md').split(`\n## ${title}`);
  return section?.split('\n').slice(1).join('\n').split('\n## ')[0].trim();
}
