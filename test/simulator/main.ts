// The process of one run: `scripts/sim.mjs` starts it, and hears what came of it.
import 'reflect-metadata';
import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { takeOverBuiltins } from './builtins.js';
import { SimulatedDisk } from './disk.js';
import { Kernel } from './kernel.js';
import { Judgements, LawBroken, type Law } from './laws.js';

/** What a run is to be. */
export interface Run {
  readonly seed: string;
  readonly years: number;
  /** The faults that may happen; all of them when it is null. */
  readonly only: readonly string[] | null;
  readonly isTraced: boolean;
  /** Those of the world whose people act, such as `devices`; all of them when it is null. */
  readonly parts: readonly string[] | null;
  /** Path of a database without tables. */
  readonly snapshot: string;
}

/** What came of a run. */
export interface Outcome {
  readonly failure: string | null;
  /** The law that was broken; null where none was, or something else failed. */
  readonly law: Law | null;
  /** How often each law was judged. */
  readonly judged: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
  readonly digest: string;
  readonly steps: number;
  readonly days: number;
  readonly seconds: number;
  /** Of the processor, which other work on the machine does not change. */
  readonly cpuSeconds: number;
  readonly megabytes: number;
  /** The last lines of the trace of a run that failed. */
  readonly trace: readonly string[];
}

const TRACE_LINES = 80;
const DAY = 86_400_000;
const realNow = Date.now;

async function run({ seed, only, isTraced, ...wish }: Run): Promise<Outcome> {
  const began = realNow();
  const kernel = new Kernel(seed, Date.UTC(2027, 0, 1));
  takeOverBuiltins(kernel);
  const disk = new SimulatedDisk(kernel);
  disk.takeOver();
  if (isTraced) kernel.onLine = (line) => void process.stdout.write(`${line}\n`);
  // As the tests load the service; a key is made once, since that takes long.
  const pem = { type: 'pkcs8', format: 'pem' } as const;
  const made = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: pem,
    publicKeyEncoding: { ...pem, type: 'spki' },
  });
  process.env['TEST_SERVICE_ACCOUNT_KEY'] = made.privateKey;
  // Before the service does so at its first mail: how long a module takes to load is none of the world's time.
  await import('nodemailer');
  const { play } = await import('./play.js');
  const { Weather } = await import('./weather.js');
  const weather = new Weather(kernel, only === null ? null : new Set(only));
  const judgements = new Judgements();
  const error: unknown = await play(kernel, wish, judgements, weather, disk).then(
    () => null,
    (thrown: unknown) => thrown ?? 'Nothing is said of what failed',
  );
  const failure = error === null ? null : error instanceof Error ? (error.stack ?? error.message) : inspect(error);
  const { user, system } = process.cpuUsage();
  return {
    failure,
    law: error instanceof LawBroken ? error.law : null,
    judged: judgements.all,
    faults: weather.happened,
    digest: kernel.traceDigest,
    steps: kernel.step,
    days: Math.round((kernel.nowMs - kernel.startMs) / DAY),
    seconds: (realNow() - began) / 1000,
    cpuSeconds: (user + system) / 1e6,
    megabytes: Math.round(process.memoryUsage().rss / 1e6),
    trace: failure === null ? [] : kernel.trace.slice(-TRACE_LINES),
  };
}

const [, , wish = ''] = process.argv;
// Nobody is left to hear what comes of the run.
process.once('disconnect', () => process.exit(1));
const outcome = await run(JSON.parse(wish) as Run);
process.send?.(outcome, () => process.exit());
