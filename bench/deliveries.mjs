// How fast mails and webhooks that wait are handed over, beside plain programs that hand over as many on as many connections. What waits is
// made first; from the first that arrives to the last is what counts.
import { once } from 'node:events';
import http from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { newDatabase } from './databases.mjs';
import { each } from './fleet.mjs';
import { newSecret, paidOrder } from './orders.mjs';
import { apiOf, note, scratchFolder, serverKeys, signUp, startReference, startService, undoLater } from './stage.mjs';

const ENDPOINTS = [1, 2, 3, 4];
const LOOK_MS = 50;
const BODY_END = '\r\n.\r\n';

async function listening(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undoLater(async () => {
    server.close();
    server.closeAllConnections?.();
  });
  return server.address().port;
}

/** A mail server that takes everything. */
async function startMailServer() {
  let taken = () => undefined;
  const serve = (socket) => {
    let [text, isBody] = ['', false];
    socket.on('error', () => undefined);
    socket.setEncoding('latin1').write('220 bench ESMTP\r\n');
    socket.on('data', (chunk) => {
      text += chunk;
      for (;;) {
        const end = isBody ? BODY_END : '\r\n';
        const at = text.indexOf(end);
        if (at === -1) return;
        const line = text.slice(0, at).toUpperCase();
        text = text.slice(at + end.length);
        if (isBody) taken();
        isBody = !isBody && line === 'DATA';
        socket.write(isBody ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
        if (line === 'QUIT') socket.end();
      }
    });
  };
  const port = await listening(createServer(serve));
  return { port, await: (count) => awaiting(count, (arrived) => (taken = arrived)) };
}

/** A receiver of webhooks. */
async function startReceiver() {
  let taken = () => undefined;
  const server = http.createServer((request, response) => {
    request.resume().once('end', () => {
      taken();
      response.writeHead(204).end();
    });
  });
  const port = await listening(server);
  return { port, await: (count) => awaiting(count, (arrived) => (taken = arrived)) };
}

/**
 * @param {number} count of what is to arrive
 * @param {(arrived: () => void) => void} listen
 * @returns {Promise<number>} a second, from the first that arrives to the last
 */
function awaiting(count, listen) {
  let [arrived, first] = [0, 0];
  return new Promise((resolve) => {
    listen(() => {
      arrived += 1;
      if (arrived === 1) first = performance.now();
      if (arrived === count) resolve((count - 1) / ((performance.now() - first) / 1000));
    });
  });
}

/** @param {number} count @returns {Promise<{ service: number, reference: number }>} a second */
async function measureMails(count) {
  const { port, await: awaited } = await startMailServer();
  const { url } = await newDatabase();
  const env = { ...serverKeys(), DATABASE_URL: url, RECONCILE_EVERY_SECONDS: '1' };
  const silent = await startService(await scratchFolder(), env);
  const { api, session } = await signUp(silent.origin);
  const { body: extension } = await api('POST', '/extensions', { name: 'Bench' });
  const { body: plan } = await api('POST', '/plans', { extensionId: extension.id, tier: 'pro', maxActivations: 1 });
  const secret = newSecret();
  await session('POST', '/credentials', { store: 'stripe', credentials: { webhookSecret: secret } });
  const { body: me } = await session('GET', '/auth/me');
  // Each order has a mail to its buyer, with the code.
  await each([...Array(count).keys()], () => {
    const { headers, body } = paidOrder(plan.id, secret);
    return apiOf(silent.origin, headers)('POST', `/licensing/webhooks/payment/${me.tenant.id}`, JSON.parse(body));
  });
  silent.child.kill('SIGTERM');
  await once(silent.child, 'exit');
  const ours = awaited(count);
  const mail = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'a@seller.example' };
  await startService(await scratchFolder(), { ...env, ...mail });
  const service = await ours;
  const theirs = awaited(count);
  await startReference('mail-sender.mjs', [String(port), String(count)]);
  return { service, reference: await theirs };
}

/** @param {number} count @returns {Promise<{ service: number, reference: number }>} a second */
async function measureWebhooks(count) {
  const { port, await: awaited } = await startReceiver();
  const { url, client } = await newDatabase();
  const env = { ...serverKeys(), DATABASE_URL: url, RECONCILE_EVERY_SECONDS: '1' };
  const { origin } = await startService(await scratchFolder(), env);
  const { api } = await signUp(origin);
  const receiver = `http://127.0.0.1:${port}/`;
  // Each endpoint is called once at a time, and four of a tenant.
  const endpoints = await Promise.all(
    ENDPOINTS.map(() => api('POST', '/notifications/endpoints', { kind: 'webhook', url: receiver })),
  );
  await each([...Array(count).keys()], (at) =>
    api('POST', `/notifications/endpoints/${endpoints[at % endpoints.length].body.id}/test`),
  );
  for (let left = count; left > 0; await pause(LOOK_MS))
    left = (await client.query(`select from notification_delivery where status <> 'delivered'`)).rowCount;
  const ours = awaited(count);
  await client.query(`update notification_delivery set status = 'waiting', delivered_at = null, next_try_at = now()`);
  const service = await ours;
  const theirs = awaited(count);
  await startReference('webhook-sender.mjs', [receiver, String(count)]);
  return { service, reference: await theirs };
}

/** @param {number} count of each @returns {Promise<Record<'mails' | 'webhooks', { service: number, reference: number }>>} a second */
export async function measureDeliveries(count) {
  const [mails, webhooks] = [await measureMails(count), await measureWebhooks(count)];
  for (const [name, { service, reference }] of Object.entries({ mails, webhooks }))
    note(`${name}: service ${service.toFixed(0)}/s, reference ${reference.toFixed(0)}/s`);
  return { mails, webhooks };
}
