// npm run test:chaos: runs three processes of the service behind HAProxy on a PostgreSQL with a standby, Redis and a bucket, under load, while it
// kills, stops and replaces them. Succeeds when nothing acknowledged is lost, nothing is doubled, and answers are soon as quick as before.
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { note, onStage, say } from '../bench/stage.mjs';
import { ensureBuilt } from './built.mjs';
import { p99, play } from '../test/chaos/acts.mjs';
import { faults } from '../test/chaos/client.mjs';
import { missingPrograms } from '../test/chaos/programs.mjs';
import { setStage } from '../test/chaos/stage.mjs';
import { Traffic } from '../test/chaos/traffic.mjs';
import { checkAll } from '../test/chaos/checks.mjs';

const FULL_SECONDS = 600;
const RECOVERED_SECONDS = 10;
const LOOK_MS = 100;
const LOG_LINES = 10;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: String(FULL_SECONDS) },
    asynchronous: { type: 'boolean', default: false },
  },
});
const seconds = Number(options.seconds);

/** Records when the standby last had everything. @returns a function that stops recording and returns that time */
function watchStandby({ cluster }) {
  const watch = { isOver: false, safeAt: -Infinity };
  const look = async () => {
    const at = performance.now();
    const [{ position }] = await cluster.primary.query('select pg_current_wal_flush_lsn() as position');
    const received = 'select pg_last_wal_receive_lsn() >= $1::pg_lsn as all';
    const [{ all }] = await cluster.standby.query(received, [position]);
    if (all && !watch.isOver) watch.safeAt = at;
  };
  void (async () => {
    // The primary or the standby may be down.
    for (; !watch.isOver; await pause(LOOK_MS)) await look().catch(() => undefined);
  })();
  return () => {
    watch.isOver = true;
    return watch.safeAt;
  };
}

const inMs = (value) => `${value.toFixed(0)} ms`;

function report(traffic, played, result) {
  const { checks, activated, sold, issued, pinged, pushed, events } = traffic;
  const unanswered = checks.filter(({ ok }) => !ok).length;
  say(
    `${seconds} seconds, ${played.kills} processes killed, ${options.asynchronous ? 'an asynchronous' : 'a synchronous'} standby`,
  );
  say(
    `${checks.length} checks, of which ${unanswered} had no answer at once; ${activated.size} activations, ${sold.size} sales, ${issued.size} licenses`,
  );
  say(
    `${pinged.size} pings, ${pushed.size} pushes; ${result.versions} versions live at four stores; ${events} events streamed`,
  );
  say(
    `${result.lost} acknowledged changes and ${result.lostPings} pings lost; ${result.admitted} claims of one address let through in a minute`,
  );
  say(
    `p99 of checks: ${inMs(played.quiet)} before, ${inMs(p99(checks.map(({ ms }) => ms)))} over all; back below ${inMs(played.limit)} after`,
  );
  for (const { name, seconds: took } of played.recoveries) say(`  ${took.toFixed(1).padStart(5)} s  ${name}`);
}

async function run() {
  ensureBuilt();
  const stage = await setStage({ isSynchronous: !options.asynchronous });
  const traffic = await Traffic.on(stage);
  await traffic.start();
  const safe = watchStandby(stage);
  let safeAt = Infinity;
  const played = await play(stage, traffic, seconds, () => {
    const at = safe();
    if (options.asynchronous) safeAt = at;
  });
  await traffic.end();
  const wrong = [];
  const result = await checkAll(stage, traffic, safeAt, { wrong: (what) => wrong.push(what) });
  report(traffic, played, result);
  wrong.push(...[...faults].map(([what, times]) => `${what} (${times} times)`));
  // On a machine that other tests share, how long something takes says little.
  if (seconds >= FULL_SECONDS)
    for (const { name, seconds: took } of played.recoveries)
      if (took > RECOVERED_SECONDS)
        wrong.push(`After "${name}" it took ${took} s until checks were as quick as before`);
  if (wrong.length === 0) return;
  for (const log of await stage.logs()) note(log.split('\n').slice(-LOG_LINES).join('\n'));
  throw new Error(`The chaos test failed:\n${wrong.join('\n')}`);
}

const missing = missingPrograms();
if (missing.length > 0) {
  note(`Nothing was tested: ${missing.join(' and ')} must be installed.`);
  process.exitCode = 1;
} else await onStage(run);
