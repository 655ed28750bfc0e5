import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** How long a kilobyte of tests takes, beside one of pure decisions: whoever starts processes waits for them. */
const COSTS = [
  [/\/test\/whole\//, 10],
  [/\/test\//, 4],
];

function bytesOf(path) {
  if (!basename(path).startsWith('all.')) return statSync(path).size;
  const folder = dirname(path);
  const specs = readdirSync(folder).filter((name) => name.endsWith('.spec.ts'));
  return specs.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

const costOf = (path) => bytesOf(path) * (COSTS.find(([pattern]) => pattern.test(path))?.[1] ?? 1);

/** Starts the longest files first, so that no worker is left alone with one at the end, on a machine that has measured none yet too. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const costs = new Map(tests.map(({ path }) => [path, costOf(path)]));
    return [...tests].sort((one, other) => costs.get(other.path) - costs.get(one.path));
  }
}
