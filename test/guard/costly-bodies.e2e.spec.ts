import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World, RouteTable } from '../support/app.js';
import { leastTimeOf } from '../support/processor-time.js';

const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** As many fields as fit into 250 kB, none of which any route knows. */
const unknownFields = (count = 24_000): Readonly<Record<string, number>> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, 1]));

describe('a body that is made to cost the service much', () => {
  let world: World;
  let limited: World;
  beforeAll(async () => {
    world = await startWorld();
    const one = '1';
    limited = await startWorld({
      with: world,
      env: {
        RATE_LIMITS: 'on',
        RATE_LIMIT_LOGIN_PER_ADDRESS: one,
        RATE_LIMIT_CI_PER_ADDRESS: one,
        RATE_LIMIT_CLI_POLLS_PER_ADDRESS: one,
        RATE_LIMIT_ACTIVATE_PER_ADDRESS: one,
        RATE_LIMIT_CHECK_PER_ADDRESS: one,
        RATE_LIMIT_CLAIM_PER_ADDRESS: one,
        RATE_LIMIT_PING_PER_ADDRESS: one,
        RATE_LIMIT_BUYER_PER_ADDRESS: one,
      },
    });
  });
  afterAll(async () => {
    await limited.close();
    await world.close();
  });

  const openRoutes = (): readonly { readonly path: string; readonly type: Readonly<Record<string, string>> }[] =>
    world.app
      .get(RouteTable)
      .routes.filter(({ method, access, body }) => method === 'POST' && access.kind === 'public' && body !== 'own')
      .map(({ path, body }) => ({ path, type: body === 'form' ? FORM_TYPE : JSON_TYPE }));

  it.each([
    ['its announced length', {}],
    ['the bytes that arrived', { 'transfer-encoding': 'chunked' }],
  ])('beyond 16 kB gets 413 from every public route, by %s', async (_, headers) => {
    const bytes = new TextEncoder().encode(JSON.stringify(unknownFields()));
    const statuses: string[] = [];
    for (const { path, type } of openRoutes()) {
      const answer = await fetch(`${world.url}${path}`, {
        method: 'POST',
        headers: type,
        body: 'transfer-encoding' in headers ? new Blob([bytes]).stream() : bytes,
        duplex: 'half',
      });
      statuses.push(`${path} ${answer.status}`);
    }
    expect(statuses.length).toBeGreaterThanOrEqual(12);
    expect(statuses).toEqual(openRoutes().map(({ path }) => `${path} 413`));
  });

  it.each([
    ['at its top', 'PATCH', (fields: object) => fields, 20],
    ['in an object of its own', 'PATCH', (fields: object) => ({ licensing: fields }), 20],
    ['in a secret', 'POST', (fields: object) => ({ store: 'chrome', credentials: fields }), 1],
  ])(
    'with 24,000 unknown fields %s takes less than 150 ms of CPU and gets a short answer',
    async (_, method, wrap, faults) => {
      const tenant = await world.given.tenant();
      const path = method === 'POST' ? '/credentials' : `/extensions/${await world.given.extension(tenant)}`;
      const raw = JSON.stringify(wrap(unknownFields()));
      const send = () => world.api.as(tenant).call(method, path, undefined, { raw, headers: JSON_TYPE });
      await send();
      const refused = async () => {
        const { status, body, text } = await send();
        expect({ status, faults: body.errors.length }).toEqual({ status: 400, faults });
        expect(text.length).toBeLessThan(5_000);
      };
      // This client's share included.
      expect(await leastTimeOf(refused)).toBeLessThan(150);
    },
  );

  it('has the name of an unknown field cut in the answer', async () => {
    const tenant = await world.given.tenant();
    const { body, text } = await world.api.as(tenant).post('/extensions', { name: 'x', ['y'.repeat(200_000)]: 1 });
    expect(body.errors).toEqual([{ field: 'y'.repeat(100), message: 'This field is unknown.' }]);
    expect(text.length).toBeLessThan(1000);
  });

  it('is not waited for once its address has reached its rate limit', async () => {
    for (const { path, type: headers } of openRoutes()) {
      await fetch(`${limited.url}${path}`, { method: 'POST', headers, body: 'x' });
      const { hostname, port } = new URL(limited.url);
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: 100\r\n\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(`${path} ${answer.toString().split('\r\n')[0]}`).toBe(`${path} HTTP/1.1 429 Too Many Requests`);
      socket.destroy();
    }
  });
});
