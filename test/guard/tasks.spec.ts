import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import { expect, it } from 'vitest';

/** The files whose functions the worker thread runs. */
const TASKS = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tasks.ts'))
  .map((name) => join('src', name));

/** Adds what a file loads once its types are gone: other files, and packages by their names. */
function load(file: string, loaded: Set<string>): void {
  if (loaded.has(file)) return;
  loaded.add(file);
  const { code } = transformSync(readFileSync(file, 'utf8'), { filename: file });
  for (const [, from = ''] of code.matchAll(/\b(?:from|import) ['"]([^'"]+)['"];$/gm))
    if (from.startsWith('.')) load(join(dirname(file), from).replace(/js$/, 'ts'), loaded);
    else loaded.add(/^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from);
}

it.each(TASKS)('%s loads neither Nest nor TypeORM', (file) => {
  const loaded = new Set<string>();
  load(file, loaded);
  expect([...loaded].filter((name) => /^@nestjs|^typeorm$/.test(name))).toEqual([]);
  // It has been followed through.
  expect(loaded.size).toBeGreaterThan(3);
});
