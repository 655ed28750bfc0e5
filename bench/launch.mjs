// npm run bench:launch [-- --smoke]: a launch day. Sellers' subscriptions arrive as their processor sends them, at random times and whether or not
// earlier notifications have been answered; each buyer's page asks once a second for the code. Then a rush: 10,000 single sales of one seller in 90 s.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { newDatabase } from './databases.mjs';
import { newSecret, paidOrder, signatureOf } from './orders.mjs';
import { note, onStage, say, scratchFolder, serverKeys, signUp, startService } from './stage.mjs';

/** 10,000 orders in ten minutes, and in a minute and a half. */
const [ORDERS_PER_SECOND, RUSH_PER_SECOND] = [16.7, 111.2];
const [SECONDS, RUSH_SECONDS, SMOKE_SECONDS] = [30, 90, 2];
/** A buyer's page asks for this long, and how often. */
const [BUYER_WAITS_MS, ASKS_EVERY_MS] = [60_000, 1000];
/** As long as Paddle waits for an answer. */
const ANSWER_MS = 5000;
/** One seller's, and eight sellers'. */
const SELLERS = [1, 8];

/** A subscription's five notifications, as Stripe sends them within half a second. */
function notificationsOf(planId, claimToken) {
  const tag = randomUUID();
  const seconds = Math.floor(Date.now() / 1000);
  const metadata = { planId, claimToken };
  const period = { start: seconds, end: seconds + 2_592_000 };
  const common = { customer: `cus_${tag}`, customer_email: `${tag}@buyer.example` };
  const subscription = {
    id: `sub_${tag}`,
    status: 'active',
    customer: common.customer,
    metadata,
    items: { data: [{ price: { id: 'price_1', product: 'prod_1' }, quantity: 1, current_period_end: period.end }] },
  };
  const session = {
    id: `cs_${tag}`,
    mode: 'subscription',
    payment_status: 'paid',
    subscription: subscription.id,
    invoice: `in_${tag}`,
    customer_details: { email: common.customer_email },
    metadata,
    ...common,
  };
  const invoice = {
    id: `in_${tag}`,
    billing_reason: 'subscription_create',
    parent: { subscription_details: { subscription: subscription.id, metadata } },
    lines: { data: [{ amount: 900, quantity: 1, period, pricing: { price_details: { price: 'price_1' } } }] },
    ...common,
  };
  const payment = { invoice: invoice.id, payment: { payment_intent: `pi_${tag}` } };
  return [
    ['customer.subscription.created', subscription],
    ['checkout.session.completed', session],
    ['invoice.paid', invoice],
    ['invoice_payment.paid', payment],
    ['customer.subscription.updated', subscription],
  ].map(([type, object]) => ({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type,
    created: seconds,
    livemode: true,
    data: { object },
  }));
}

async function newSeller(origin, number) {
  const { api, session } = await signUp(origin, `seller${number}@bench.example`);
  const { body: extension } = await api('POST', '/extensions', { name: 'Bench' });
  const { body: plan } = await api('POST', '/plans', { extensionId: extension.id, tier: 'pro', maxActivations: 1 });
  const secret = newSecret();
  await session('POST', '/credentials', { store: 'stripe', credentials: { webhookSecret: secret } });
  const { body: me } = await session('GET', '/auth/me');
  return {
    origin,
    secret,
    extensionId: extension.id,
    planId: plan.id,
    url: `${origin}/api/v1/licensing/webhooks/payment/${me.tenant.id}`,
  };
}

/** @returns {Promise<{ status: number, ms: number }>} of the answer */
async function deliver({ url }, { headers, body }) {
  const sentAt = performance.now();
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  await answer.arrayBuffer();
  return { status: answer.status, ms: performance.now() - sentAt };
}

const signed = ({ secret }, event) => {
  const body = JSON.stringify(event);
  return { body, headers: signatureOf(body, event.created, secret) };
};

/** @returns {Promise<number>} after how many milliseconds the buyer's page had the code; Infinity when it never had */
async function awaitCode({ origin, extensionId }, claimToken) {
  const startedAt = performance.now();
  while (performance.now() - startedAt < BUYER_WAITS_MS) {
    const answer = await fetch(`${origin}/api/v1/licensing/claim`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ extensionId, claimToken }),
    });
    await answer.arrayBuffer();
    if (answer.ok) return performance.now() - startedAt;
    await pause(ASKS_EVERY_MS);
  }
  return Infinity;
}

async function subscribe(seller, answers, codes) {
  const claimToken = randomUUID();
  const events = notificationsOf(seller.planId, claimToken);
  const delivered = events.map(async (event) => {
    await pause(Math.random() * 500);
    answers.push(await deliver(seller, signed(seller, event)));
  });
  codes.push(await awaitCode(seller, claimToken));
  await Promise.all(delivered);
}

async function buyOnce(seller, answers) {
  answers.push(await deliver(seller, paidOrder(seller.planId, seller.secret)));
}

const quantile = (figures, part) => figures.toSorted((a, b) => a - b)[Math.ceil(figures.length * part) - 1] ?? NaN;
const ms = (figure) => `${figure.toFixed(0)} ms`;

/** @param {{ sellers: number, seconds: number, perSecond: number, order: typeof subscribe }} load */
async function measure({ sellers, seconds, perSecond, order }) {
  const { url } = await newDatabase();
  const service = await startService(await scratchFolder(), { ...serverKeys(), DATABASE_URL: url, SIGNUP: 'open' });
  const all = [];
  for (let number = 0; number < sellers; number += 1) all.push(await newSeller(service.origin, number));
  const [answers, codes] = [[], []];
  /** @type {Promise<void>[]} */
  const orders = [];
  const startedAt = performance.now();
  let dueAt = startedAt;
  while (dueAt < startedAt + seconds * 1000) {
    orders.push(order(all[orders.length % all.length], answers, codes));
    dueAt += (-Math.log(1 - Math.random()) * 1000) / perSecond;
    await pause(Math.max(0, dueAt - performance.now()));
  }
  await Promise.all(orders);
  service.child.kill('SIGTERM');
  const times = answers.map((answer) => answer.ms);
  const refused = answers.filter(({ status }) => status !== 200).length;
  const late = times.filter((time) => time > ANSWER_MS).length;
  const shown = codes.length === 0 ? '' : `; codes p50 ${ms(quantile(codes, 0.5))}, p95 ${ms(quantile(codes, 0.95))}`;
  say(
    `${sellers} sellers, ${orders.length} orders: answers p50 ${ms(quantile(times, 0.5))}, p99 ${ms(quantile(times, 0.99))}, max ${ms(quantile(times, 1))}; ` +
      `${refused} refused, ${late} after ${ANSWER_MS / 1000} s${shown}`,
  );
  if (refused > 0) throw new Error('A notification was refused.');
}

await onStage(async () => {
  const isSmoke = process.argv.includes('--smoke');
  const loads = [
    ...SELLERS.map((sellers) => ({ sellers, seconds: SECONDS, perSecond: ORDERS_PER_SECOND, order: subscribe })),
    { sellers: 1, seconds: RUSH_SECONDS, perSecond: RUSH_PER_SECOND, order: buyOnce },
  ];
  for (const load of loads) {
    const seconds = isSmoke ? SMOKE_SECONDS : load.seconds;
    note(`${load.sellers} sellers, ${seconds} s…`);
    await measure({ ...load, seconds });
  }
});
