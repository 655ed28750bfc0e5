// npm run soak:reconcile: many extensions, version after version, while a fifth of all calls to the stores go wrong in every way the sandbox
// knows. Succeeds when every target is live with its last version and no version was submitted twice. `-- --minutes 1` soaks shorter.
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/built.mjs';
import { STAND_INS, STORES } from '../scripts/stand-ins.mjs';
import { each, enrol, push, startSandbox } from './fleet.mjs';
import { note, onStage, say, scratchFolder, signUp, startService } from './stage.mjs';

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, extensions: { type: 'string', default: '30' } },
});
const EXTENSIONS = Number(options.extensions);
const SOAK_MS = Number(options.minutes) * 60_000;
const SHARE = 0.2;
const ROUND_MS = 500;
const SETTLE_MS = 20 * 60_000;
const FAULTS = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 429, headers: { 'Retry-After': '1' } },
  { kind: 'status-after', status: 500 },
  { kind: 'drop-before' },
  { kind: 'drop-after' },
  { kind: 'delay', ms: 1500 },
  { kind: 'body', body: '<!doctype html><p>Not now.</p>' },
];

const any = (list) => list[Math.floor(Math.random() * list.length)];

/** Keeps the share of calls that go wrong where it is to be. @returns how many calls there were, and how many were to go wrong */
async function disturb(sim, until) {
  let calls = 0;
  let faults = 0;
  let seen = 0;
  while (Date.now() < until) {
    await pause(ROUND_MS);
    const { requests } = await sim('GET', `/requests?${new URLSearchParams({ since: seen })}`);
    calls += requests.length;
    seen = requests.at(-1)?.id ?? seen;
    for (; faults < calls * SHARE; faults += 1)
      await sim('POST', '/faults', { store: any(STORES), times: 1, ...any(FAULTS) });
  }
  await sim('DELETE', '/faults');
  return { calls, faults };
}

const versionAt = (round) => `1.0.${round}`;

/** Pushes the next version whenever the last one is live everywhere, until the time is over. @returns the versions that were pushed */
async function publish(tenant, sim, extension, until) {
  let round = 0;
  for (;;) {
    const version = versionAt(round);
    for (const { store, name } of extension.items) if (round > 0) await STAND_INS[store].deliver?.(sim, name, version);
    await push(tenant, extension, version);
    while (!(await isLive(tenant, extension, version))) {
      if (Date.now() > until + SETTLE_MS) return round + 1;
      await pause(1000);
    }
    round += 1;
    if (Date.now() >= until) return round;
  }
}

async function isLive({ api }, { id }, version) {
  const { body } = await api('GET', `/extensions/${id}/targets`);
  return body.targets.every(({ status }) => status.liveVersion === version && status.phase === 'live');
}

async function run() {
  ensureBuilt();
  const { env, sim } = await startSandbox();
  const service = await startService(await scratchFolder(), {
    ...env,
    TENANT_QUOTAS: 'unlimited:0',
    DEFAULT_TENANT_QUOTA: 'unlimited',
    RECONCILE_EVERY_SECONDS: '1',
    REVIEW_CHECK_SECONDS: '2',
    RECONCILE_CONCURRENCY: '16',
  });
  const tenant = await signUp(service.origin);
  const extensions = [];
  await each(
    Array.from({ length: EXTENSIONS }, (_, at) => at),
    async (number) => {
      extensions.push(await enrol(tenant, sim, number, { reviewSeconds: 3, version: versionAt(0) }));
    },
  );
  note(`${EXTENSIONS * STORES.length} targets; a fifth of all calls go wrong for ${options.minutes} minutes…`);
  const until = Date.now() + SOAK_MS;
  const disturbed = disturb(sim, until);
  const rounds = await Promise.all(extensions.map((extension) => publish(tenant, sim, extension, until)));
  const { calls, faults } = await disturbed;

  let notLive = 0;
  let doubled = 0;
  for (const [at, extension] of extensions.entries()) {
    if (!(await isLive(tenant, extension, versionAt(rounds[at] - 1)))) notLive += 1;
    for (const { store, name } of extension.items)
      if ((await STAND_INS[store].submissions(sim, name)) > rounds[at]) doubled += 1;
  }
  const versions = rounds.reduce((sum, count) => sum + count, 0);
  say(
    `${calls} calls to the stores, ${faults} of them disturbed; ${versions} versions of ${EXTENSIONS} extensions pushed`,
  );
  say(`${notLive} extensions not live everywhere, ${doubled} items with a version submitted twice`);
  if (notLive + doubled > 0) throw new Error('The soak failed');
}

await onStage(run);
