import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** A mistake that can be made in the service, by hand or by undoing a mend. */
interface Mutation {
  readonly file: string;
  readonly from: string;
}

interface Seed {
  readonly seed: string;
  readonly years: number;
  /** Whose people act; all by default. */
  readonly parts?: readonly string[];
  readonly what: string;
  readonly mend?: Mutation;
}

const read = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));
const seeds = (await read('test/seeds/seeds.json')) as readonly Seed[];
const mutations = (await read('test/simulator/mutations.json')) as readonly Mutation[];

/** Sets the machine's clock years ahead, as far as Node.js tells the time. */
const LATER = `
  const Real = Date;
  const now = () => Real.now() + 1e11;
  globalThis.Date = class extends Real {
    static now = now;
    constructor(...args) { super(...(args.length === 0 ? [now()] : args)); }
  };`;

/** @returns what the simulator says of the run, without how long it took */
async function simulated({ seed, years, parts }: Seed, NODE_OPTIONS = ''): Promise<string> {
  const args = ['scripts/sim.mjs', '--no-shrink', '--seed', seed, '--years', String(years)];
  if (parts !== undefined) args.push('--parts', parts.join(','));
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, NODE_OPTIONS } });
  return stdout.replace(/ in .*;/, ';');
}

const SAID = /^seed .* faults; digest [0-9a-f]{64}\n$/;

describe('a simulated world', () => {
  const [ordinary, ...others] = seeds as [Seed, ...Seed[]];

  it('is the same, whenever and however often it runs', async () => {
    const first = await simulated(ordinary);
    expect(first).toMatch(SAID);
    expect(await simulated(ordinary, `--import data:text/javascript,${encodeURIComponent(LATER)}`)).toBe(first);
  });

  it.each(others.map((seed) => [seed.what, seed] as const))('keeps the promises: %s', async (_what, seed) => {
    expect(await simulated(seed)).toMatch(SAID);
  });

  it('ends with the script that plays it', async () => {
    const script = spawn(process.execPath, ['scripts/sim.mjs', '--years', '9', '--trace'], { stdio: 'pipe' });
    script.stderr.resume();
    await once(script.stdout, 'data');
    script.kill('SIGTERM');
    script.stdout.resume();
    // It closes once nobody holds the pipes, the world's own process included.
    expect(await once(script, 'close')).toEqual([1, null]);
  });

  it('is held against mistakes that can still be made', async () => {
    for (const { file, from } of [...mutations, ...others.flatMap(({ mend }) => mend ?? [])])
      expect((await readFile(file, 'utf8')).split(from)).toHaveLength(2);
  });
});
