import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text as bodyOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SERVICE_ACCOUNT_KEY } from '../test/support/keys.js';
import type { ShopState } from './payments/stripe-shop.js';
import { createSandbox, type Sandbox } from './sandbox.js';
import type { ListedItem } from './stand-in.js';

type Memory = Readonly<Record<string, unknown>>;
interface MemoryModule {
  readonly EMPTY: Memory;
  readonly withExtension: (
    memory: Memory,
    extension: { readonly folder: string; readonly name: string; readonly geckoId: string | null },
  ) => Memory;
  readonly restore: (origin: string, memory: Memory) => Promise<Memory>;
  readonly remember: (origin: string, memory: Memory) => Promise<Memory>;
}
const { EMPTY, withExtension, restore, remember } = (await import(
  new URL('../scripts/sandbox-memory.mjs', import.meta.url).href
)) as MemoryModule;

const STORES = ['chrome', 'firefox', 'edge', 'safari'];
const NAME = `Words & <b>"Numbers"</b>`;
const ESCAPED = 'Words &#38; &#60;b&#62;&#34;Numbers&#34;&#60;/b&#62;';
const KEYS = { chrome: { serviceAccount: { private_key: SERVICE_ACCOUNT_KEY } } };
const memoryOf = (memory: Memory): Memory =>
  withExtension(memory, { folder: '/words', name: NAME, geckoId: 'words@my.example' });

let sandbox: Sandbox;
let memory: Memory;
beforeEach(async () => {
  sandbox = await createSandbox();
  memory = await restore(sandbox.url, memoryOf({ ...EMPTY, accounts: KEYS }));
});
afterEach(() => sandbox.close());

async function sim<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${sandbox.url}/__sim${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  expect([path, response.ok]).toEqual([path, true]);
  return (response.status === 204 ? null : await response.json()) as T;
}

const itemAt = async (store: string): Promise<ListedItem & { readonly store: string }> => {
  const { items } = await sim<{ items: (ListedItem & { readonly store: string })[] }>('GET', '/items');
  const found = items.find((item) => item.store === store);
  if (found === undefined) throw new Error(`no item at ${store}`);
  return found;
};

/** Submits a version by hand, as in the dashboard. */
async function submit(store: string, version: string): Promise<void> {
  const { path } = await itemAt(store);
  const inReview = { edge: { review: version }, chrome: { submitted: { version } } }[store];
  if (inReview) await sim('PATCH', path, inReview);
  else if (store === 'safari')
    await sim('POST', `${path}/versions`, { version, state: 'WAITING_FOR_REVIEW', build: true });
  else await restart({ firefox: version });
}

/** Ends the sandbox, and starts another one with what is remembered. @param inReview what is in review at Firefox, which takes versions by upload only */
async function restart(inReview: { readonly firefox?: string } = {}): Promise<void> {
  const remembered = JSON.parse(JSON.stringify(await remember(sandbox.url, memory))) as {
    extensions: { stores: { firefox: { state: object } } }[];
  };
  for (const { stores } of remembered.extensions)
    Object.assign(stores.firefox.state, inReview.firefox && { inReview: inReview.firefox });
  await sandbox.close();
  sandbox = await createSandbox();
  memory = await restore(sandbox.url, memoryOf({ ...remembered }));
}

const shown = async (): Promise<string> => (await fetch(sandbox.url)).text();

/** Fills in the first form that leads somewhere, and sends it as a browser does. */
async function send(action: string, typed: Readonly<Record<string, string>> = {}): Promise<Response> {
  const [form = ''] = new RegExp(`<form method="post" action="${action}">[\\s\\S]*?</form>`).exec(await shown()) ?? [];
  const attribute = (tag: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  const controls = [...form.matchAll(/<(?:input|button)[^>]* name=[^>]*>/g)].map(([tag]) => tag);
  const body = new URLSearchParams(
    controls.map((tag): [string, string] => [attribute(tag, 'name'), attribute(tag, 'value')]),
  );
  for (const [name, value] of Object.entries(typed)) body.set(name, value);
  const headers = { origin: sandbox.url, 'sec-fetch-site': 'same-origin' };
  return fetch(`${sandbox.url}${action}`, { method: 'POST', headers, body, redirect: 'manual' });
}

const reviewByHand = (): Promise<Response> => send('/reviews');

describe('the page of the sandbox', () => {
  it('lists the items of all stores by their names, which it escapes', async () => {
    const response = await fetch(sandbox.url);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await response.text();
    expect(page.match(new RegExp(ESCAPED, 'g'))).toHaveLength(1);
    expect(page).not.toContain('<b>');
    for (const store of STORES) expect(page).toContain(`<td>${(await itemAt(store)).id}</td>`);
  });

  it.each(STORES)('approves a version at %s', async (store) => {
    await reviewByHand();
    await submit(store, '1.0.1');
    expect((await send('/approve')).status).toBe(303);
    expect(await itemAt(store)).toMatchObject({ inReview: null, versions: [{ version: '1.0.1' }] });
    expect(await shown()).toMatch(/1\.0\.1 (?:published|public|live|ready for distribution)/);
  });

  it.each(STORES)('rejects a version at %s, and shows the reason as mail', async (store) => {
    await reviewByHand();
    await submit(store, '1.0.1');
    expect((await send('/reject', { reason: ' ' })).status).toBe(400);
    expect((await send('/reject', { reason: 'It <i>spies</i>.' })).status).toBe(303);
    expect(await itemAt(store)).toMatchObject({ inReview: null });
    expect(await shown()).toContain(`rejected ${ESCAPED} 1.0.1: It &#60;i&#62;spies&#60;/i&#62;.`);
  });

  it('approves no other version than the one that it has shown', async () => {
    await reviewByHand();
    await submit('edge', '1.0.2');
    const refused = await send('/approve', { version: '1.0.1' });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('1.0.1 of ')]);
    expect(await itemAt('edge')).toMatchObject({ inReview: '1.0.2' });
  });

  it('has reviews end after some seconds, or by hand', async () => {
    expect(await shown()).toContain('approved after 5 s');
    await reviewByHand();
    for (const store of STORES) expect(await itemAt(store)).toMatchObject({ approveAfterSeconds: null });
    await submit('chrome', '1.0.1');
    await sim('POST', '/clock', { advanceSeconds: 60 });
    expect(await itemAt('chrome')).toMatchObject({ inReview: '1.0.1' });
    await send('/reviews');
    expect(await itemAt('chrome')).toMatchObject({ inReview: null, approveAfterSeconds: 5 });
  });

  it('remembers items, versions, reasons and the choice over a restart', async () => {
    await reviewByHand();
    for (const store of STORES) await submit(store, '1.0.1');
    for (const _ of STORES.slice(0, 2)) await send('/approve');
    await send('/reject', { reason: 'too slow' });
    const before = await Promise.all(STORES.map(itemAt));
    await restart();
    expect(await Promise.all(STORES.map(itemAt))).toEqual(before);
    expect(before.map(({ inReview }) => inReview)).toEqual([null, null, null, '1.0.1']);
    expect(await shown()).toContain('1.0.1: too slow');
    expect((await send('/approve')).status).toBe(303);
  });

  it('keeps the items of extensions that were tried earlier, and gives one without an id at Firefox one of its own', async () => {
    const ids = await Promise.all(STORES.map(async (store) => (await itemAt(store)).id));
    const both = withExtension(await remember(sandbox.url, memory), { folder: '/other', name: 'Other', geckoId: null });
    await sandbox.close();
    sandbox = await createSandbox();
    memory = await restore(sandbox.url, both);
    expect(await Promise.all(STORES.map(async (store) => (await itemAt(store)).id))).toEqual(ids);
    expect(await shown()).toMatch(/<h3>Other<\/h3>[\s\S]*<td>\{[0-9a-f-]{36}\}<\/td>/);
  });

  it('knows an extension in another folder by its id at Firefox, where another id is another add-on', async () => {
    const listed = async (): Promise<readonly (readonly string[])[]> =>
      (await sim<{ items: (ListedItem & { store: string })[] }>('GET', '/items')).items.map(({ store, id }) => [
        store,
        id,
      ]);
    const [before, remembered] = [await listed(), await remember(sandbox.url, memory)];
    const moved = { folder: '/moved', name: NAME, geckoId: 'words@my.example' };
    const renamed = { folder: '/words', name: NAME, geckoId: 'other@my.example' };
    const after = [];
    for (const extension of [moved, renamed]) {
      await sandbox.close();
      sandbox = await createSandbox();
      await restore(sandbox.url, withExtension(remembered, extension));
      after.push(await listed());
    }
    expect(after).toEqual([
      before,
      before.map(([store, id]) => [store, store === 'firefox' ? 'other@my.example' : id]),
    ]);
  });
});

describe('the shop on the page', () => {
  let webhook: Server;
  let answerStatus: number;
  const events: { type: string; data: { object: Record<string, unknown> } }[] = [];
  beforeEach(async () => {
    [answerStatus, events.length] = [200, 0];
    const { webhookSecret } = await sim<ShopState>('GET', '/stripe/shop');
    const receive = async (message: IncomingMessage): Promise<void> => {
      const body = await bodyOf(message);
      const [, time = '', mac] = /^t=(\d+),v1=(\w+)$/.exec(String(message.headers['stripe-signature'])) ?? [];
      expect(mac).toBe(createHmac('sha256', webhookSecret).update(`${time}.${body}`).digest('hex'));
      events.push(JSON.parse(body) as (typeof events)[number]);
    };
    webhook = createServer((message, response) => {
      void receive(message).then(() => response.writeHead(answerStatus).end('said so'));
    }).listen(0, '127.0.0.1');
    await once(webhook, 'listening');
    const { port } = webhook.address() as AddressInfo;
    expect((await send('/shop', { webhookUrl: `http://127.0.0.1:${port}/webhook` })).status).toBe(303);
  });
  afterEach(() => webhook.close());

  it('sells by a Payment Link, and refunds once, also after a restart', async () => {
    expect((await send('/buy', { link: 'plink_9', email: 'shopper@example.com' })).status).toBe(303);
    await restart();
    expect(await shown()).toContain('<td>shopper@example.com</td>');
    const { payments } = await sim<ShopState>('GET', '/stripe/shop');
    const payment = payments[0]?.id ?? '';
    expect((await send('/refund')).status).toBe(303);
    expect(events).toMatchObject([
      { type: 'checkout.session.completed', data: { object: { payment_link: 'plink_9', payment_intent: payment } } },
      { type: 'charge.refunded', data: { object: { payment_intent: payment, refunded: true } } },
    ]);
    const page = await shown();
    expect(page).toContain('<td>refunded</td>');
    expect(page).not.toContain('action="/refund"');
    const again = await send('/refund', { payment });
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('is refunded already')]);
  });

  it('shows why a sale did not arrive', async () => {
    answerStatus = 401;
    const refused = await send('/buy', { email: 'shopper@example.com' });
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('the webhook answered 401: said so'),
    ]);
    expect((await send('/buy', { link: '<link>' })).status).toBe(409);
    expect((await send('/shop', { webhookUrl: 'javascript:alert(1)' })).status).toBe(409);
    expect(await sim('GET', '/stripe/shop')).toMatchObject({ payments: [] });
  });
});

describe('other sites', () => {
  it.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['another site without an origin', { 'sec-fetch-site': 'cross-site' }],
  ])('change nothing: %s', async (_, headers: Record<string, string>) => {
    const body = new URLSearchParams({ by: 'hand' });
    expect((await fetch(`${sandbox.url}/reviews`, { method: 'POST', headers, body })).status).toBe(403);
    expect((await fetch(`${sandbox.url}/__sim/reset`, { method: 'POST', headers })).status).toBe(403);
    expect(await itemAt('chrome')).toMatchObject({ approveAfterSeconds: 5 });
  });

  it('get no page under a name that was pointed at this machine', async () => {
    const sent = request(sandbox.url, { headers: { host: 'evil.example' } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, await json(response)]).toEqual([403, { error: expect.any(String) as string }]);
  });
});
