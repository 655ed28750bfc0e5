import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importPKCS8, type JWTPayload, SignJWT } from 'jose';
import { ZipFile } from 'yazl';
import { TestControl } from '../../test/support/keys.js';
import { createSandbox, type Sandbox } from '../sandbox.js';
import type { AccountCredentials } from './accounts.js';

const SCOPE = 'https://www.googleapis.com/auth/chromewebstore';
const AUDIENCE = 'https://oauth2.googleapis.com/token';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

let sandbox: Sandbox;
let sim: TestControl;
let tempDir: string;
beforeAll(async () => {
  tempDir = await mkdtemp(join(tmpdir(), 'chrome-spec-'));
  sandbox = await createSandbox({ tempDir });
  sim = new TestControl(sandbox.url);
});
afterAll(async () => {
  await sandbox.close();
  expect(await readdir(tempDir)).toEqual([]);
  await rm(tempDir, { recursive: true });
});

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // The store's JSON, as loosely as a test looks at it.
  readonly body: Record<string, unknown> & { error?: { status: string; message: string; details: object[] } };
}

async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}
const extension = (version: unknown): Promise<Buffer> =>
  zipOf({ 'manifest.json': `// ours\n${JSON.stringify({ manifest_version: 3, name: 'x', version })}`, 'a.js': '' });

async function reply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? (JSON.parse(text) as Reply['body']) : { text },
  };
}

async function assertion(account: AccountCredentials, change: JWTPayload = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const { client_email, private_key = '' } = account.serviceAccount;
  const claims = { iss: client_email, scope: SCOPE, aud: AUDIENCE, iat: now, exp: now + 3600, ...change };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .sign(await importPKCS8(private_key, 'RS256'));
}

const askToken = async (form: Record<string, string>): Promise<Reply> =>
  reply(await fetch(`${sandbox.url}/token`, { method: 'POST', body: new URLSearchParams(form) }));

/** A publisher with an item and a token, alone in the world. */
async function publisher(behavior: object = {}) {
  const account = await sim.chromeAccount();
  const { itemId } = await sim.chromeItem({ publisherId: account.publisherId, ...behavior });
  const grant = await askToken({ grant_type: JWT_BEARER, assertion: await assertion(account) });
  const token = String(grant.body.access_token);
  const name = `publishers/${account.publisherId}/items/${itemId}`;
  const call = async (verb: string, body?: object, bearer = token): Promise<Reply> =>
    reply(
      await fetch(`${sandbox.url}/v2/${name}:${verb}`, {
        method: verb === 'fetchStatus' ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${bearer}` },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  const upload = async (body: Buffer, query = '', headers: Record<string, string> = {}): Promise<Reply> =>
    reply(
      await fetch(`${sandbox.url}/upload/v2/${name}:upload${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...headers },
        body: new Uint8Array(body),
      }),
    );
  return { account, itemId, name, token, call, upload };
}

function violation({ body }: Reply): unknown {
  const detail = body.error?.details.at(-1) as { fieldViolations: { reason: string }[] } | undefined;
  return detail?.fieldViolations[0]?.reason;
}

describe('tokens', () => {
  it('are issued for a signed assertion, and for a refresh token in a form or JSON', async () => {
    const account = await sim.chromeAccount();
    const service = await askToken({ grant_type: JWT_BEARER, assertion: await assertion(account) });
    expect(service.body).toEqual({ access_token: expect.any(String), expires_in: 3599, token_type: 'Bearer' });
    const { clientId: client_id, clientSecret: client_secret, refreshToken: refresh_token } = account.oauth;
    const form = { grant_type: 'refresh_token', client_id, client_secret, refresh_token };
    expect((await askToken(form)).body).toMatchObject({ expires_in: 3599, scope: SCOPE });
    const headers = { 'content-type': 'application/json' };
    const json = { method: 'POST', headers, body: JSON.stringify(form) };
    expect((await fetch(`${sandbox.url}/oauth2/v4/token`, json)).status).toBe(200);
    expect((await askToken({ ...form, client_secret: 'x' })).status).toBe(401);
    expect((await askToken({ ...form, client_id: 'x' })).body.error).toBe('invalid_client');
    expect((await askToken({ ...form, refresh_token: 'x' })).body.error).toBe('invalid_grant');
    expect((await askToken({ grant_type: 'password' })).body.error).toBe('unsupported_grant_type');
  });

  it.each<[string, () => JWTPayload, string, RegExp]>([
    ['another audience', () => ({ aud: 'http://127.0.0.1/token' }), 'invalid_grant', /audience/],
    ['more than an hour', () => ({ exp: Date.now() / 1000 + 3700 }), 'invalid_grant', /short-lived/],
    ['a past', () => ({ iat: 1000, exp: 1030 }), 'invalid_grant', /short-lived/],
    ['no scope', () => ({ scope: '' }), 'invalid_scope', /scope/],
    ['a foreign scope', () => ({ scope: 'https://www.googleapis.com/auth/drive' }), 'invalid_scope', /scope/],
    ['an unknown issuer', () => ({ iss: 'nobody@example.com' }), 'invalid_grant', /account not found/],
  ])('are refused for an assertion with %s', async (_what, change, error, description) => {
    const account = await sim.chromeAccount();
    const answer = await askToken({ grant_type: JWT_BEARER, assertion: await assertion(account, change()) });
    expect([answer.status, answer.body.error]).toEqual([400, error]);
    expect(answer.body.error_description).toMatch(description);
  });

  it('are refused for a foreign or deleted key', async () => {
    const [account, other] = await Promise.all([sim.chromeAccount(), sim.chromeAccount({ serviceAccount: {} })]);
    const { client_email } = account.serviceAccount;
    const forged = await assertion(other, { iss: client_email });
    const bySignature = { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' };
    expect((await askToken({ grant_type: JWT_BEARER, assertion: forged })).body).toEqual(bySignature);
    await sim.account(client_email, 'revoke', { what: 'serviceAccountKey' });
    const old = await assertion(account);
    expect((await askToken({ grant_type: JWT_BEARER, assertion: old })).body).toEqual(bySignature);
    const renewed = await sim.rotate(client_email);
    const fresh = await askToken({ grant_type: JWT_BEARER, assertion: await assertion(renewed) });
    expect(fresh.status).toBe(200);
  });
});

describe('an item', () => {
  it('is uploaded, published, approved and served', async () => {
    const { itemId, name, upload, call } = await publisher({ published: '1.0' });
    const zip = await extension('1.1');
    const taken = await upload(zip);
    expect(taken.headers.get('content-type')).toBe('application/json; charset=UTF-8');
    expect(taken.body).toEqual({ name, itemId, crxVersion: '1.1', uploadState: 'SUCCEEDED' });
    const sha256 = createHash('sha256').update(zip).digest('hex');
    expect((await sim.state(itemId)).lastUpload).toMatchObject({ version: '1.1', size: zip.length, sha256 });
    expect((await call('publish', {})).body).toEqual({ name, itemId, state: 'PENDING_REVIEW' });
    expect((await call('fetchStatus')).body).toMatchObject({
      submittedItemRevisionStatus: { state: 'PENDING_REVIEW', distributionChannels: [{ crxVersion: '1.1' }] },
    });
    await sim.act(itemId, 'approve');
    const status = (await call('fetchStatus')).body;
    expect(Object.keys(status)).toEqual(['name', 'itemId', 'publishedItemRevisionStatus']);
    const x = encodeURIComponent(`id=${itemId}&uc`);
    const update = await fetch(`${sandbox.env.CHROME_UPDATE_URL}?response=updatecheck&prodversion=140.0&x=${x}`);
    expect(await update.text()).toContain(`appid="${itemId}"`);
    expect((await sim.state(itemId)).counters).toMatchObject({ uploads: 1, publishes: 1, submissions: 1 });
  });

  it('takes multipart/related and a signed CRX', async () => {
    const { upload } = await publisher({ verifiedCrx: true });
    const zip = await extension('1.0');
    const crx = Buffer.concat([Buffer.from('Cr24\x03\0\0\0\x05\0\0\0hello', 'latin1'), zip]);
    const head = '--b\r\nContent-Type: application/json\r\n\r\n{}\r\n--b\r\nContent-Type: application/zip\r\n\r\n';
    const related = Buffer.concat([Buffer.from(head), crx, Buffer.from('\r\n--b--\r\n')]);
    const headers = { 'content-type': 'multipart/related; boundary="b"' };
    expect((await upload(related, '?uploadType=multipart', headers)).body).toMatchObject({ crxVersion: '1.0' });
    expect(violation(await upload(zip))).toBe('PKG_MUST_UPDATE_AS_CRX');
  });

  it('refuses invalid packages by reason, and deletes their files', async () => {
    const { itemId, upload } = await publisher({ published: '1.0' });
    const manifest = (text: string): Promise<Buffer> => zipOf({ 'manifest.json': text });
    expect(violation(await upload(Buffer.from('not a zip')))).toBe('PKG_INVALID_ZIP');
    expect(violation(await upload(Buffer.alloc(0)))).toBe('PKG_INVALID_ZIP');
    expect(violation(await upload((await extension('1.1')).subarray(0, -30)))).toBe('PKG_INVALID_ZIP');
    expect(violation(await upload(await zipOf({ 'sub/manifest.json': '{}' })))).toBe('PKG_MISSING_MANIFEST');
    expect(violation(await upload(await manifest('{"version": "1.1",}')))).toBe('PKG_MANIFEST_PARSE_ERROR');
    expect(violation(await upload(await extension('1.01')))).toBe('PKG_MANIFEST_PARSE_ERROR');
    const low = await upload(await extension('1.0'));
    expect([low.status, low.body.error?.status, violation(low)]).toEqual([
      400,
      'INVALID_ARGUMENT',
      'PKG_INVALID_VERSION_NUMBER',
    ]);
    expect((await sim.state(itemId)).counters).toMatchObject({ uploads: 0, refused: 7 });
    const [scratch = ''] = await readdir(tempDir);
    expect(await readdir(join(tempDir, scratch))).toEqual([]);
  });

  it('is not accessible to other accounts', async () => {
    const [mine, theirs] = await Promise.all([publisher(), publisher()]);
    expect((await mine.call('fetchStatus', undefined, 'ya29.no')).body.error?.status).toBe('UNAUTHENTICATED');
    expect((await mine.call('fetchStatus', undefined, theirs.token)).body.error?.status).toBe('PERMISSION_DENIED');
    const headers = { authorization: `Bearer ${mine.token}` };
    const at = (path: string): Promise<Response> => fetch(`${sandbox.url}/v2/${path}:fetchStatus`, { headers });
    expect((await at(`publishers/${mine.account.publisherId}/items/${theirs.itemId}`)).status).toBe(404);
    expect((await at(`publishers/nobody/items/${mine.itemId}`)).status).toBe(404);
    await sim.account(mine.account.publisherId, 'detach');
    expect((await mine.call('fetchStatus')).status).toBe(403);
    await sim.account(mine.account.publisherId, 'attach');
    expect((await mine.call('fetchStatus')).status).toBe(200);
    await sim.account(mine.account.publisherId, 'revoke', { what: 'accessTokens' });
    expect((await mine.call('fetchStatus')).status).toBe(401);
  });

  it('can only be read with the read-only scope', async () => {
    const { account, call } = await publisher();
    const readOnly = await assertion(account, { scope: `${SCOPE}.readonly` });
    const { body } = await askToken({ grant_type: JWT_BEARER, assertion: readOnly });
    expect((await call('fetchStatus', undefined, String(body.access_token))).status).toBe(200);
    expect((await call('publish', {}, String(body.access_token))).body.error?.status).toBe('PERMISSION_DENIED');
  });

  it('answers rollout, rollback and malformed requests', async () => {
    const { call } = await publisher({ history: ['0.9'], published: '1.0', deployPercentage: 10, weeklyUsers: 20_000 });
    expect((await call('setPublishedDeployPercentage', { deployPercentage: 50 })).body).toEqual({});
    expect((await call('setPublishedDeployPercentage', { deployPercentage: 50 })).status).toBe(400);
    expect((await call('rollback', { newVersion: '1.1', rollbackReason: 'bug' })).body).toEqual({});
    expect((await call('rollback', { newVersion: '1.2' })).body.error?.status).toBe('INVALID_ARGUMENT');
    expect((await call('publish', { publishType: 'NOW' })).body.error?.status).toBe('INVALID_ARGUMENT');
    expect((await call('publish', { deployInfos: [{ deployPercentage: 101 }] })).status).toBe(400);
    expect((await call('cancelSubmission', {})).body.error?.status).toBe('FAILED_PRECONDITION');
    expect((await call('unknownVerb', {})).status).toBe(404);
  });

  it('is not available in v1.1', async () => {
    const put = await fetch(`${sandbox.url}/upload/chromewebstore/v1.1/items/x`, { method: 'PUT', body: 'zip' });
    const get = await fetch(`${sandbox.url}/chromewebstore/v1.1/items/x?projection=DRAFT`);
    expect([put.status, get.status]).toEqual([410, 410]);
  });
});
