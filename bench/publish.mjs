// How long it takes to bring one version live at four stores, beside each of them alone. The sandbox's stores take their time over every
// call, as real ones do, so that it is the waiting that is measured and not how fast this machine plays four stores.
import { setTimeout as pause } from 'node:timers/promises';
import { STORES } from '../scripts/stand-ins.mjs';
import { enrol, push, startSandbox } from './fleet.mjs';
import { note, scratchFolder, signUp, startService } from './stage.mjs';

const VERSION = '1.0.0';
const LOOK_MS = 25;
const GIVE_UP_MS = 120_000;

/**
 * @param {Awaited<ReturnType<typeof signUp>>} tenant
 * @param {{ id: string, number: number }} extension
 * @param {readonly string[]} stores
 * @returns {Promise<number>} seconds from before the push until the version is live at all of them
 */
async function publish(tenant, extension, stores) {
  const started = performance.now();
  await push(tenant, extension, VERSION);
  // At once instead of at the scheduler's next look, whose time is chance.
  const working = tenant.api('POST', `/extensions/${extension.id}/reconcile`);
  for (;;) {
    const { body } = await tenant.api('GET', `/extensions/${extension.id}/targets`);
    const states = body.targets.filter(({ store }) => stores.includes(store)).map(({ status }) => status);
    const seconds = (performance.now() - started) / 1000;
    if (states.every(({ phase }) => phase === 'live')) return working.then(() => seconds);
    if (seconds * 1000 > GIVE_UP_MS)
      throw new Error(`Not live in time: ${states.map(({ phase, message }) => `${phase}: ${message}`).join(' ')}`);
    await pause(LOOK_MS);
  }
}

/**
 * @param {number} rounds in each, one extension goes to all stores and one to each alone
 * @param {number} callMs what every call to a store takes at least
 * @returns {Promise<{ together: number, slowest: number, ratio: number }[]>} seconds, by round
 */
export async function measurePublishing(rounds, callMs) {
  const { env, sim } = await startSandbox();
  const quick = { RECONCILE_EVERY_SECONDS: '1', REVIEW_CHECK_SECONDS: '1' };
  const wide = { TENANT_QUOTAS: 'unlimited:0', DEFAULT_TENANT_QUOTA: 'unlimited' };
  const { origin } = await startService(await scratchFolder(), { ...env, ...quick, ...wide });
  const tenant = await signUp(origin);
  await sim('POST', '/faults', { kind: 'delay', ms: callMs, times: 'always' });
  const done = [];
  let number = 0;
  const timeOf = async (stores) => {
    const extension = await enrol(tenant, sim, (number += 1), { reviewSeconds: 0, version: VERSION, stores });
    await tenant.api('POST', `/extensions/${extension.id}/reconcile`);
    return publish(tenant, extension, stores);
  };
  for (let at = 1; at <= rounds; at += 1) {
    const together = await timeOf(STORES);
    const alone = {};
    for (const store of STORES) alone[store] = await timeOf([store]);
    const slowest = Math.max(...Object.values(alone));
    const each = Object.entries(alone).map(([store, seconds]) => `${store} ${seconds.toFixed(1)} s`);
    note(`Publishing ${at} of ${rounds}: together ${together.toFixed(1)} s, ${each.join(', ')}`);
    done.push({ together, slowest, ratio: together / slowest });
  }
  return done;
}
