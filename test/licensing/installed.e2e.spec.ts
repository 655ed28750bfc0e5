import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { Shop } from './shop.js';

const CHECK = '/api/v1/licensing/check';
const ACTIVATE = '/api/v1/licensing/activate';
const PING = '/api/v1/analytics/ping';

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface Heard {
  readonly status: string;
  readonly head: string;
  readonly body: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const json = (body: unknown): Sent => ({ headers: JSON_TYPE, body: JSON.stringify(body) });

describe('a route that installed extensions call', () => {
  let world: World;
  let shop: Shop;
  let seated: string;
  beforeAll(async () => {
    world = await startWorld();
    shop = await Shop.open(world);
    seated = await shop.seated();
  });
  afterAll(() => world.close());

  /** Sends a request byte for byte and reads the answer until the connection closes. */
  const send = async (path: string, { method = 'POST', headers = {}, body = '' }: Sent, to = world): Promise<Heard> => {
    const { hostname, port } = new URL(to.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    await once(socket, 'connect');
    const length = 'transfer-encoding' in headers ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const lines = Object.entries({ host: 'x', connection: 'close', ...length, ...headers });
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    socket.write(body);
    const [head = '', ...rest] = (await socket.setEncoding('utf8').toArray()).join('').split('\r\n\r\n');
    return { status: head.split('\r\n')[0] ?? '', head, body: rest.join('\r\n\r\n') };
  };
  const statusOf = async (path: string, sent: Sent): Promise<string> => (await send(path, sent)).status;

  const device = (): object => ({ code: shop.license.code, extensionId: shop.extensionId, fingerprint: seated });
  const install = (): object => ({ installId: 'an install', extensionId: shop.extensionId, version: '1.2' });

  it.each([CHECK, ACTIVATE])('answers a device at %s, and ignores unknown fields', async (path) => {
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
    for (const [body, said] of asked) expect((await send(path, json(body))).body).toMatch(said);
  });

  it('takes a ping as JSON or text, and ignores unknown fields', async () => {
    const asked: readonly (readonly [Sent, string])[] = [
      [json(install()), '202 Accepted'],
      [json({ ...install(), more: { language: 1 } }), '202 Accepted'],
      [{ ...json(install()), headers: { 'content-type': 'text/plain' } }, '202 Accepted'],
      [json({ ...install(), extensionId: 'none' }), '202 Accepted'],
      [json({ ...install(), version: 1 }), '400 Bad Request'],
      [{}, '400 Bad Request'],
      [{ ...json(install()), headers: { 'content-type': 'text/html' } }, '415 Unsupported Media Type'],
      [{ headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: 'x' }, '415 Unsupported Media Type'],
    ];
    for (const [sent, status] of asked) expect(await statusOf(PING, sent)).toBe(`HTTP/1.1 ${status}`);
    const { head, body } = await send(PING, json(install()));
    expect({ body, hasType: /\ncontent-type:/i.test(head) }).toEqual({ body: '', hasType: false });
  });

  it.each([CHECK, ACTIVATE, PING])('refuses an invalid body at %s', async (path) => {
    for (const body of ['{', 'null', '"text"', '[', '\ufeff{}'])
      expect(await statusOf(path, { headers: JSON_TYPE, body })).toBe('HTTP/1.1 400 Bad Request');
    const large = { headers: JSON_TYPE, body: `"${'x'.repeat(300_000)}"` };
    expect(await statusOf(path, large)).toBe('HTTP/1.1 413 Payload Too Large');
  });

  it.each([CHECK, ACTIVATE])('reads JSON at %s however it is sent, and nothing else', async (path) => {
    const body = JSON.stringify(device());
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const asked: readonly (readonly [Sent, string])[] = [
      [{ headers: JSON_TYPE, body: `\ufeff${body}` }, '200 OK'],
      [{ headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: gzipSync(body) }, '200 OK'],
      [{ headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked' }, body: chunked }, '200 OK'],
      [{ headers: { 'content-type': 'text/plain' }, body }, '415 Unsupported Media Type'],
      [{ headers: { 'content-type': 'application/json; charset=latin1' }, body }, '415 Unsupported Media Type'],
      [{ headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: 'no gzip' }, '400 Bad Request'],
      [{}, '400 Bad Request'],
      [{ method: 'GET' }, '405 Method Not Allowed'],
      [{ method: 'OPTIONS', headers: { origin: 'chrome-extension://x' } }, '204 No Content'],
    ];
    for (const [sent, status] of asked) expect(await statusOf(path, sent)).toBe(`HTTP/1.1 ${status}`);
  });

  it('counts and logs each activation that is refused by its reason, without the code', async () => {
    const refused = async (): Promise<number> => {
      const { text } = await world.api.get('//metrics');
      return Number(/^pierhead_activations_refused_total\{reason="invalid_code"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const before = await refused();
    const unknown = { ...device(), code: 'HHHH-HHHH-HHHH-HHHH-HHHH-HHHH-HHHH' };
    expect((await send(ACTIVATE, json(unknown))).head).toContain('200 OK');
    expect(await refused()).toBe(before + 1);
    const lines = world.log.filter((line) => line.includes('activation refused'));
    expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({ reason: 'invalid_code', extensionId: expect.any(String) });
    expect(lines.join('')).not.toContain('HHHH');
  });

  it.each([CHECK, ACTIVATE, PING])('logs and counts each request to %s once, with its own id', async (path) => {
    const counted = async (): Promise<number> => {
      const { text } = await world.api.get('//metrics');
      return text
        .split('\n')
        .filter((line) => line.startsWith('pierhead_http_request_seconds_count') && line.includes(`route="${path}"`))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    const before = await counted();
    const ids = new Set<string>();
    for (const sent of [json({ secret: 'x' }), json({ secret: 'x' })]) {
      const { head } = await send(path, sent);
      const id = /\nx-request-id: ([0-9a-f-]{36})\r/i.exec(head)?.[1] ?? 'none';
      ids.add(id);
      expect(world.log.filter((line) => line.includes(id)).map((line) => JSON.parse(line) as object)).toMatchObject([
        { msg: 'request', req: { method: 'POST', path }, res: { status: 400 } },
      ]);
    }
    expect(ids.size).toBe(2);
    expect((await counted()) - before).toBe(2);
  });

  it('answers any origin, also with a refusal', async () => {
    for (const [path, body] of [
      [CHECK, device()],
      [ACTIVATE, {}],
      [PING, {}],
    ] as const)
      expect((await send(path, json(body))).head).toMatch(/\naccess-control-allow-origin: \*\r/i);
  });

  it('limits callers by their address', async () => {
    const limits = { RATE_LIMITS: 'on', RATE_LIMIT_CHECK_PER_ADDRESS: '1', RATE_LIMIT_PING_PER_ADDRESS: '1' };
    const limited = await startWorld({ env: limits });
    try {
      for (const path of [CHECK, PING]) {
        await send(path, json({ ...device(), ...install() }), limited);
        const { status, head } = await send(path, json({ ...device(), ...install() }), limited);
        expect(status).toBe('HTTP/1.1 429 Too Many Requests');
        expect(head).toMatch(/\nretry-after: [1-9]/i);
      }
    } finally {
      await limited.close();
    }
  });
});
