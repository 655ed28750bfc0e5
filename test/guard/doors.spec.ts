import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PAST_THE_DOOR } from './doors.js';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

/** They only hold other folders, each with a door of its own. */
const HALLS: readonly string[] = ['.', 'common', 'platform', 'operations'];

const isDoor = (file: string): boolean => /\/(?:index|pure)\.ts$/.test(file);
const isIn = (folder: string, file: string): boolean => folder === '.' || file.startsWith(`${folder}/`);

/** The folders that hold a file, innermost first, up to one that only holds others. */
function foldersOf(file: string): readonly string[] {
  const folder = dirname(file);
  return HALLS.includes(folder) ? [] : [folder, ...foldersOf(folder)];
}

/** Every import of one file of the service by another. */
const IMPORTS = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.spec)\.ts$/.test(path))
  .flatMap((from) =>
    [...readFileSync(join(SRC, from), 'utf8').matchAll(/(?:from |import\()'(\.[^']+)\.js'/g)].map(([, to = '']) => ({
      from,
      to: join(dirname(from), `${to}.ts`),
    })),
  );

/** Whether an import enters a folder past its door. The folder's parent puts its parts together, and may name their files. */
const isPastDoorOf = (folder: string, { from, to }: (typeof IMPORTS)[number]): boolean =>
  !isIn(folder, from) && dirname(from) !== dirname(folder) && !(dirname(to) === folder && isDoor(to));

it('a folder is entered from outside by its index.ts or pure.ts, at every depth', () => {
  const counts: Record<string, number> = {};
  for (const one of IMPORTS.filter((each) => foldersOf(each.to).some((folder) => isPastDoorOf(folder, each)))) {
    const way = `${dirname(one.from)} -> ${dirname(one.to)}`;
    counts[way] = (counts[way] ?? 0) + 1;
  }
  expect(counts).toEqual(PAST_THE_DOOR);
});

/** The folder next below another that holds a file; undefined for a file that is not deeper. */
const childOf = (parent: string, file: string): string | undefined => {
  const below = parent === '.' ? file : file.slice(parent.length + 1);
  return isIn(parent, file) && below.includes('/') ? below.split('/')[0] : undefined;
};

/** Which folders beside each other import which. */
function arrowsIn(parent: string): ReadonlyMap<string, ReadonlySet<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to } of IMPORTS) {
    const [one, other] = [childOf(parent, from), childOf(parent, to)];
    if (one === undefined || other === undefined || one === other) continue;
    arrows.set(one, (arrows.get(one) ?? new Set()).add(other));
  }
  return arrows;
}

function reachedFrom(start: string, arrows: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (folder: string): void => {
    for (const next of arrows.get(folder) ?? [])
      if (!reached.has(next)) {
        reached.add(next);
        visit(next);
      }
  };
  visit(start);
  return reached;
}

it('folders beside each other import in one direction, at every depth', () => {
  const parents = new Set(['.', ...IMPORTS.flatMap(({ from }) => [...foldersOf(from), ...HALLS])]);
  const circles = [...parents].flatMap((parent) => {
    const arrows = arrowsIn(parent);
    return [...arrows].flatMap(([one, others]) =>
      [...others]
        .filter((other) => reachedFrom(other, arrows).has(one))
        .map((other) => `${parent}: ${one} -> ${other}`),
    );
  });
  expect(circles).toEqual([]);
});
