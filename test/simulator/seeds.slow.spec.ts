import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const run = promisify(execFile);

interface Seed {
  readonly seed: string;
  readonly years: number;
  readonly what: string;
}

const seeds = JSON.parse(await readFile('test/seeds/seeds.json', 'utf8')) as readonly Seed[];

/** @returns what the simulator says of the run, without how long it took */
async function simulated({ seed, years }: Seed): Promise<string> {
  const { stdout } = await run(process.execPath, ['scripts/sim.mjs', '--seed', seed, '--years', String(years)]);
  return stdout.replace(/ in .*;/, ';');
}

describe('a simulated world', () => {
  it.each(seeds.map((seed) => [seed.what, seed] as const))(
    'keeps the promises, twice in the same way: %s',
    async (_what, seed) => {
      const first = await simulated(seed);
      expect(first).toMatch(/^seed .* faults; digest [0-9a-f]{64}\n$/);
      expect(await simulated(seed)).toBe(first);
    },
  );
});
