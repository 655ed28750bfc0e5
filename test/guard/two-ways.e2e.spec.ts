import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RouteTable } from '../../src/common/http/index.js';
import { startWorld, type World } from '../support/app.js';
import { Shop } from '../licensing/shop.js';

const CHECK = '/api/v1/licensing/check';
const ACTIVATE = '/api/v1/licensing/activate';
const PING = '/api/v1/analytics/ping';

interface Heard {
  readonly status: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isByExpress: boolean;
  readonly isToWait: boolean;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const json = (body: unknown): Sent => ({ headers: JSON_TYPE, body: JSON.stringify(body) });

/** What no two answers have in common. */
const OWN = new Set(['x-request-id', 'date', 'retry-after']);
const withoutOwn = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id').replace(/in \d+ seconds/, 'soon');

describe('a route with a fast path', () => {
  let world: World;
  let shop: Shop;
  let seated: string;
  beforeAll(async () => {
    world = await startWorld();
    shop = await Shop.open(world);
    seated = await shop.seated();
  });
  afterAll(() => world.close());

  /** Sends a request as it is, and hears what comes until the connection is closed. */
  const send = async (
    where: World,
    path: string,
    { method = 'POST', headers = {}, body = '' }: Sent,
  ): Promise<Heard> => {
    const { hostname, port } = new URL(where.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    const seen = once(where.app.getHttpServer(), 'request') as Promise<[IncomingMessage]>;
    const length = 'transfer-encoding' in headers ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const lines = Object.entries({ host: 'x', connection: 'close', ...length, ...headers });
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    socket.write(body);
    const [request] = await seen;
    const text = (await socket.setEncoding('utf8').toArray()).join('');
    const [head = '', ...rest] = text.split('\r\n\r\n');
    const [status = '', ...fields] = head.split('\r\n');
    const named = fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.replace(/^.*?: /, ''),
    ]);
    return {
      status,
      headers: Object.fromEntries(named.filter(([name = '']) => !OWN.has(name))),
      body: withoutOwn(rest.join('\r\n\r\n')),
      isByExpress: 'baseUrl' in request,
      isToWait: /\nretry-after: [1-9]/i.test(head),
    };
  };
  /** The same, asked for in a way that only Express understands. */
  const sendTheLongWay = (where: World, path: string, sent: Sent): Promise<Heard> => send(where, `${path}?`, sent);
  const expectSame = async (where: World, path: string, sent: Sent, isFast: boolean): Promise<Heard> => {
    const [short, long] = [await send(where, path, sent), await sendTheLongWay(where, path, sent)];
    expect(short).toEqual({ ...long, isByExpress: !isFast });
    expect(long.isByExpress).toBe(true);
    return short;
  };

  it('is one of those that extensions call by the million', () => {
    const fast = world.app.get(RouteTable).routes.filter(({ isFast }) => isFast);
    expect(fast.map(({ path }) => path).toSorted()).toEqual([PING, ACTIVATE, CHECK]);
  });

  const device = (): object => ({ code: shop.license.code, extensionId: shop.extensionId, fingerprint: seated });
  const install = (): object => ({ installId: 'an install', extensionId: shop.extensionId, version: '1.2' });

  it.each([CHECK, ACTIVATE])('answers a device at %s as it would on the long way', async (path) => {
    const asked: readonly (readonly [object, RegExp])[] = [
      [device(), /"isActive":true,"reason":"active"/],
      [{ ...device(), nonce: 'n', deviceInfo: { label: 'Mine', more: 1 }, unknown: true }, /"isActive":true/],
      [{ ...device(), code: 'none' }, /"reason":"invalid_code"/],
      [{ ...device(), extensionId: 'none' }, /"code":"licensing_not_enabled"/],
      [{ ...device(), fingerprint: '' }, /"field":"fingerprint"/],
      [{ ...device(), nonce: '\0', code: 1 }, /"field":"nonce"/],
      [[], /must be a JSON object/],
      [JSON.parse('{"__proto__":1}') as object, /This field is unknown/],
    ];
    for (const [body, said] of asked) expect((await expectSame(world, path, json(body), true)).body).toMatch(said);
  });

  it('counts a ping as it would on the long way', async () => {
    const asked: readonly (readonly [Sent, string])[] = [
      [json(install()), '202 Accepted'],
      [{ ...json(install()), headers: { 'content-type': 'text/plain' } }, '202 Accepted'],
      [json({ ...install(), extensionId: 'none' }), '202 Accepted'],
      [json({ ...install(), version: 1 }), '400 Bad Request'],
      [{}, '400 Bad Request'],
      [{ ...json(install()), headers: { 'content-type': 'text/html' } }, '415 Unsupported Media Type'],
      [{ headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: 'x' }, '415 Unsupported Media Type'],
    ];
    for (const [sent, status] of asked)
      expect((await expectSame(world, PING, sent, true)).status).toBe(`HTTP/1.1 ${status}`);
  });

  it.each([CHECK, ACTIVATE, PING])('refuses at %s what is no proper body as it would on the long way', async (path) => {
    const bodies = ['{', 'null', '"text"', '[', '\ufeff{}', `"${'x'.repeat(300_000)}"`];
    for (const body of bodies) {
      const { status } = await expectSame(world, path, { headers: JSON_TYPE, body }, true);
      expect(status).toMatch(/ 4(00|13) /);
    }
  });

  it.each([CHECK, ACTIVATE])('leaves to Express what few would send to %s', async (path) => {
    const body = JSON.stringify(device());
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const asked: readonly (readonly [Sent, string])[] = [
      [{ headers: { 'content-type': 'text/plain' }, body }, '415 Unsupported Media Type'],
      [{ headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: gzipSync(body) }, '200 OK'],
      [{ headers: { 'content-type': 'application/json; charset=latin1' }, body }, '415 Unsupported Media Type'],
      [{}, '400 Bad Request'],
      [{ method: 'GET' }, '405 Method Not Allowed'],
      [{ method: 'OPTIONS', headers: { origin: 'chrome-extension://x' } }, '204 No Content'],
    ];
    for (const [sent, status] of asked)
      expect((await expectSame(world, path, sent, false)).status).toBe(`HTTP/1.1 ${status}`);
    const asIs = { headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked' }, body: chunked };
    expect((await expectSame(world, path, asIs, true)).status).toBe('HTTP/1.1 200 OK');
  });

  it.each([CHECK, ACTIVATE, PING])('is logged and counted at %s as it would be on the long way', async (path) => {
    const lines = (): readonly string[] => world.log.filter((line) => line.includes(path));
    const counted = async (): Promise<number> => {
      const { text } = await world.api.get('//metrics');
      return text
        .split('\n')
        .filter((line) => line.startsWith('pierhead_http_request_seconds_count') && line.includes(`route="${path}"`))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    const [logged, before] = [lines().length, await counted()];
    await expectSame(world, path, json({ secret: 'x' }), true);
    const [short, long, ...more] = lines()
      .slice(logged)
      .map((line) => ({ ...(JSON.parse(line) as object), requestId: 'id', time: '', ms: 0 }));
    expect(short).toMatchObject({ req: { method: 'POST', path }, res: { status: 400 }, msg: 'request' });
    expect(long).toEqual(short);
    expect(more).toEqual([]);
    expect((await counted()) - before).toBe(2);
  });

  it('answers each request under an id of its own, that is in the log', async () => {
    const { headers } = await shop.check(seated);
    const id = headers.get('x-request-id') ?? '';
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(world.log.filter((line) => line.includes(id))).toHaveLength(1);
    expect((await shop.check(seated)).headers.get('x-request-id')).not.toBe(id);
  });

  it('counts callers on both ways together', async () => {
    const limits = { RATE_LIMITS: 'on', RATE_LIMIT_CHECK_PER_ADDRESS: '1', RATE_LIMIT_PING_PER_ADDRESS: '1' };
    const limited = await startWorld({ env: limits });
    try {
      for (const path of [CHECK, PING]) {
        await sendTheLongWay(limited, path, json({ ...device(), ...install() }));
        const { status, isToWait } = await expectSame(limited, path, json({ ...device(), ...install() }), true);
        expect(status).toBe('HTTP/1.1 429 Too Many Requests');
        expect(isToWait).toBe(true);
      }
    } finally {
      await limited.close();
    }
  });
});
