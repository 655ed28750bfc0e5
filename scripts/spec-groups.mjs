// Spec files that are run together, so that each group loads the service once: three thousand modules, two to five seconds of CPU.
import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './built.mjs';

/** How long a kilobyte of tests takes, beside one of pure decisions: whoever starts processes waits for them. */
const COSTS = [
  [/^test\/whole\//, 10],
  [/^test\//, 4],
];
/** Enough for the workers to end at about the same time. */
const GROUPS = 12;

const costOf = (path) => statSync(join(ROOT, path)).size * (COSTS.find(([pattern]) => pattern.test(path))?.[1] ?? 1);

/** @returns {readonly string[]} the paths of all spec files, from the project's folder */
export const allSpecs = () =>
  ['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.spec.ts'))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  );

/** Deals specs out, the longest first, each to the group that has least to do. @param {readonly string[]} specs */
function dealt(specs) {
  const groups = Array.from({ length: GROUPS }, () => ({ cost: 0, specs: [] }));
  const costs = new Map(specs.map((path) => [path, costOf(path)]));
  for (const path of specs.toSorted((one, other) => costs.get(other) - costs.get(one))) {
    const group = groups.reduce((least, one) => (one.cost < least.cost ? one : least));
    group.cost += costs.get(path);
    group.specs.push(path);
  }
  return groups.map((group) => group.specs).filter((group) => group.length > 0);
}

/**
 * Writes a file for each group that imports its specs.
 * @param {readonly string[]} specs paths from the project's folder
 * @param {string} below where to make a folder for them
 * @returns {string} the folder
 */
export function writeGroups(specs, below) {
  const folder = mkdtempSync(join(below, 'groups-'));
  for (const [at, group] of dealt(specs).entries()) {
    const lines = group.map((path) => `import ${JSON.stringify(join(ROOT, path))};\n`);
    writeFileSync(join(folder, `group-${at + 1}.spec.ts`), lines.join(''));
  }
  return folder;
}
