// npm run bench:reconcile: how fast many targets over all stores are driven to review and to live, by one process and by two on one
// PostgreSQL, what an idle tick costs, whether any target is worked on twice, and whether memory stays flat: a second version follows the
// first, and what the heap holds after the one is compared with what it holds after the other. `-- --smoke` only shows that it works.
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/built.mjs';
import { STAND_INS, STORES } from '../scripts/stand-ins.mjs';
import { newDatabase } from './databases.mjs';
import { each, enrol, push, startSandbox } from './fleet.mjs';
import {
  heapOf,
  megabytes,
  memoryOf,
  note,
  onStage,
  say,
  scratchFolder,
  serverKeys,
  signUp,
  startService,
  withHeap,
} from './stage.mjs';

const { values: options } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, targets: { type: 'string', default: '2000' } },
});
const EXTENSIONS = Math.ceil((options.smoke ? 40 : Number(options.targets)) / STORES.length);
const TICK_SECONDS = 1;
const STATISTICS_MS = 12_000;
const IDLE_TICKS = options.smoke ? 3 : 15;
const GIVE_UP_MS = 15 * 60_000;
const [FIRST, SECOND] = ['1.0.0', '1.0.1'];

async function countOf(client, condition) {
  const { rows } = await client.query(
    `select count(*)::int as count from target join target_status on target_id = id where enabled and ${condition}`,
  );
  return rows[0].count;
}

async function until(client, condition, wanted) {
  const started = performance.now();
  while ((await countOf(client, condition)) < wanted) {
    if (performance.now() - started > GIVE_UP_MS) {
      const { rows } = await client.query(
        'select store, phase, count(*)::int, min(message) from target join target_status on target_id = id where enabled group by 1, 2',
      );
      throw new Error(`Not settled in time: ${JSON.stringify(rows)}`);
    }
    await pause(100);
  }
  return (performance.now() - started) / 1000;
}

/** Transactions that the database sees for each idle tick of each process. */
async function idleCost(client, processes) {
  const count = async () => {
    await client.query('select pg_stat_clear_snapshot()');
    const { rows } = await client.query(
      'select xact_commit::int as count from pg_stat_database where datname = current_database()',
    );
    return rows[0].count;
  };
  // A backend that goes idle hands its counts in within ten seconds.
  await pause(STATISTICS_MS);
  const before = await count();
  const started = performance.now();
  await pause(IDLE_TICKS * TICK_SECONDS * 1000 + 1500);
  const ticks = ((performance.now() - started) / 1000 / TICK_SECONDS) * processes;
  return ((await count()) - before) / ticks;
}

async function measure(processes) {
  const { url, client } = await newDatabase();
  const { env, sim } = await startSandbox();
  const folder = await scratchFolder();
  const setting = {
    ...env,
    ...serverKeys(),
    ...withHeap(folder),
    DATABASE_URL: url,
    TENANT_QUOTAS: 'unlimited:0',
    DEFAULT_TENANT_QUOTA: 'unlimited',
    RECONCILE_EVERY_SECONDS: String(TICK_SECONDS),
    REVIEW_CHECK_SECONDS: '1',
    RECONCILE_CONCURRENCY: '16',
  };
  const services = [];
  for (let at = 0; at < processes; at++) services.push(await startService(folder, setting));
  const tenant = await signUp(services[0].origin);
  const idleEmpty = await idleCost(client, processes);
  note(`${processes} process(es): making ${EXTENSIONS} extensions with ${STORES.length} targets each…`);
  const extensions = [];
  await each(
    Array.from({ length: EXTENSIONS }, (_, at) => at),
    async (number) => {
      extensions.push(await enrol(tenant, sim, number, { reviewSeconds: 0, version: FIRST }));
    },
  );
  const wanted = EXTENSIONS * STORES.length;
  await until(client, "phase = 'idle' and next_check_at > now() + interval '1 hour'", wanted);
  const idleSettled = await idleCost(client, processes);

  const heaps = async () => Promise.all(services.map(({ pid }) => heapOf(folder, pid)));
  const wave = (version) => drive(client, tenant, extensions, version, wanted);
  note(`${processes} process(es): pushing…`);
  const first = await wave(FIRST);
  const warm = await heaps();
  await each(
    extensions.flatMap(({ items }) => items),
    async ({ store, name }) => STAND_INS[store].deliver?.(sim, name, SECOND),
  );
  const second = await wave(SECOND);
  const after = await heaps();
  const growth = Math.max(...after.map((bytes, at) => bytes - warm[at]));
  const resident = Math.max(...services.map(({ pid }) => memoryOf(pid).resident));

  let doubled = 0;
  await each(
    extensions.flatMap(({ items }) => items),
    async ({ store, name }) => {
      if ((await STAND_INS[store].submissions(sim, name)) !== 2) doubled += 1;
    },
  );
  return {
    processes,
    wanted,
    first,
    second,
    heap: Math.max(...after),
    growth,
    resident,
    doubled,
    idleEmpty,
    idleSettled,
  };
}

/** Pushes a version of every extension, and waits until it is live everywhere. @returns how many seconds both took, and pushing alone */
async function drive(client, tenant, extensions, version, wanted) {
  const started = performance.now();
  await each(extensions, (extension) => push(tenant, extension, version));
  const pushing = (performance.now() - started) / 1000;
  await until(client, `phase = 'live' and live_version = '${version}'`, wanted);
  return { seconds: (performance.now() - started) / 1000, pushing };
}

const pair = (one, other) => `${one.toFixed(1)}, ${other.toFixed(1)}`;

async function run() {
  ensureBuilt();
  const results = [];
  for (const processes of [1, 2]) results.push(await measure(processes));
  say(
    `\n${results[0].wanted} targets over ${STORES.length} stores, from pushed to live, the sandbox on the same machine\n`,
  );
  say(
    '  processes  seconds, first and second version  of which pushing  targets/s  submitted twice  SQL per idle tick: empty, settled',
  );
  for (const { processes, wanted, first, second, doubled, idleEmpty, idleSettled } of results)
    say(
      `  ${String(processes).padEnd(9)}  ${pair(first.seconds, second.seconds).padStart(33)}  ${pair(first.pushing, second.pushing).padStart(16)}  ${(wanted / second.seconds).toFixed(1).padStart(9)}  ${String(doubled).padStart(15)}  ${pair(idleEmpty, idleSettled)}`,
    );
  say('\n  processes  heap in use after collection MB  of which since the first version  resident MB');
  for (const { processes, heap, growth, resident } of results)
    say(
      `  ${String(processes).padEnd(9)}  ${megabytes(heap).padStart(31)}  ${megabytes(growth).padStart(32)}  ${megabytes(resident).padStart(11)}`,
    );
  if (results.some(({ doubled }) => doubled > 0)) throw new Error('A version was submitted twice');
}

await onStage(run);
