import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Options as EdgeClientOptions } from '@plasmohq/edge-addons-api';
import { EdgeControl } from '../../sandbox/edge/edge-control.js';
import { SandboxControl } from '../../sandbox/sandbox-control.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { packageOf } from '../support/packages.js';
import { run } from '../support/process.js';
import { createSandbox } from '../support/app.js';

/** A program as in the client's readme; its settings are passed as JSON. */
const UPLOAD_AND_PUBLISH = `
  import chromeWebstoreUpload from 'chrome-webstore-upload';
  const { zip, ...settings } = JSON.parse(process.env.SETTINGS);
  const store = chromeWebstoreUpload(settings);
  const uploaded = await store.uploadExisting(zip);
  const published = await store.publish();
  process.stdout.write(JSON.stringify({ uploaded, published, status: await store.get() }));
`;

const UPLOAD_AND_SUBMIT = `
  import { EdgeAddonsAPI } from '@plasmohq/edge-addons-api';
  const { filePath, notes, ...settings } = JSON.parse(process.env.SETTINGS);
  const store = new EdgeAddonsAPI(settings);
  const operationId = await store.submit({ filePath, notes });
  process.stdout.write(JSON.stringify(await store.getPublishStatus(operationId)));
`;

describe('independent clients', () => {
  let folder: string;
  let sandbox: Sandbox;
  let control: SandboxControl;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-clients-'));
    sandbox = await createSandbox();
    control = new SandboxControl(sandbox.url);
  });
  afterAll(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a program in its own process, with its calls to the stores redirected to the sandbox. */
  const redirected = (program: string, env: Readonly<Record<string, string>> = {}) =>
    run(['--import', './test/support/redirect.mjs', '--input-type=module', '--eval', program], {
      STORE_SIM_ORIGIN: sandbox.url,
      ...env,
    });

  it('chrome-webstore-upload uploads and submits a package', async () => {
    const { publisherId, oauth } = await control.chromeAccount();
    const { itemId } = await control.chromeItem({ publisherId, published: '1.0.0' });
    const zip = join(folder, 'extension.zip');
    await writeFile(zip, await packageOf('1.1.0'));

    const settings = { extensionId: itemId, publisherId, ...oauth, zip };
    const { code, stdout, stderr } = await redirected(UPLOAD_AND_PUBLISH, { SETTINGS: JSON.stringify(settings) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      uploaded: { itemId, crxVersion: '1.1.0', uploadState: 'SUCCEEDED' },
      published: { itemId, state: 'PENDING_REVIEW' },
      status: { publishedItemRevisionStatus: { state: 'PUBLISHED' } },
    });
    expect(await control.state(itemId)).toMatchObject({
      submitted: { package: { version: '1.1.0' } },
      counters: { uploads: 1, submissions: 1, refused: 0 },
    });
    const asked = await control.requests({ publisherId });
    expect(asked.map(({ headers }) => headers['x-sim-host'])).toEqual([
      'www.googleapis.com',
      'chromewebstore.googleapis.com',
      'www.googleapis.com',
      'chromewebstore.googleapis.com',
      'www.googleapis.com',
      'chromewebstore.googleapis.com',
    ]);
  });

  /** The options of the client for an account with a product. */
  const edgeClient = async (edge: EdgeControl, product: object = {}) => {
    const account = await edge.edgeAccount();
    const { productId } = await edge.edgeProduct({ clientId: account.clientId, ...product });
    const filePath = join(folder, `${productId}.zip`);
    await writeFile(filePath, await packageOf('1.1.0'));
    const options: EdgeClientOptions = { productId, ...account };
    const submit = () =>
      redirected(UPLOAD_AND_SUBMIT, { SETTINGS: JSON.stringify({ ...options, filePath, notes: 'hello' }) });
    return { ...options, submit };
  };

  it('@plasmohq/edge-addons-api uploads, waits and submits a package', async () => {
    const edge = new EdgeControl(sandbox.url);
    const { productId, submit } = await edgeClient(edge, { live: '1.0.0' });
    const { code, stdout, stderr } = await submit();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'Succeeded', errorCode: '', errors: null });
    expect(await edge.product(productId)).toMatchObject({
      review: { package: { version: '1.1.0' } },
      counters: { uploads: 1, submissions: 1, failures: 0 },
    });
    const asked = await edge.requests({ itemId: productId });
    expect(asked.map(({ operation, status, headers }) => [operation, status, headers['x-sim-host']])).toEqual(
      [
        ['upload', 202],
        ['uploadStatus', 200],
        ['publish', 202],
        ['publishStatus', 200],
      ].map((call) => [...call, 'api.addons.microsoftedge.microsoft.com']),
    );
  });

  it('@plasmohq/edge-addons-api is refused with a revoked key', async () => {
    const edge = new EdgeControl(sandbox.url);
    const { productId, clientId, submit } = await edgeClient(edge);
    await edge.revokeEdgeKey(clientId);
    const { code, stderr } = await submit();
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('401') });
    expect((await edge.product(productId)).operations).toEqual([]);
  });

  it('a client that uses node:https reaches the sandbox too', async () => {
    const program = `
      import { request } from 'node:https';
      import { text } from 'node:stream/consumers';
      const asked = request('https://oauth2.googleapis.com/token', { method: 'POST' }, async (answer) => {
        process.stdout.write(answer.statusCode + ' ' + await text(answer));
      });
      asked.end('grant_type=none');`;
    const { code, stdout } = await redirected(program);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^400 .*unsupported_grant_type/s) });
  });

  it.each([
    ['fetch', `await fetch('https://store.example/')`],
    ['node:https', `(await import('node:https')).get('https://store.example/')`],
    ['node:http', `(await import('node:http')).get('http://192.0.2.1/')`],
    ['node:net', `(await import('node:net')).connect(443, 'store.example')`],
  ])('cannot leave this machine by %s', async (_, program) => {
    const { code, stderr } = await redirected(program);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Nothing may leave this machine, and not to (store\.example|192\.0\.2\.1)/);
  });
});
