import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { SECRETS, signedBy } from '../support/payment-signers.js';
import { Seller } from './seller.js';

/** The least that may be set: a quarter of it is each tenant's share, and 2 MB that of an address at one tenant. */
const HELD_BYTES = 16_000_000;
const NEARLY_A_MEGABYTE = 1_000_000;

describe('a flood of notifications', () => {
  let world: World;
  let seller: Seller;
  beforeAll(async () => {
    world = await startWorld({
      env: {
        RATE_LIMITS: 'on',
        TRUST_PROXY: '1',
        RATE_LIMIT_BAD_SIGNATURES: '3',
        WEBHOOK_HELD_BYTES: String(HELD_BYTES),
      },
    });
    seller = await Seller.in(world, 'stripe');
  });
  afterAll(() => world.close());

  const signed = (body = ''): Readonly<Record<string, string>> =>
    signedBy('stripe', SECRETS.stripe, body, world.clock.now());
  /** Sends the head of a notification, and the beginning of its body. */
  const begin = (to: string, headers: Readonly<Record<string, string>>, start: string | Buffer = ''): Socket => {
    const { hostname, port } = new URL(world.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /api/v1/licensing/webhooks/${to} HTTP/1.1\r\n${lines.join('')}\r\n`);
    socket.write(start);
    return socket;
  };
  const answerOn = async (socket: Socket): Promise<string> => {
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString().split('\r\n')[0] ?? '';
  };

  it('is refused before its bodies have come where no credential could have signed them', async () => {
    const length = { 'content-length': '1000' };
    const { tenantId } = seller.tenant;
    const paddle = signedBy('paddle', SECRETS.paddle, '', world.clock.now());
    for (const [to, headers, status] of [
      [`payment/${randomUUID()}`, signed(), '404 Not Found'],
      [`paddle/${tenantId}`, signed(), '404 Not Found'],
      [`gumroad/${tenantId}`, signed(), '404 Not Found'],
      [`payment/${tenantId}`, {}, '401 Unauthorized'],
      [`stripe/${tenantId}`, { ...signed(), ...paddle }, '400 Bad Request'],
    ] as const) {
      const socket = begin(to, { ...length, ...headers, 'x-forwarded-for': '203.0.113.1' });
      expect(`${to} ${await answerOn(socket)}`).toBe(`${to} HTTP/1.1 ${status}`);
      socket.destroy();
    }
  });

  it('takes no more memory than it may, and passes', async () => {
    const to = `stripe/${seller.tenant.tenantId}`;
    const headers = { ...signed(), 'content-length': String(NEARLY_A_MEGABYTE + 1) };
    const half = Buffer.alloc(NEARLY_A_MEGABYTE, 32);
    const sockets = Array.from({ length: 8 }, (_, at) =>
      begin(to, { ...headers, 'x-forwarded-for': `203.0.113.${at}` }, half),
    );
    // No more than three fit.
    const refusals: string[] = [];
    await new Promise<void>((resolve) => {
      for (const socket of sockets)
        void answerOn(socket).then((status) => {
          if (refusals.push(status) === 5) resolve();
        });
    });
    expect(new Set(refusals)).toEqual(new Set(['HTTP/1.1 503 Service Unavailable']));
    const gone = sockets.map((socket) => once(socket, 'close'));
    for (const socket of sockets) socket.destroy();
    await Promise.all(gone);
    let status = 503;
    while (status === 503) ({ status } = await seller.send('{"id":"evt_after","type":"ping"}'));
    expect(status).toBe(200);
  });

  it('from one address leaves room for notifications from others, and for other tenants', async () => {
    const other = await Seller.in(world, 'stripe');
    const to = `stripe/${seller.tenant.tenantId}`;
    const flooder = { 'x-forwarded-for': '203.0.113.9' };
    const headers = { ...signed(), ...flooder, 'content-length': String(NEARLY_A_MEGABYTE + 1) };
    const half = Buffer.alloc(NEARLY_A_MEGABYTE, 32);
    const sockets = Array.from({ length: 8 }, () => begin(to, headers, half));
    await Promise.race(sockets.map(answerOn));
    const body = '{"id":"evt_beside","type":"ping"}';
    const fromElsewhere = { ...signed(body), 'x-forwarded-for': '198.51.100.9' };
    expect((await seller.post(body, fromElsewhere)).status).toBe(200);
    expect((await other.post(body, fromElsewhere)).status).toBe(200);
    const gone = sockets.map((socket) => once(socket, 'close'));
    for (const socket of sockets) socket.destroy();
    await Promise.all(gone);
  });

  it('of tiny pieces is counted with what the pieces take', async () => {
    const pieces = '1\r\n \r\n'.repeat(HELD_BYTES / 4000);
    const socket = begin(`stripe/${seller.tenant.tenantId}`, { ...signed(), 'transfer-encoding': 'chunked' }, pieces);
    expect(await answerOn(socket)).toBe('HTTP/1.1 503 Service Unavailable');
    socket.destroy();
  });

  it('of bad signatures shuts out its address at that tenant, and nobody else', async () => {
    const other = await Seller.in(world, 'stripe');
    const body = '{"id":"evt_1","type":"ping"}';
    const post = async (to: Seller, address: string, headers = signed(body)): Promise<number> =>
      (await to.post(body, { ...headers, 'x-forwarded-for': address })).status;
    const forged = signedBy('stripe', 'another secret', body, world.clock.now());
    const forger = '198.51.100.1';
    const statuses: number[] = [];
    for (let time = 0; time < 5; time += 1) statuses.push(await post(seller, forger, forged));
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect(await post(seller, forger)).toBe(429);
    expect(await post(other, forger)).toBe(200);
    expect(await post(seller, '198.51.100.2')).toBe(200);
  });
});
