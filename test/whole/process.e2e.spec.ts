import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Author } from '../reconcile/author.js';
import type { HeldCall } from '../reconcile/gate.js';
import { expectStatus } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { run } from '../support/process.js';
import { isOnServer, Machine, SECRETS } from './machine.js';

const EX_CONFIG = 78;

interface Point {
  readonly call: 'fetchStatus' | 'upload' | 'publish' | 'cancelSubmission';
  /** Of the store's acting. */
  readonly side: 'before' | 'after';
  readonly nth?: number;
  readonly wish?: object;
  /** The store hears of the call, and acts, when the next process is already at work. */
  readonly arrivesLate?: true;
}

/** Where a release is when its process dies: at each call of its way, before the store has acted and after. */
const POINTS: Readonly<Record<string, Point>> = {
  'before the first look': { call: 'fetchStatus', side: 'before' },
  'after the first look': { call: 'fetchStatus', side: 'after' },
  'before the upload': { call: 'upload', side: 'before' },
  'after the upload': { call: 'upload', side: 'after' },
  'before the look at the upload': { call: 'fetchStatus', side: 'before', nth: 2 },
  'after the look at the upload': { call: 'fetchStatus', side: 'after', nth: 2 },
  'while the store works on the upload': {
    call: 'fetchStatus',
    side: 'after',
    nth: 3,
    wish: { asyncUploadPolls: 3 },
  },
  'before the submission': { call: 'publish', side: 'before' },
  'after the submission': { call: 'publish', side: 'after' },
  'before a submission that arrives late': { call: 'publish', side: 'before', arrivesLate: true },
  'before the look at the submission': { call: 'fetchStatus', side: 'before', nth: 3 },
  'after the look at the submission': { call: 'fetchStatus', side: 'after', nth: 3 },
  'before an earlier version is withdrawn': { call: 'cancelSubmission', side: 'before' },
  'after an earlier version was withdrawn': { call: 'cancelSubmission', side: 'after' },
};

interface Release {
  readonly author: Author;
  readonly point: Point;
  readonly held: HeldCall;
  /** Versions that went to review before the one that is followed. */
  readonly earlier: number;
}

let machine: Machine;
beforeAll(async () => {
  machine = await Machine.start();
});
afterAll(() => machine.close());

describe('a process that is killed', () => {
  let releases: Map<string, Release>;
  let inReview: Author;
  let witness: Author;
  let acknowledged: Awaited<ReturnType<typeof acknowledge>>;

  /** Starts a release, and comes back when it is at the point. */
  const bringTo = async (point: Point): Promise<Release> => {
    const { call, side, nth, wish } = point;
    const withdraws = call === 'cancelSubmission';
    const author = await Author.in(machine.world, { approveAfterPolls: withdraws ? null : 0, ...wish });
    if (withdraws) {
      await author.set({ onPending: 'replace' });
      await author.push('0.9.0');
      await author.reconcile();
      await until(author, 'in_review');
    }
    const held = machine.gate.hold(`${author.mine.itemId}:${call}`, side, nth);
    expectStatus(await author.push('1.0.0'), 201);
    // Once more, for the one whose upload the store is still at.
    dies(author.reconcile().then(() => author.reconcile()));
    await held.reached;
    if (withdraws) await author.dashboard({ approveAfterPolls: 0 });
    return { author, point, held, earlier: withdraws ? 1 : 0 };
  };

  const bringToReview = async (wish: object): Promise<Author> => {
    const author = await Author.in(machine.world, wish);
    expectStatus(await author.push('1.0.0'), 201);
    await author.reconcile();
    await until(author, 'in_review');
    return author;
  };

  /** Makes rows, and hears of the last of them in the moment before the end. */
  const acknowledge = async ({ mine }: Author) => {
    const { token, cookie, extensionId, credentialId } = mine;
    const api = machine.world.api.as({ token });
    const credential = (await machine.world.api.as({ cookie }).get(`/credentials/${credentialId}`)).body;
    const zip = new Uint8Array(await packageOf('3.0.0'));
    const names = Array.from({ length: 10 }, (_, index) => `Made in the last moment ${index}`);
    const [pushed, ...made] = await Promise.all([
      api.push({ extension: extensionId, version: '3.0.0' }, zip),
      ...names.map((name) => api.post('/extensions', { name })),
    ]);
    const extensions = made.map((answer) => expectStatus(answer, 201).body);
    return { zip, artifact: expectStatus(pushed, 201).body.artifact, credential, extensions };
  };

  beforeAll(async () => {
    const reviewing = bringToReview({ approveAfterPolls: 1 });
    const reached = await Promise.all(
      Object.entries(POINTS).map(async ([name, point]) => [name, await bringTo(point)] as const),
    );
    releases = new Map(reached);
    inReview = await reviewing;
    witness = await Author.in(machine.world);
    acknowledged = await acknowledge(witness);
    await machine.restart();
  });

  it.each(Object.keys(POINTS))(
    '%s is followed by one that brings the release to live, with nothing doubled',
    async (name) => {
      const release = releases.get(name);
      if (release === undefined) throw new Error('There is no such release');
      const { point, held, earlier } = release;
      const author = release.author.at(machine.world);
      if (point.arrivesLate === true) {
        held.open();
        await held.acted;
      }
      await until(author, 'live');
      const { uploads, publishes, submissions } = await author.counters();
      expect({ publishes, submissions }).toEqual({ publishes: 1 + earlier, submissions: 1 + earlier });
      expect(uploads).toBeLessThanOrEqual(2 + earlier);
      expect(await author.releases()).toEqual(['1.0.0 live', ...(earlier > 0 ? ['0.9.0 superseded'] : [])]);
    },
  );

  it('while a version is in review sends nothing again', async () => {
    const author = inReview.at(machine.world);
    expect(await author.status()).toMatchObject({ phase: 'in_review' });
    expect(await author.reconcile()).toMatchObject({ phase: 'live' });
    expect(await author.counters()).toMatchObject({ uploads: 1, publishes: 1 });
  });

  it('has lost nothing that it had acknowledged, to the last row and byte', async () => {
    const { zip, artifact, credential, extensions } = acknowledged;
    const { token, cookie, credentialId } = witness.mine;
    const { api } = machine.world;
    expect((await api.as({ token }).get(`/artifacts/${artifact.id}`)).body).toEqual(artifact);
    expect((await api.as({ cookie }).get(`/credentials/${credentialId}`)).body).toEqual(credential);
    for (const extension of extensions)
      expect((await api.as({ token }).get(`/extensions/${extension.id}`)).body).toEqual(extension);
    const download = await fetch(`${machine.world.url}/api/v1/artifacts/${artifact.id}/download`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(Buffer.from(await download.arrayBuffer()).equals(zip)).toBe(true);
  });
});

describe('a process that lives', () => {
  it('has an embedded database for itself, and shares one on a server', async () => {
    const second = machine.another();
    if (isOnServer) {
      expect((await fetch(`${(await second).url}/health/ready`)).status).toBe(200);
      await (await second).kill();
    } else {
      await expect(second).rejects.toThrow(
        `${machine.dataDir} is in use by process ${machine.service.pid} on ${hostname()}. ` +
          'Stop that one first, or give this one another DATA_DIR.',
      );
      await expect(second).rejects.toMatchObject({ cause: { code: EX_CONFIG, stdout: '' } });
    }
    expect((await fetch(`${machine.world.url}/health/ready`)).status).toBe(200);
  });
});

describe('a process that is told to end', () => {
  it('finishes the steps in hand, answers what is in flight, and leaves the rest to the next one', async () => {
    const { world, service, gate } = machine;
    const [one, two, asking] = await Promise.all([1, 2, 3].map(() => Author.in(world, { approveAfterPolls: 0 })));
    if (one === undefined || two === undefined || asking === undefined) throw new Error('Three authors were asked for');
    const calls = [one, two].map(({ mine }) => gate.hold(`${mine.itemId}:upload`));
    for (const [index, author] of [one, two].entries()) {
      await author.push('1.0.0');
      // The second is begun although the first keeps a worker busy.
      await calls[index]?.reached;
    }
    const look = gate.hold(`${asking.mine.itemId}:fetchStatus`);
    const answer = asking.reconcile();
    await look.reached;

    await service.terminate();
    for (const call of [...calls, look]) call.open();
    expect(await answer).toMatchObject({ phase: 'idle', steps: [{ step: 'nothing' }] });
    expect(await service.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(service.said.filter((message) => message !== 'request').slice(-2)).toEqual(['stopping', 'stopped']);
    for (const author of [one, two]) expect(await author.counters()).toMatchObject({ uploads: 1, publishes: 0 });

    await machine.restart();
    for (const author of [one, two]) {
      await until(author.at(machine.world), 'live');
      expect(await author.counters()).toMatchObject({ uploads: 1, publishes: 1, submissions: 1 });
    }
  });
});

describe('a process that cannot begin', () => {
  it('says all that is wrong with its configuration at once, and does not begin', async () => {
    const dataDir = join(machine.dataDir, 'never-made');
    const { code, stdout, stderr } = await run(['dist/main.js'], {
      DATA_DIR: dataDir,
      PORT: 'eighty',
      DATABASE_URL: 'mysql://somewhere',
      RECONCILE_EVERY_SECONDS: '0',
      ENCRYPTION_KEYS: 'a secret that is no key',
      CHROME_API_URL: 'not a url',
      SIGNUP: 'maybe',
    });
    expect({ code, stdout }).toEqual({ code: EX_CONFIG, stdout: '' });
    const named = [...stderr.matchAll(/^ {2}- (\w+) must /gm)].map(([, name]) => name);
    expect(new Set(named)).toEqual(
      new Set(['CHROME_API_URL', 'DATABASE_URL', 'ENCRYPTION_KEYS', 'PORT', 'RECONCILE_EVERY_SECONDS', 'SIGNUP']),
    );
    expect(stderr).not.toMatch(/a secret that is no key|mysql|at .*\.js/);
    expect(await readdir(machine.dataDir)).not.toContain('never-made');
  });
});

describe('a process whose machine does not let it begin', () => {
  const begins = (env: Readonly<Record<string, string>>) =>
    run(['dist/main.js'], { PORT: '0', DATA_DIR: join(machine.dataDir, 'beside'), ...env });
  it('says in one sentence that its port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await begins({ PORT: String(port) });
    other.close();
    expect(stderr).toBe(
      `Port ${port} of 127.0.0.1 is in use. Stop who listens there, or give this one another PORT.\n`,
    );
    expect(code).toBe(1);
  });

  it.each([
    ['is a file', 'a-file'],
    ['lies below a file', 'a-file/data'],
  ])('says in one sentence that its folder %s', async (_, name) => {
    await writeFile(join(machine.dataDir, 'a-file'), '');
    const { code, stdout, stderr } = await begins({ DATA_DIR: join(machine.dataDir, name) });
    expect(stderr).toMatch(
      /^DATA_DIR must be a folder, and something else lies at \S+a-file\S* \((EEXIST|ENOTDIR)\)\.\n$/,
    );
    expect({ code, stdout }).toEqual({ code: EX_CONFIG, stdout: '' });
  });

  it('says in one sentence that its database does not answer, and not with which password it asked', async () => {
    const { code, stderr } = await begins({ ...SECRETS, DATABASE_URL: 'postgres://owl:of-the-night@127.0.0.1:9/none' });
    expect(stderr).toBe('PostgreSQL, at DATABASE_URL, cannot be reached: ECONNREFUSED at 127.0.0.1:9.\n');
    expect(code).toBe(1);
  });
});

/** A request that will not be answered, because the process dies. */
const dies = (request: Promise<unknown>): void => void request.catch(() => undefined);

/** Waits until the service has brought a target into a phase, by itself. */
async function until(author: Author, phase: string): Promise<void> {
  for (let looks = 0; looks < 400; looks += 1) {
    if ((await author.status()).phase === phase) return;
    await pause(50);
  }
  throw new Error(`The target is not ${phase}: ${JSON.stringify(await author.status())}`);
}
