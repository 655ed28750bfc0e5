import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/sandbox.js';
import { migrate, startWorld, type World } from '../support/app.js';
import { TestClock } from '../support/clock.js';
import { freePort, hasPostgresPrograms, startCluster, type Cluster } from '../support/cluster.js';
import { expectStatus, type Licensed } from '../support/given.js';

interface Reads {
  readonly standby: number;
  readonly primary: number;
}

// Without these programs there is no standby to read from.
(hasPostgresPrograms ? describe : describe.skip)('a service with DATABASE_READ_URL', () => {
  let cluster: Cluster;
  let sandbox: Sandbox;
  let dataDir: string;
  let world: World;
  let owner: Licensed;

  const start = (readUrl: string): Promise<World> =>
    startWorld({
      env: { DATABASE_READ_URL: readUrl },
      with: {
        database: { url: cluster.primary.url, empty: () => Promise.resolve(false), drop: () => Promise.resolve() },
        sandbox,
        dataDir,
        clock: new TestClock(),
        log: [],
      },
    });

  const readsOf = async ({ url }: World): Promise<Reads> => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const count = (from: string): number =>
      Number(new RegExp(`^pierhead_standby_reads_total\\{from="${from}"\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0);
    return { standby: count('standby'), primary: count('primary') };
  };

  /** Which server answered what is read meanwhile. */
  const countReads = async (work: () => Promise<unknown>, of = world): Promise<Reads> => {
    const before = await readsOf(of);
    await work();
    const after = await readsOf(of);
    return { standby: after.standby - before.standby, primary: after.primary - before.primary };
  };

  const get = (path: string) => world.api.as(owner).get(path);
  const listed = async (): Promise<readonly { readonly id: string }[]> =>
    expectStatus(await get('/licenses?limit=100'), 200).body.items;

  /** Issues a license and finds it in the list at once. */
  const findsItsOwn = async (): Promise<void> => {
    const issued = await world.api.as(owner).post('/licenses', { planId: owner.planId, buyerEmail: 'b@buyer.example' });
    const { id } = expectStatus(issued, 201).body;
    expect((await listed()).map((license) => license.id)).toContain(id);
  };

  const untilStandbyAnswers = async (): Promise<void> => {
    while ((await countReads(listed)).standby === 0);
  };

  beforeAll(async () => {
    cluster = await startCluster();
    await migrate(cluster.primary.url);
    sandbox = await createSandbox();
    dataDir = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
    world = await start(cluster.standby.url);
    owner = await world.given.licensed();
  });
  afterAll(async () => {
    await world.close();
    cluster.remove();
    await sandbox.close();
    await rm(dataDir, { recursive: true });
  });

  it('reads reports and lists from the standby, and nothing else', async () => {
    await untilStandbyAnswers();
    const of = `/extensions/${owner.extensionId}`;
    const reports = [
      '/analytics/overview',
      `${of}/analytics`,
      `${of}/events`,
      `${of}/releases`,
      '/overview',
      '/licenses',
      '/licenses/export',
      '/audit',
      '/audit/export',
      '/webhooks/inbox',
      '/webhooks/processors',
      '/notifications/deliveries',
    ];
    for (const path of reports) {
      // An export counts first what it hands out.
      const times = path.endsWith('/export') ? 2 : 1;
      // A machine that is busy may keep the standby from answering in time.
      let reads: Reads;
      do reads = await countReads(async () => expectStatus(await get(path), 200));
      while (reads.standby < times && reads.standby + reads.primary === times);
      expect([path, reads]).toEqual([path, { standby: times, primary: 0 }]);
    }
    const decides = async (): Promise<void> => {
      const device = { code: owner.code, extensionId: owner.extensionId, fingerprint: 'a device' };
      expectStatus(await world.api.post('/licensing/activate', device), 200);
      expectStatus(await world.api.post('/licensing/check', device), 200);
      expectStatus(await get(of), 200);
      expectStatus(await get(`${of}/targets`), 200);
    };
    expect(await countReads(decides)).toEqual({ standby: 0, primary: 0 });
  });

  it('shows a client what it has just written', async () => {
    const reads = await countReads(async () => {
      for (let times = 0; times < 50; times += 1) await findsItsOwn();
    });
    expect(reads.standby + reads.primary).toBe(50);
    expect(reads.standby).toBeGreaterThan(0);
  });

  it('reads from the primary while the standby is behind', async () => {
    await untilStandbyAnswers();
    await cluster.standby.query('select pg_wal_replay_pause()');
    expect(await countReads(findsItsOwn)).toEqual({ standby: 0, primary: 1 });
    await cluster.standby.query('select pg_wal_replay_resume()');
    await untilStandbyAnswers();
  });

  it('answers on when the standby is killed between two reads and within one, and comes back to it', async () => {
    let isKilled = false;
    const reader = async (): Promise<void> => {
      for (let left = 20; left > 0; left -= Number(isKilled)) expect((await listed()).length).toBeGreaterThan(0);
    };
    const readers = Array.from({ length: 4 }, reader);
    cluster.standby.stop('immediate');
    isKilled = true;
    await Promise.all(readers);
    expect(await countReads(findsItsOwn)).toEqual({ standby: 0, primary: 1 });
    cluster.standby.start();
    await untilStandbyAnswers();
  });

  it('starts while the standby is away', async () => {
    const other = await start(`postgres://postgres@127.0.0.1:${await freePort()}/postgres`);
    const reads = await countReads(async () => expectStatus(await other.api.as(owner).get('/licenses'), 200), other);
    expect(reads).toEqual({ standby: 0, primary: 1 });
    await other.close();
  });

  it('reads from the primary when the standby was promoted and has a history of its own', async () => {
    await untilStandbyAnswers();
    cluster.standby.promote();
    expect(await countReads(findsItsOwn)).toEqual({ standby: 0, primary: 1 });
  });
});
