import { once } from 'node:events';
import { Agent, request as requestOf, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/common/http/index.js';
import { RouteTable, startWorld, type World } from '../support/app.js';
import type { Tenant } from '../support/given.js';

/** A little less than Node.js accepts of a request's line and headers, 16 kB. */
const LONGEST = 15_000;
const LIMIT_MS = 50;
/** More than a garbage collection lasts; what takes the square of its length takes it each time. */
const TRIES = 25;

/** Headers that the service or a library below it reads. */
const HEADERS = `
  accept accept-encoding accept-language authorization cf-ipcountry content-encoding content-type cookie forwarded if-match if-modified-since
  if-none-match last-event-id origin paddle-signature range referer sec-fetch-mode sec-fetch-site stripe-signature user-agent webhook-id
  webhook-signature webhook-timestamp x-event-name x-forwarded-for x-forwarded-host x-forwarded-proto x-request-id x-signature
`
  .trim()
  .split(/\s+/);
/** Texts at which expressions that try every beginning or every division take the square of their length. */
const UNITS = [
  'a',
  'a ',
  'Bearer ',
  ' \ta',
  'a,',
  'a=a; ',
  ';',
  '"',
  'a="',
  '(',
  'Mozilla/5.0 (',
  '-',
  '=',
  '1.',
  '%41',
  'aB1=',
  'W/"',
  '::',
];
const filled = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

const withIds = (path: string): string => path.replaceAll(/\{\w+\}/g, '01890000-0000-7000-8000-000000000000');
const agent = new Agent({ keepAlive: true });

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('a request as long as Node.js accepts it', () => {
  let world: World;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await startWorld({ env: { TRUST_PROXY: '1', COUNTRY_HEADER: 'cf-ipcountry' } });
    tenant = await world.given.tenant();
  });
  afterAll(async () => {
    agent.destroy();
    await world.close();
  });

  /** One route of each way through guards, body readers and pages, and paths outside of the API. */
  const kinds = (): readonly Route[] => {
    const byKind = world.app.get(RouteTable).routes.map((route) => {
      const { method, path, access, body, isCrossOrigin } = route;
      return [`${access.kind} ${method} ${body} ${isCrossOrigin} ${path.split('/')[1]}`, route] as const;
    });
    return [...new Map(byKind.toReversed()).values()];
  };

  const send = async ({ method, path, headers = {} }: Asked): Promise<number> => {
    // Behind the guards, too.
    const own = { authorization: `Bearer ${tenant.token}`, cookie: tenant.cookie };
    const sent = requestOf(`${world.url}${path}`, { method, agent, headers: { ...own, ...headers } }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode ?? 0;
  };

  /** CPU time, this client's share included; of a request that takes too long, the cheapest of several, since garbage is collected at any time. */
  const costOf = async (asked: Asked): Promise<number> => {
    let least = Infinity;
    for (let sent = 0; sent < TRIES && least > LIMIT_MS; sent += 1) {
      const before = process.cpuUsage();
      if ((await send(asked)) === 431)
        throw new Error(`${asked.method} ${asked.path.slice(0, 80)} is longer than Node.js accepts.`);
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, (user + system) / 1000);
    }
    return least;
  };

  const costly = async (requests: Iterable<readonly [string, Asked]>): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const [name, asked] of requests) {
      const milliseconds = await costOf(asked);
      if (milliseconds > LIMIT_MS) found.push(`${name}: ${Math.round(milliseconds)} ms`);
    }
    return found;
  };

  it.each(HEADERS)('holds nobody up by its header %s, at any kind of route', async (header) => {
    const requests = kinds().flatMap(({ method, path }) =>
      UNITS.map((unit): [string, Asked] => [
        `${method} ${path} ${header}: ${unit}…`,
        {
          method,
          path: withIds(path),
          headers: { [header]: `x${filled(unit, LONGEST - path.length - header.length)}x` },
        },
      ]),
    );
    expect(requests.length).toBeGreaterThan(200);
    expect(await costly(requests)).toEqual([]);
  });

  it.each([
    ['one word', 'a'],
    ['many fields', 'a=1&'],
    ['one field many times', 'extension=1&'],
    ['nested fields', 'a[b]=1&'],
    ['a field in fields', '[a]'],
    ['escapes', '%C3%A4'],
    ['broken escapes', '%E0%A4%A'],
    ['plus signs', '+'],
  ])('holds nobody up by a query of %s', async (_, unit) => {
    const requests = kinds().map(({ method, path }): [string, Asked] => {
      const real = withIds(path);
      return [`${method} ${path}`, { method, path: `${real}?a=${filled(unit, LONGEST - real.length)}` }];
    });
    expect(await costly(requests)).toEqual([]);
  });

  it.each(['a', 'a/', '/', '.', '../', '%2F', '%41', ';a', '-', '%7B', 'a.'])(
    'holds nobody up by a path of %s at any place',
    async (unit) => {
      const requests = kinds().flatMap(({ method, path }) =>
        path.split('/').map((_, at, parts): [string, Asked] => {
          const begin = parts
            .slice(0, at + 1)
            .join('/')
            .replaceAll(/[{}]/g, '');
          return [`${method} ${begin}`, { method, path: `${begin}/${filled(unit, LONGEST - begin.length)}` }];
        }),
      );
      expect(await costly(requests)).toEqual([]);
    },
  );

  it('gets 431 when it is longer', async () => {
    expect(
      await send({ method: 'GET', path: '/health/live', headers: { authorization: `Bearer ${'a'.repeat(20_000)}` } }),
    ).toBe(431);
  });
});
