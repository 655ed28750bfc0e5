import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World, DataSource, InstallDigest, Config, RateLimits } from '../support/app.js';
import type { Tenant } from '../support/given.js';
import { StatementListener } from '../support/statement-listener.js';
import { CHROME, dayOf, ping } from './install.js';

const FLOODER = '198.51.100.66';
const CONNECTIONS = 32;
/** Others who ping while the flood is on, one after the other. */
const OTHERS = 40;
/** Turns of all the flood's connections that one of the others waits for, at most. */
const TURNS = 10;
const MILLION = 1_000_000;

describe('a flood of made-up installs from one address', () => {
  let world: World;
  let owner: Tenant;
  let extensionId: string;
  beforeAll(async () => {
    world = await startWorld({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });
    owner = await world.given.tenant();
    extensionId = await world.given.extension(owner);
  });
  afterAll(() => world.close());

  const active = async (): Promise<number> =>
    (await world.api.as(owner).get(`/extensions/${extensionId}/analytics`)).body.days.at(-1).active;

  /** Pings from one address over all its connections, until it is stopped. */
  const flood = () => {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const answers = new Map<number | undefined, number>();
    const seen = { all: 0 };
    const end = new AbortController();
    const send = (): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'text/plain', 'user-agent': CHROME, 'x-forwarded-for': FLOODER };
        const sending = request(
          `${world.url}/api/v1/analytics/ping`,
          { method: 'POST', agent, headers },
          (response) => {
            response.resume().once('end', () => resolve(response.statusCode));
          },
        );
        sending.once('error', reject);
        sending.end(JSON.stringify({ extensionId, installId: randomUUID(), version: '1.0.0' }));
      });
    const sendOn = async (): Promise<void> => {
      while (!end.signal.aborted) {
        const status = await send();
        answers.set(status, (answers.get(status) ?? 0) + 1);
        seen.all += 1;
      }
    };
    const sending = Promise.all(Array.from({ length: CONNECTIONS }, sendOn));
    const stop = async (): Promise<ReadonlyMap<number | undefined, number>> => {
      end.abort();
      await sending;
      agent.destroy();
      return answers;
    };
    return { seen, stop };
  };

  it('keeps nobody else waiting, and costs the database nothing beyond what the address may send', async () => {
    const statements = StatementListener.of(world);
    const waits: number[] = [];
    const { answer: answers, said } = await statements.during(async () => {
      const { seen, stop } = flood();
      for (let other = 0; other < OTHERS; other += 1) {
        const before = seen.all;
        expect((await ping(world, { extensionId, from: `203.0.113.${other}` })).status).toBe(202);
        waits.push(seen.all - before);
      }
      return stop();
    });
    const taken = answers.get(202) ?? 0;
    expect(new Set(answers.keys())).toEqual(new Set([202, 429]));
    expect(answers.get(429)).toBeGreaterThan(taken);
    // What is refused is refused before the database hears of it; pings that come together share a statement.
    expect(said.length).toBeLessThanOrEqual(taken + OTHERS);
    expect(Math.max(...waits)).toBeLessThanOrEqual(TURNS * CONNECTIONS);
    expect(await active()).toBe(50 + OTHERS);
  });

  it('does not move the figures past the cap with a million of them, and takes nothing from others', async () => {
    const limits = world.app.get(RateLimits);
    const digest = world.app.get(InstallDigest);
    const cap = { name: 'ping-installs', perDay: world.app.get(Config).analyticsInstallsPerAddress };
    const day = dayOf(world);
    // Not over HTTP, which would take a minute: what each ping is asked, of the service that has taken the pings above.
    let counted = 0;
    for (let sent = 0; sent < MILLION; sent += 1)
      if (await limits.consumeDaily(cap, day, digest.senderOf(day, FLOODER, extensionId))) counted += 1;
    expect(counted).toBe(0);
    const before = await active();
    for (let other = 0; other < OTHERS; other += 1)
      expect((await ping(world, { extensionId, from: `192.0.2.${other}` })).status).toBe(202);
    expect(await active()).toBe(before + OTHERS);
  });
});

describe('an install whose ping fails', () => {
  it('takes nobody else its place among those that count from an address', async () => {
    const world = await startWorld({ env: { RATE_LIMITS: 'on', ANALYTICS_INSTALLS_PER_ADDRESS: '1' } });
    try {
      const extensionId = await world.given.extension(await world.given.tenant());
      const source = world.app.get(DataSource);
      await source.query('alter table install_day rename to away');
      expect((await ping(world, { extensionId })).status).toBe(500);
      await source.query('alter table away rename to install_day');
      for (const installId of ['one', 'other']) await ping(world, { extensionId, installId });
      expect(await source.query('select count(*)::int as counted from install_day')).toEqual([{ counted: 1 }]);
    } finally {
      await world.close();
    }
  });
});
