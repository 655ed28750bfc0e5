import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Author } from '../reconcile/author.js';
import { expectStatus } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { run } from '../support/process.js';
import { isOnServer, Machine, SECRETS } from './machine.js';

const EX_CONFIG = 78;
/** Seconds, and many of them on a busy machine. */
const MAKES_CLUSTER_MS = 300_000;

let machine: Machine;
beforeAll(async () => {
  machine = await Machine.start();
}, MAKES_CLUSTER_MS);
afterAll(() => machine.close());

describe('a process that is killed', () => {
  let inReview: Author;
  let witness: Author;
  let acknowledged: Awaited<ReturnType<typeof acknowledge>>;

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
    inReview = await Author.in(machine.world, { approveAfterPolls: null });
    expectStatus(await inReview.push('1.0.0'), 201);
    await inReview.reconcile();
    await until(inReview, 'in_review');
    witness = await Author.in(machine.world);
    // An item proves the credential.
    await witness.reconcile();
    acknowledged = await acknowledge(witness);
    await machine.restart();
  });

  it('while a version is in review is replaced by one that resumes checking and submits nothing twice', async () => {
    const author = inReview.at(machine.world);
    expect(await author.status()).toMatchObject({ phase: 'in_review' });
    await author.act('approve');
    await until(author, 'live');
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

describe('a running process', () => {
  it('has an embedded database for itself, and shares one on a server', async () => {
    const second = machine.another();
    if (isOnServer) {
      expect((await fetch(`${(await second).url}/health/ready`)).status).toBe(200);
      await (await second).kill();
    } else {
      await expect(second).rejects.toThrow(
        `${machine.dataDir} is in use by process ${machine.service.pid} on ${hostname()}. ` +
          'Stop that process, or set another DATA_DIR for this one.',
      );
      await expect(second).rejects.toMatchObject({ cause: { code: EX_CONFIG, stdout: '' } });
    }
    expect((await fetch(`${machine.world.url}/health/ready`)).status).toBe(200);
  });
});

describe('a process that receives SIGTERM', () => {
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

describe('a busy process that receives SIGTERM', () => {
  /** Says that an install is there. @returns the status of the answer, or why there was none */
  const ping = (agent: Agent): Promise<number | string> =>
    new Promise((resolve) => {
      const asked = request(`${machine.service.url}/api/v1/analytics/ping`, { agent, method: 'POST' }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      });
      asked.once('error', (error) => resolve(String((error as { readonly code?: unknown }).code)));
      asked.setHeader('content-type', 'application/json');
      asked.end(JSON.stringify({ installId: 'one', extensionId: 'none', version: '1' }));
    });
  /** Goes on until it is not answered. */
  const pingOn = async (agent: Agent): Promise<readonly (number | string)[]> => {
    for (const outcomes = new Set<number | string>(); ;) {
      const outcome = await ping(agent);
      outcomes.add(outcome);
      if (typeof outcome === 'string') return [...outcomes];
    }
  };

  it('answers open connections and accepts no new ones', async () => {
    const agent = new Agent({ keepAlive: true });
    const pings = (): Promise<number | string>[] => Array.from({ length: 8 }, () => ping(agent));
    expect(new Set(await Promise.all(pings()))).toEqual(new Set([202]));
    const callers = Array.from({ length: 8 }, () => pingOn(agent));
    await machine.service.terminate();
    for (const outcomes of await Promise.all(callers)) expect(outcomes).toEqual([202, 'ECONNREFUSED']);
    expect(await machine.service.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    agent.destroy();
    await machine.restart();
  });
});

describe('a process that cannot start', () => {
  it('reports all configuration errors together and exits', async () => {
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

describe('a process that cannot use its port, disk or database', () => {
  const begins = (env: Readonly<Record<string, string>>) =>
    run(['dist/main.js'], { PORT: '0', DATA_DIR: join(machine.dataDir, 'beside'), ...env });
  it(
    'says in one sentence that its port is in use',
    async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const { code, stderr } = await begins({ PORT: String(port) });
      other.close();
      expect(stderr).toBe(
        `Port ${port} of 127.0.0.1 is in use. Stop the process that listens there, or set another PORT.\n`,
      );
      expect(code).toBe(1);
    },
    MAKES_CLUSTER_MS,
  );

  it.each([
    ['is a file', 'a-file'],
    ['lies below a file', 'a-file/data'],
  ])('reports in one sentence that its folder %s', async (_, name) => {
    await writeFile(join(machine.dataDir, 'a-file'), '');
    const { code, stdout, stderr } = await begins({ DATA_DIR: join(machine.dataDir, name) });
    expect(stderr).toMatch(
      /^DATA_DIR must be a folder\. Something else exists at \S+a-file\S* \((EEXIST|ENOTDIR)\)\.\n$/,
    );
    expect({ code, stdout }).toEqual({ code: EX_CONFIG, stdout: '' });
  });

  it.each([
    ['with an embedded database', {}],
    ['with one on a server', { ...SECRETS, DATABASE_URL: 'postgres://owl@127.0.0.1:9/none' }],
  ])('reports at once in one sentence that its folder is not writable, %s', async (_, env) => {
    // On /proc, creating a folder fails with "no such file", and Node's recursive mkdir never returns.
    const { code, stdout, stderr } = await begins({ ...env, DATA_DIR: '/proc/nowhere/data' });
    expect(stderr).toMatch(
      /^DATA_DIR must be a folder that this user can write to\. Writing failed at \/proc\S* \((ENOENT|EACCES|EROFS)\)\.\n$/,
    );
    expect({ code, stdout }).toEqual({ code: EX_CONFIG, stdout: '' });
  });

  it('reports that the password of its first user is easy to guess', async () => {
    const env = { BOOTSTRAP_EMAIL: 'me@author.example', BOOTSTRAP_PASSWORD: 'password123' };
    const { code, stderr } = await begins({ ...env, DATA_DIR: join(machine.dataDir, 'guessable') });
    expect(stderr).toMatch(/^ {2}- BOOTSTRAP_PASSWORD is one of the commonest passwords\. Choose another one\.$/m);
    expect(stderr).not.toContain('password123');
    expect(code).toBe(EX_CONFIG);
  });

  it('reports in one sentence that the database does not answer, without its password', async () => {
    const { code, stderr } = await begins({ ...SECRETS, DATABASE_URL: 'postgres://owl:of-the-night@127.0.0.1:9/none' });
    expect(stderr).toBe('PostgreSQL at DATABASE_URL cannot be reached: ECONNREFUSED at 127.0.0.1:9.\n');
    expect(code).toBe(1);
  });
});

/** Waits until the service has brought a target into a phase, by itself. */
async function until(author: Author, phase: string): Promise<void> {
  for (let looks = 0; looks < 400; looks += 1) {
    if ((await author.status()).phase === phase) return;
    await pause(50);
  }
  throw new Error(`The target is not ${phase}: ${JSON.stringify(await author.status())}`);
}
