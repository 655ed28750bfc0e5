// What users, buyers, processors and authors do all the while, and a ledger of what was acknowledged to them.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { enrol, packageOf } from '../../bench/fleet.mjs';
import { signUp } from '../../bench/stage.mjs';
import { STAND_INS } from '../../scripts/stand-ins.mjs';
import { clientAt, fault, judge, untilTaken } from './client.mjs';
import { listen } from './stream.mjs';

await import('@swc-node/register/esm-register');
const { oneOffSale } = await import('../support/purchases.ts');
const { SECRETS, signedBy } = await import('../support/payment-signers.ts');

const EXTENSIONS = 4;
const DEVICES = 20;
/** Of the license that more devices want than it has seats. */
const FEW_SEATS = 3;
const MANY_SEATS = 100;
const REVIEW_SECONDS = 1;
const STREAMS = 3;
/** Milliseconds between two requests of one client. */
const EVERY = { check: 120, activation: 300, rush: 1000, sale: 500, ping: 200, license: 1000, look: 500 };
const CHECKERS = 4;
const now = () => performance.now();

/** What is there before anything happens. */
async function stock(stage) {
  const tenant = await signUp(stage.origin);
  const extensions = [];
  for (let number = 0; number < EXTENSIONS; number += 1)
    extensions.push(await enrol(tenant, stage.sim, number, { reviewSeconds: REVIEW_SECONDS, version: versionAt(0) }));
  const [{ id: extensionId }] = extensions;
  const plan = async (tier, maxActivations) =>
    (await tenant.api('POST', '/plans', { extensionId, tier, maxActivations })).body.id;
  const planId = await plan('many', MANY_SEATS);
  const fewId = await plan('few', FEW_SEATS);
  const products = [
    { processor: 'stripe', productId: 'price_1' },
    { processor: 'stripe', productId: 'plink_1' },
  ];
  await tenant.api('PUT', `/plans/${planId}/products`, products);
  await tenant.session('POST', '/credentials', { store: 'stripe', credentials: { webhookSecret: SECRETS.stripe } });
  const { body: me } = await tenant.session('GET', '/auth/me');
  return {
    tenant,
    tenantId: me.tenant.id,
    extensions,
    extensionId,
    planId,
    few: (await tenant.api('POST', '/licenses', { planId: fewId, buyerEmail: 'a@buyer.example' })).body,
  };
}

/** The version that is pushed in a round. */
export const versionAt = (round) => `1.0.${round}`;

/** Everything that goes on, until it is ended. */
export class Traffic {
  /** When each thing was acknowledged, by what it is. */
  activated = new Map();
  sold = new Map();
  issued = new Map();
  pinged = new Map();
  pushed = new Map();
  attempted = { sales: 0, pings: 0 };
  /** Licenses, each with the devices that asked for one of its seats. @type {{ id: string, code: string, devices: string[] }[]} */
  licenses = [];
  /** By device. */
  licenseOf = new Map();
  /** How long checks took, and whether they were answered. @type {{ at: number, ms: number, ok: boolean }[]} */
  checks = [];
  /** When the checks were sent that are not answered yet, each a moment of its own. @type {Set<number>} */
  waiting = new Set();
  events = 0;
  isOver = false;
  hasGivenUp = false;
  running = [];

  static async on(stage) {
    return new Traffic(stage, await stock(stage));
  }

  constructor(stage, there) {
    Object.assign(this, { stage, there });
    this.client = clientAt(stage.origin, 1);
    this.author = clientAt(stage.origin, 2, { authorization: `Bearer ${there.tenant.token}` });
  }

  async start() {
    const devices = Array.from({ length: DEVICES }, (_, at) => `device ${at}`);
    for (const device of devices) await this.activate(device);
    const loop = async (ms, work) => {
      for (let round = 0; !this.isOver; round += 1) {
        await work(round);
        await pause(ms);
      }
    };
    this.running = [
      ...Array.from({ length: CHECKERS }, (_, at) =>
        loop(EVERY.check, (round) => this.check(devices[(round * CHECKERS + at) % DEVICES])),
      ),
      loop(EVERY.activation, () => this.activate(randomUUID())),
      loop(EVERY.rush, () => this.rush()),
      loop(EVERY.sale, (round) => this.sell(round)),
      loop(EVERY.ping, () => this.ping()),
      loop(EVERY.license, () => this.issue()),
      ...this.there.extensions.map((extension) => this.publish(extension)),
    ];
    this.streams = Array.from({ length: STREAMS }, (_, at) =>
      listen(this.stage.origin, 100 + at, this.there.tenant.token, () => (this.events += 1)),
    );
  }

  /** Begins nothing new, and waits until all that was begun is acknowledged. */
  async end() {
    this.isOver = true;
    const late = setTimeout(() => (this.hasGivenUp = true), 120_000);
    await Promise.all(this.running);
    clearTimeout(late);
    for (const stream of this.streams) stream.close();
  }

  seat = ({ code }, fingerprint) => ({ code, extensionId: this.there.extensionId, fingerprint });
  taken = (what, send) => untilTaken(what, send, () => this.hasGivenUp);

  async check(device) {
    const at = now();
    this.waiting.add(at);
    const answer = await this.client('POST', '/api/v1/licensing/check', this.seat(this.licenseOf.get(device), device));
    this.waiting.delete(at);
    const ok = answer.status === 200;
    this.checks.push({ at, ms: now() - at, ok });
    if (!ok) judge('A check', answer);
    else if (!answer.body.isActive) fault(`A check of a seated device answered ${answer.body.reason}`);
  }

  /** A license with a seat left. A request for a new one that was not acknowledged may have made one, which nobody then uses. */
  async licenseWithSeat() {
    const last = this.licenses.at(-1);
    if (last !== undefined && last.devices.length < MANY_SEATS) return last;
    const wanted = { planId: this.there.planId, buyerEmail: 'a@buyer.example' };
    const answer = await this.taken('A new license', () => this.author('POST', '/api/v1/licenses', wanted));
    if (answer === null) return null;
    const license = { id: answer.body.id, code: answer.body.code, devices: [] };
    this.licenses.push(license);
    return license;
  }

  async activate(device) {
    const license = await this.licenseWithSeat();
    if (license === null) return;
    license.devices.push(device);
    this.licenseOf.set(device, license);
    const send = () => this.client('POST', '/api/v1/licensing/activate', this.seat(license, device));
    const answer = await this.taken('An activation', send);
    if (answer?.body.success) this.activated.set(device, now());
    else if (answer !== null) fault(`An activation was refused: ${answer.body.reason}`);
  }

  /** Three devices at once want a seat of a license that has three in all. */
  async rush() {
    const one = () => this.client('POST', '/api/v1/licensing/activate', this.seat(this.there.few, randomUUID()));
    for (const answer of await Promise.all([one(), one(), one()])) if (answer.status !== 200) judge('A rush', answer);
  }

  /** Sends a sale's notification until the service takes it; sends every third twice at once, as processors may. */
  async sell(round) {
    const tag = randomUUID().replaceAll('-', '');
    const email = `${tag}@buyer.example`;
    const [event] = oneOffSale('stripe', { tag, email, planId: this.there.planId, at: new Date() });
    const body = JSON.stringify(event);
    const send = () =>
      this.client(
        'POST',
        `/api/v1/licensing/webhooks/stripe/${this.there.tenantId}`,
        body,
        signedBy('stripe', SECRETS.stripe, body, new Date()),
      );
    this.attempted.sales += 1;
    const told = Array.from({ length: round % 3 === 0 ? 2 : 1 }, () => this.taken('A payment webhook', send));
    for (const answer of await Promise.all(told)) if (answer !== null) this.sold.set(email, now());
  }

  async ping() {
    const installId = randomUUID();
    this.attempted.pings += 1;
    const input = { installId, extensionId: this.there.extensionId, version: '1.0.0' };
    const answer = await this.taken('A ping', () => this.client('POST', '/api/v1/analytics/ping', input));
    if (answer !== null) this.pinged.set(installId, now());
  }

  /** Issues a license once, and finds it in the list at once when that was acknowledged. */
  async issue() {
    const wanted = { planId: this.there.planId, buyerEmail: 'b@buyer.example' };
    const answer = await this.author('POST', '/api/v1/licenses', wanted);
    if (answer.status !== 201) return judge('A new license', answer);
    this.issued.set(answer.body.id, now());
    const listed = await this.author('GET', `/api/v1/licenses?limit=100&email=b@buyer.example`);
    if (listed.status !== 200) judge('A list', listed);
    else if (!listed.body.items.some(({ id }) => id === answer.body.id))
      fault('A list lacks what its client has just written');
  }

  /** Pushes the next version whenever the last one is live at all stores. */
  async publish(extension) {
    for (let round = 0; !this.isOver; round += 1) {
      const version = versionAt(round);
      for (const { store, name } of extension.items)
        if (round > 0) await STAND_INS[store].deliver?.(this.stage.sim, name, version);
      const zip = await packageOf(`owl-${extension.number}`, version);
      const query = new URLSearchParams({ extension: extension.id, version });
      const taken = await this.taken('A push', () => this.author('POST', `/api/v1/artifacts?${query}`, zip));
      if (taken === null) return;
      this.pushed.set(`${extension.id} ${version}`, now());
      extension.rounds = round + 1;
      while (!this.isOver && !(await this.isLive(extension))) await pause(EVERY.look);
    }
  }

  async isLive({ id, rounds }) {
    const answer = await this.author('GET', `/api/v1/extensions/${id}/targets`);
    if (answer.status !== 200) return judge('Targets', answer) ?? false;
    return answer.body.targets.every(
      ({ status }) => status.liveVersion === versionAt(rounds - 1) && status.phase === 'live',
    );
  }
}
