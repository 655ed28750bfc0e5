import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Author } from '../reconcile/author.js';
import { startWorld, type World } from '../support/app.js';
import { CiIssuer } from '../support/ci-issuer.js';
import { expectStatus } from '../support/given.js';
import { packageOf } from '../support/packages.js';

const GUIDE = new URL('../../docs/ci.md', import.meta.url);
const MINUTE = '60_000';
/** A job that should have ended and has not. */
const GIVE_UP_MS = 30_000;

describe('the job of docs/ci.md that waits until a version is live', () => {
  let world: World;
  let script: string;
  beforeAll(async () => {
    world = await startWorld();
    const [, section = ''] = (await readFile(GUIDE, 'utf8')).split('\n## Wait until the version is live\n');
    script = /```sh\n(node [\s\S]*?)```/.exec(section)?.[1] ?? '';
    // A minute between two looks, in the time of a test.
    expect(script).toContain(MINUTE);
    script = script.replace(MINUTE, '20');
  });
  afterAll(() => world.close());

  /** Runs what stands in the guide, as a shell of CI would. */
  const job = (author: Author, env: Readonly<Record<string, string>> = {}) => {
    const { extensionId, targetId, token } = author.mine;
    const child = spawn('sh', ['-e', '-c', script], {
      env: {
        PATH: process.env['PATH'],
        API: `${world.url}/api/v1`,
        TOKEN: token,
        EXTENSION: extensionId,
        TARGET: targetId,
        VERSION: '1.0.0',
        ...env,
      },
      stdio: ['ignore', 'inherit', 'pipe'],
      timeout: GIVE_UP_MS,
    });
    const said: string[] = [];
    const lines = createInterface({ input: child.stderr }).on('line', (line) => void said.push(line));
    const code = once(child, 'close').then(([ended]) => ended as number | null);
    return { code, said, speaks: () => once(lines, 'line'), stop: () => void child.kill() };
  };

  it('continues while the version is in review, and succeeds once it is live', async () => {
    const author = await Author.in(world, { approveAfterPolls: null });
    expectStatus(await author.push('1.0.0'), 201);
    await author.reconcile();
    const { code, said, speaks } = job(author);
    await speaks();
    await author.act('approve');
    await author.reconcile();
    expect(await code).toBe(0);
    expect(said[0]).toBe('in_review: Version 1.0.0 is in review at the store.');
    expect(said.at(-1)).toBe('live: Version 1.0.0 is live.');
  });

  it('fails when the store rejects the version', async () => {
    const author = await Author.in(world, { approveAfterPolls: null });
    expectStatus(await author.push('1.0.0'), 201);
    await author.reconcile();
    await author.act('reject');
    await author.reconcile();
    const { code, said } = job(author);
    expect(await code).toBe(1);
    expect(said).toEqual([expect.stringMatching(/^rejected: /), expect.stringMatching(/^rejected: /)]);
  });

  it('fails at once when its token lacks the scope, and reports why', async () => {
    const author = await Author.in(world);
    const { code, said } = job(author, { TOKEN: await world.given.token(author.mine, ['artifacts:write']) });
    expect(await code).toBe(1);
    expect(said.join('\n')).toMatch(/403 .*insufficient_scope/);
  });

  it('retries when the service does not answer', async () => {
    const author = await Author.in(world);
    const { said, speaks, stop, code } = job(author, { API: 'http://127.0.0.1:9' });
    await speaks();
    await speaks();
    stop();
    expect(await code).not.toBe(0);
    expect(said[1]).toMatch(/^Asking again: /);
  });
});

describe('the job of docs/ci.md that pushes without a stored secret', () => {
  let issuer: CiIssuer;
  let world: World;
  let folder: string;
  let script: string;
  /** Where the job finds the service, and its CI service's tokens: the address is known before the service starts. */
  const front = createServer((asked, answered) => {
    const url = new URL(asked.url ?? '', 'http://front');
    if (url.pathname === '/job-token')
      return void jobToken(url.searchParams.get('audience')).then((value) => answered.end(JSON.stringify({ value })));
    const { method = '', headers } = asked;
    asked.pipe(
      request(world.url + asked.url, { method, headers }, (answer) => {
        answered.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(answered);
      }),
    );
  });
  const jobToken = (aud: string | null): Promise<string> => {
    const now = Math.floor(world.clock.now().getTime() / 1000);
    const claims = { repository: 'acme/tab-counter', ref: 'refs/tags/v1.3.0', event_name: 'push', run_id: '7' };
    return issuer.sign({ iss: issuer.url, aud: aud ?? '', jti: randomUUID(), iat: now, exp: now + 300, ...claims });
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-ci-'));
    issuer = await CiIssuer.start();
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    const publicUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    world = await startWorld({ env: { CI_ISSUERS: issuer.url, PUBLIC_URL: publicUrl } });
    const [, section = ''] = (await readFile(GUIDE, 'utf8')).split('\n## Push without a stored secret\n');
    script = (/- run: \|\n( +set -o pipefail[\s\S]*?)\n +env:/.exec(section)?.[1] ?? '').replaceAll(/^ {10}/gm, '');
    expect(script).toContain('/api/v1/auth/ci');
    await writeFile(join(folder, 'extension.zip'), await packageOf('1.3.0'));
  });
  afterAll(async () => {
    await world.close();
    front.closeAllConnections();
    front.close();
    await issuer.close();
    await rm(folder, { recursive: true });
  });

  const job = async (tenantId: string, extensionId: string) => {
    const child = spawn('bash', ['-e', '-c', script], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        PIERHEAD: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
        TENANT: tenantId,
        EXTENSION: extensionId,
        GITHUB_REF_NAME: 'v1.3.0',
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the runner',
        ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(front.address() as AddressInfo).port}/job-token?api-version=2.0`,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: GIVE_UP_MS,
    });
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, said };
  };

  it('pushes the version of its tag, and masks the token in its log', async () => {
    const tenant = await world.given.tenant();
    const extensionId = await world.given.extension(tenant);
    const rule = { name: 'Releases', repository: 'acme/tab-counter', ref: 'refs/tags/v*', scopes: ['artifacts:write'] };
    const session = world.api.as({ cookie: tenant.cookie });
    expectStatus(await session.post('/ci/trust-rules', { ...rule, extensionIds: [extensionId] }), 201);
    const { code, said } = await job(tenant.tenantId, extensionId);
    expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/^::add-mask::eyJ/) });
    expect(said).toContain('"version":"1.3.0"');
  });

  it('fails without a rule, and says what to add', async () => {
    const tenant = await world.given.tenant();
    const { code, said } = await job(tenant.tenantId, await world.given.extension(tenant));
    expect(code).toBe(1);
    expect(JSON.parse(said)).toMatchObject({ code: 'trust_rule_missing', run: { repository: 'acme/tab-counter' } });
  });
});
