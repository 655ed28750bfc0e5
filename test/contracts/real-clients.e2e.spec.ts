import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SandboxControl } from '../../src/sandbox/sandbox-control.js';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import { packageOf } from '../support/packages.js';
import { run } from '../support/process.js';

/** What the client's readme shows; its settings come as JSON. */
const UPLOAD_AND_PUBLISH = `
  import chromeWebstoreUpload from 'chrome-webstore-upload';
  const { zip, ...settings } = JSON.parse(process.env.SETTINGS);
  const store = chromeWebstoreUpload(settings);
  const uploaded = await store.uploadExisting(zip);
  const published = await store.publish();
  process.stdout.write(JSON.stringify({ uploaded, published, status: await store.get() }));
`;

describe('clients that nobody here wrote', () => {
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

  /** Runs a program, in a process of its own, whose calls to the stores go to the sandbox. */
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

  it('a client that uses node:https comes to the sandbox too', async () => {
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
