// Whether everything that was acknowledged is there, and nothing twice.
import { setTimeout as pause } from 'node:timers/promises';
import { STAND_INS } from '../../scripts/stand-ins.mjs';
import { clientAt, untilTaken } from './client.mjs';
import { CLAIMS_PER_MINUTE } from './stage.mjs';
import { listen } from './stream.mjs';
import { versionAt } from './traffic.mjs';

/** Long enough for a machine that does much else: nothing here is about how quick something is. */
const LIVE_MS = 300_000;
const ANSWERED_MS = 120_000;
/** A store may be slow to show that it releases a version: when it is unknown whether it was asked, it is not asked again within a quarter of an hour. */
const SETTLED_MINUTES = 16;
const HEARD_MS = 60_000;
const ASKED_AT_ONCE = 20;
const CLAIMED_AT_ONCE = 6;
/** Each process counts for itself until it has reached Redis again, and when Redis is slow to answer it. */
const LIMIT_TRIES = 5;

const ISSUED = 'select id from license where id = any($1)';
const SOLD = 'select buyer_email as email, count(*)::int as count from license where buyer_email = any($1) group by 1';
const SALES = "select count(*)::int as count from license where source like 'stripe:%'";

/** Sends until it is answered: what has just been started again may not be known to the balancer yet. */
async function answered(what, send) {
  const until = Date.now() + ANSWERED_MS;
  const answer = await untilTaken(what, send, () => Date.now() > until);
  if (answer === null) throw new Error(`${what} was not answered`);
  return answer.body;
}

/** What was acknowledged and is not there, and when it was acknowledged. */
const missing = (what, acknowledged, found) =>
  [...acknowledged].filter(([key]) => !found.has(key)).map(([key, at]) => ({ what, key, at }));

async function licensesOf({ primary }, { sold, issued, attempted }, say) {
  const found = new Set((await primary.query(ISSUED, [[...issued.keys()]])).map(({ id }) => id));
  const sales = await primary.query(SOLD, [[...sold.keys()]]);
  for (const { email, count } of sales) if (count > 1) say.wrong(`${count} licenses were made of the sale to ${email}`);
  const [{ count }] = await primary.query(SALES);
  if (count > attempted.sales) say.wrong(`${count} licenses were made of ${attempted.sales} sales`);
  return [...missing('license', issued, found), ...missing('sale', sold, new Set(sales.map(({ email }) => email)))];
}

async function seatsOf(stage, traffic, say) {
  const { activated, licenses, licenseOf, there } = traffic;
  const client = clientAt(stage.origin, 3);
  const seated = new Set();
  const left = [...activated.keys()];
  await Promise.all(
    Array.from({ length: ASKED_AT_ONCE }, async () => {
      for (let device = left.shift(); device !== undefined; device = left.shift()) {
        const asked = traffic.seat(licenseOf.get(device), device);
        const body = await answered('A check', () => client('POST', '/api/v1/licensing/check', asked));
        if (body.isActive) seated.add(device);
      }
    }),
  );
  for (const { id, devices } of [...licenses, { id: there.few.id, devices: [] }]) {
    const { status, body } = await traffic.author('GET', `/api/v1/licenses/${id}`);
    const most = id === there.few.id ? body.seats?.max : devices.length;
    if (status === 200 && body.seats.used > most)
      say.wrong(`${body.seats.used} seats of a license are taken, not ${most}`);
  }
  return missing('activation', activated, seated);
}

/** Nobody can say which ping is missing, only how many. */
async function pingsOf({ author, there, pinged, attempted }, say) {
  const report = () => author('GET', `/api/v1/extensions/${there.extensionId}/analytics`);
  const body = await answered('A report', report);
  const counted = body.days.reduce((sum, day) => sum + day.active, 0);
  if (counted > attempted.pings) say.wrong(`${counted} installs were counted of ${attempted.pings}`);
  return Math.max(0, pinged.size - counted);
}

async function areLive(traffic) {
  for (const began = Date.now(); Date.now() - began < LIVE_MS; await pause(500)) {
    const live = await Promise.all(traffic.there.extensions.map((extension) => traffic.isLive(extension)));
    if (live.every(Boolean)) return true;
  }
  return false;
}

/** Each target that does not have the last version live, and why. */
async function notLive({ author, there }) {
  const found = [];
  for (const { id, rounds } of there.extensions) {
    const body = await answered('Targets', () => author('GET', `/api/v1/extensions/${id}/targets`));
    for (const { store, status } of body.targets)
      if (status.phase !== 'live' || status.liveVersion !== versionAt(rounds - 1))
        found.push(`${store} is to have ${versionAt(rounds - 1)} live, and is: ${JSON.stringify(status)}`);
  }
  return found;
}

async function releasesOf(stage, traffic, say) {
  await stage.letPass(SETTLED_MINUTES);
  if (!(await areLive(traffic))) for (const what of await notLive(traffic)) say.wrong(what);
  let versions = 0;
  for (const extension of traffic.there.extensions) {
    versions += extension.rounds;
    for (const { store, name } of extension.items) {
      const submissions = await STAND_INS[store].submissions(stage.sim, name);
      if (submissions !== extension.rounds)
        say.wrong(`${store} has ${submissions} submissions of ${extension.rounds} versions`);
    }
  }
  const { requests } = await stage.sim('GET', '/requests?store=stripe');
  const writes = requests.filter(({ method }) => method !== 'GET');
  if (writes.length > 0) say.wrong(`${writes.length} requests changed something at the processor`);
  return versions;
}

/** One address sends more than one process alone would let through, to all of them. */
async function claimsOf(stage, address) {
  const client = clientAt(stage.origin, address);
  const answers = [];
  const claim = async () => {
    while (answers.length < CLAIMS_PER_MINUTE * 2) {
      const at = answers.push(0) - 1;
      answers[at] = (await client('POST', '/api/v1/licensing/claim', { claimToken: 'x'.repeat(32) })).status;
    }
  };
  await Promise.all(Array.from({ length: CLAIMED_AT_ONCE }, claim));
  return { admitted: answers.filter((status) => status !== 429).length, answers };
}

async function limitsOf(stage, say) {
  const tries = [];
  while (tries.length < LIMIT_TRIES && tries.at(-1)?.admitted !== CLAIMS_PER_MINUTE)
    tries.push(await claimsOf(stage, 500 + tries.length));
  const { admitted, answers } = tries.at(-1);
  if (admitted !== CLAIMS_PER_MINUTE)
    say.wrong(
      `${admitted} claims of one address were let through instead of ${CLAIMS_PER_MINUTE}: ${answers.join(' ')}`,
    );
  return admitted;
}

async function streamOf(stage, { author, there }, say) {
  const heard = [];
  const stream = listen(stage.origin, 600, there.tenant.token, (name) => heard.push(name));
  const hears = async (name) => {
    for (const began = Date.now(); Date.now() - began < HEARD_MS; await pause(50)) if (heard.includes(name)) return;
    say.wrong(`A stream did not tell "${name}"`);
  };
  await hears('ready');
  const named = { name: 'Renamed at the end' };
  await answered('A new name', () => author('PATCH', `/api/v1/extensions/${there.extensionId}`, named));
  await hears('change');
  stream.close();
}

/**
 * @param {number} safeAt up to when the standby certainly had everything; Infinity with a synchronous one
 * @param {{ wrong: (what: string) => void }} say
 */
export async function checkAll(stage, traffic, safeAt, say) {
  const admitted = await limitsOf(stage, say);
  await streamOf(stage, traffic, say);
  const versions = await releasesOf(stage, traffic, say);
  const lost = [...(await licensesOf(stage, traffic, say)), ...(await seatsOf(stage, traffic, say))];
  const lostPings = await pingsOf(traffic, say);
  for (const { what, key, at } of lost) if (at < safeAt) say.wrong(`The ${what} ${key} was acknowledged and is lost`);
  if (safeAt === Infinity && lostPings > 0) say.wrong(`${lostPings} pings were acknowledged and are lost`);
  return { lost: lost.length, lostPings, versions, admitted };
}
