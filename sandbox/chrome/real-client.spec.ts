import type { ReadableStream } from 'node:stream/web';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import chromeWebstoreUpload from 'chrome-webstore-upload';
import { ZipFile } from 'yazl';
import { TestControl } from '../../test/support/keys.js';
import { createSandbox, type Sandbox } from '../sandbox.js';

const HOSTS = new Set(['chromewebstore.googleapis.com', 'www.googleapis.com', 'oauth2.googleapis.com']);
const realFetch = globalThis.fetch;
let sandbox: Sandbox;
let sim: TestControl;

beforeAll(async () => {
  sandbox = await createSandbox();
  sim = new TestControl(sandbox.url);
  // The client's addresses are constants, so its requests are redirected.
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    return HOSTS.has(url.host) ? realFetch(`${sandbox.url}${url.pathname}${url.search}`, init) : realFetch(input, init);
  };
});
afterAll(async () => {
  globalThis.fetch = realFetch;
  await sandbox.close();
});

async function zip(version: string): Promise<ReadableStream> {
  const file = new ZipFile();
  file.addBuffer(Buffer.from(JSON.stringify({ manifest_version: 3, name: 'x', version })), 'manifest.json');
  file.end();
  return new Blob([new Uint8Array(await buffer(file.outputStream))]).stream();
}

async function clientWith(behavior: object) {
  const { publisherId, oauth } = await sim.chromeAccount();
  const { itemId } = await sim.chromeItem({ publisherId, ...behavior });
  return { itemId, client: chromeWebstoreUpload({ extensionId: itemId, publisherId, ...oauth }) };
}

describe('chrome-webstore-upload, an independent client,', () => {
  it('uploads and publishes', async () => {
    const { itemId, client } = await clientWith({ published: '1.0' });
    expect(await client.uploadExisting(await zip('1.1'))).toMatchObject({
      uploadState: 'SUCCEEDED',
      crxVersion: '1.1',
    });
    expect(await client.publish('DEFAULT_PUBLISH', undefined, 25)).toMatchObject({ state: 'PENDING_REVIEW' });
    await sim.act(itemId, 'approve');
    expect(await client.get()).toMatchObject({
      publishedItemRevisionStatus: { distributionChannels: [{ crxVersion: '1.1', deployPercentage: 25 }] },
    });
  });

  it('waits for an upload that is processed later', async () => {
    const { client } = await clientWith({ asyncUploadPolls: 0 });
    expect(await client.uploadExisting(await zip('1.0'), undefined, 10)).toMatchObject({ uploadState: 'SUCCEEDED' });
    expect(await client.publish()).toMatchObject({ state: 'PENDING_REVIEW' });
  });

  it('understands an error', async () => {
    const { client } = await clientWith({ published: '2.0' });
    await expect(client.uploadExisting(await zip('1.0'))).rejects.toThrow('The uploaded package was invalid');
  });
});
