import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { createSandbox, type Sandbox } from '../sandbox.js';
import { EdgeControl } from './edge-control.js';

const DAY = 86_400;
const ZERO = '00000000-0000-0000-0000-000000000000';

let sandbox: Sandbox;
let sim: EdgeControl;
let tempDir: string;
beforeAll(async () => {
  tempDir = await mkdtemp(join(tmpdir(), 'edge-spec-'));
  sandbox = await createSandbox({ tempDir });
  sim = new EdgeControl(sandbox.url);
});
afterAll(async () => {
  await sandbox.close();
  expect(await readdir(tempDir)).toEqual([]);
  await rm(tempDir, { recursive: true });
});

async function extension(version: string): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify({ manifest_version: 3, name: 'x', version })), 'manifest.json');
  zip.end();
  return new Uint8Array(await buffer(zip.outputStream));
}

async function product(options: object = {}) {
  const account = await sim.edgeAccount();
  const { productId, crxId } = await sim.edgeProduct({ clientId: account.clientId, ...options });
  const keys = { authorization: `ApiKey ${account.apiKey}`, 'x-clientid': account.clientId };
  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${sandbox.url}/v1/products/${productId}/submissions${path}`, {
      ...init,
      headers: { ...keys, ...init.headers },
    });
  const upload = (body: string | Uint8Array<ArrayBuffer>, type = 'application/zip'): Promise<Response> =>
    call('/draft/package', { method: 'POST', body, headers: { 'content-type': type } });
  const publish = (body = '{}'): Promise<Response> => call('', { method: 'POST', body });
  const details = (id = crxId): Promise<Response> => fetch(`${sandbox.url}/addons/getproductdetailsbycrxid/${id}`);
  return { account, productId, keys, call, upload, publish, details };
}

const operationOf = async (asked: Promise<Response>): Promise<string> => (await asked).headers.get('location') ?? '';

describe('a package', () => {
  it('reaches the review through two operations, and then the public page', async () => {
    const { productId, call, upload, publish, details } = await product({ uploadPolls: 1, publishPolls: 1 });
    const taken = await upload(await extension('1.2'));
    expect([taken.status, taken.headers.get('content-type'), await taken.text()]).toEqual([202, null, '']);
    const path = `/draft/package/operations/${taken.headers.get('location')}`;
    expect(await (await call(path)).json()).toMatchObject({ status: 'InProgress', message: null, errors: null });
    const done = await call(path);
    expect(done.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await done.json()).toMatchObject({
      id: taken.headers.get('location'),
      createdTime: expect.any(String),
      lastUpdatedTime: expect.any(String),
      status: 'Succeeded',
      message: 'Successfully updated package to 1.2.zip',
      errorCode: '',
      errors: null,
    });

    const sent = await operationOf(publish('{"notes":"Look here."}'));
    expect(await (await call(`/operations/${sent}`)).json()).toMatchObject({ status: 'InProgress' });
    expect(await (await call(`/operations/${sent}`)).json()).toMatchObject({ status: 'Succeeded' });
    expect(await sim.product(productId)).toMatchObject({
      review: { package: { version: '1.2' }, notes: 'Look here.' },
    });
    expect((await details()).status).toBe(404);

    const failed = await operationOf(upload(await extension('1.3')));
    await call(`/draft/package/operations/${failed}`);
    expect(await (await call(`/draft/package/operations/${failed}`)).json()).toMatchObject({
      status: 'Failed',
      errorCode: 'InProgressSubmission',
      errors: [],
    });
    await sim.actOnProduct(productId, 'approve');
    expect(await (await details()).json()).toMatchObject({ version: '1.2' });
    await sim.actOnProduct(productId, 'takedown');
    expect((await details()).status).toBe(404);
    expect((await details('p'.repeat(32))).status).toBe(404);
  });

  it.each(['no zip at all', 'PK'])('ends in a failed operation when it is invalid: %s', async (bytes) => {
    const { call, upload } = await product();
    const id = await operationOf(upload(bytes));
    const operation = (await (await call(`/draft/package/operations/${id}`)).json()) as object;
    expect(operation).toMatchObject({ status: 'Failed', errorCode: 'PackageValidationError' });
    expect(operation).toMatchObject({ errors: [{ message: expect.stringContaining('zip') }] });
  });

  it('answers 202 while an operation is in progress, if configured', async () => {
    const { call, upload } = await product({ uploadPolls: 1, inProgressIs202: true });
    const path = `/draft/package/operations/${await operationOf(upload(await extension('1.0')))}`;
    const running = await call(path);
    expect([running.status, await running.json()]).toMatchObject([202, { status: 'InProgress' }]);
    expect((await call(path)).status).toBe(200);
  });

  it('refuses a submission with 409 while another is in review, if configured', async () => {
    const { upload, publish, productId } = await product({ conflictsInReview: true });
    await upload(await extension('1.0'));
    expect((await publish()).status).toBe(202);
    const second = await publish();
    expect([second.status, await second.json()]).toEqual([409, { message: expect.stringContaining('in progress') }]);
    expect((await sim.product(productId)).counters).toMatchObject({ publishes: 1, submissions: 1 });
  });

  it('lists incomplete modules', async () => {
    const { call, upload, publish } = await product({ incompleteModules: ['Listing (fr)', 'Privacy'] });
    await upload(await extension('1.0'));
    const id = await operationOf(publish('{ "notes"="not quite JSON" }'));
    expect(await (await call(`/operations/${id}`)).json()).toMatchObject({
      errorCode: 'ModuleStateUnPublishable',
      errors: [{ message: 'Listing (fr)' }, { message: 'Privacy' }],
    });
  });
});

describe('the checks', () => {
  it.each<[number, string, (keys: Record<string, string>) => Record<string, string>]>([
    [401, 'no key', () => ({})],
    [401, 'no client id', ({ authorization = '' }) => ({ authorization })],
    [401, 'another key', (keys) => ({ ...keys, authorization: 'ApiKey another' })],
    [401, "another's client id", (keys) => ({ ...keys, 'x-clientid': 'another' })],
    [401, 'the key without its scheme', (keys) => ({ ...keys, authorization: (keys.authorization ?? '').slice(7) })],
    [410, 'the way of old', (keys) => ({ ...keys, authorization: 'Bearer eyJ' })],
  ])('answer %i to %s', async (status, _, change) => {
    const { productId, keys } = await product();
    const url = `${sandbox.url}/v1/products/${productId}/submissions`;
    expect((await fetch(url, { method: 'POST', headers: change(keys), body: '{}' })).status).toBe(status);
    expect((await sim.product(productId)).counters.publishes).toBe(0);
  });

  it('let a key be verified with ids that do not exist', async () => {
    const { keys } = await product();
    const url = `${sandbox.url}/v1/products/${ZERO}/submissions/draft/package/operations/${ZERO}`;
    expect((await fetch(url, { headers: keys })).status).toBe(404);
    expect((await fetch(url, { headers: { ...keys, 'x-clientid': 'other' } })).status).toBe(401);
  });

  it("find only the account's own products and operations", async () => {
    const [mine, other] = [await product(), await product()];
    const id = await operationOf(mine.upload(await extension('1.0')));
    expect((await mine.call(`/operations/${id}`)).status).toBe(404);
    expect((await other.call(`/draft/package/operations/${id}`)).status).toBe(404);
    const url = `${sandbox.url}/v1/products/${mine.productId}/submissions/draft/package/operations/${id}`;
    expect((await fetch(url, { headers: other.keys })).status).toBe(404);
    expect(
      (await fetch(`${sandbox.url}/v1/products/not-a-guid/submissions`, { method: 'POST', headers: mine.keys })).status,
    ).toBe(404);
    expect((await fetch(`${sandbox.url}/v1/products/${mine.productId}`, { headers: mine.keys })).status).toBe(404);
  });

  it('require a zip as the type and as the body', async () => {
    const { upload, productId } = await product();
    expect((await upload(await extension('1.0'), 'application/octet-stream')).status).toBe(400);
    expect((await upload('')).status).toBe(400);
    expect((await sim.product(productId)).operations).toEqual([]);
  });

  it('refuse a key that was replaced, revoked, or is older than 72 days', async () => {
    const own = await createSandbox({ tempDir });
    try {
      const control = new EdgeControl(own.url);
      const { clientId, apiKey } = await control.edgeAccount();
      const ask = async (key: string): Promise<number> => {
        const url = `${own.url}/v1/products/${ZERO}/submissions/operations/${ZERO}`;
        return (await fetch(url, { headers: { authorization: `ApiKey ${key}`, 'x-clientid': clientId } })).status;
      };
      await control.advance(72 * DAY - 60);
      expect(await ask(apiKey)).toBe(404);
      await control.advance(120);
      expect(await ask(apiKey)).toBe(401);
      const { apiKey: second } = await control.edgeKey(clientId);
      expect([await ask(apiKey), await ask(second)]).toEqual([401, 404]);
      await control.revokeEdgeKey(clientId);
      expect(await ask(second)).toBe(401);
    } finally {
      await own.close();
    }
  });
});

describe('the control plane', () => {
  it('seeds accounts with products, and one of each for the command line', async () => {
    const seed = { edge: { accounts: [{ clientId: 'seeded', products: [{ live: '1.0' }] }] } };
    const made = await fetch(`${sandbox.url}/__sim/seed`, { method: 'POST', body: JSON.stringify(seed) });
    expect(await made.json()).toMatchObject({
      edge: {
        accounts: [{ clientId: 'seeded', apiKey: expect.any(String), products: [{ live: { version: '1.0' } }] }],
      },
    });
    expect((await sandbox.seedDemo())['edge']).toEqual({
      credentials: { clientId: expect.any(String), apiKey: expect.any(String) },
      productId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      crxId: expect.stringMatching(/^[a-p]{32}$/),
    });
    const EDGE_UPDATE_URL = `${sandbox.url}/extensionwebstorebase/v1/crx`;
    expect(sandbox.env).toMatchObject({ EDGE_API_URL: sandbox.url, EDGE_PUBLIC_URL: sandbox.url, EDGE_UPDATE_URL });
  });

  it('refuses unknown fields and ids', async () => {
    const { productId, account } = await product();
    await expect(sim.edgeProduct({ clientId: 'nobody' })).rejects.toThrow(/404/);
    await expect(sim.edgeProduct({ clientId: account.clientId, uploadPols: 1 })).rejects.toThrow(/has no .+uploadPols/);
    await expect(sim.edgeProduct({ clientId: account.clientId, productId: 'x' })).rejects.toThrow(/GUID/);
    await expect(sim.edgeProduct({ clientId: account.clientId, productId })).rejects.toThrow(/409/);
    await expect(sim.actOnProduct(productId, 'approve')).rejects.toThrow(/409/);
    await expect(sim.patchProduct(productId, { failures: [{ of: 'review' }] })).rejects.toThrow(/one of/);
    await expect(sim.edgeAccount(account)).rejects.toThrow(/409/);
  });

  it('keeps keys out of the log', async () => {
    const { account, productId, publish } = await product();
    await publish('{"notes":"Seen."}');
    const [seen] = await sim.requests({ itemId: productId });
    expect(seen).toMatchObject({ operation: 'publish', publisherId: account.clientId, body: '{"notes":"Seen."}' });
    expect(JSON.stringify(await sim.requests())).not.toContain(account.apiKey);
  });
});
