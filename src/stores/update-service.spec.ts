import { describe, expect, it } from 'vitest';
import { HttpClient } from '../common/net/index.js';
import { ChromeStore } from './chrome/chrome.store.js';
import { EdgeStore } from './edge/edge.store.js';
import { UpdateService } from './update-service.js';

/** Calls nobody, so that an address which the store may name shows itself by what refuses it. */
const nobody = new HttpClient({ allowedHosts: [] });
const chrome = {
  store: 'Chrome',
  url: 'https://clients2.google.com/service/update2/crx',
  fileDomains: ChromeStore.fileDomains,
};
const edge = {
  store: 'Edge',
  url: 'https://edge.microsoft.com/extensionwebstorebase/v1/crx',
  fileDomains: EdgeStore.fileDomains,
};

describe('the address of a file', () => {
  it.each([
    [chrome, 'https://clients2.googleusercontent.com/crx/blobs/x.crx', true],
    [chrome, 'https://clients2.google.com/crx/x.crx', true],
    [chrome, 'http://clients2.googleusercontent.com/crx/blobs/x.crx', false],
    [chrome, 'https://lh3.googleusercontent.com/x', false],
    [chrome, 'https://clients2.googleusercontent.com.evil.example/x', false],
    [chrome, 'https://evilclients2.googleusercontent.com/x', false],
    [chrome, 'https://clients2.googleusercontent.com@evil.example/x', false],
    [chrome, 'https://msedgeextensions.sf.tlu.dl.delivery.mp.microsoft.com/x', false],
    [chrome, 'http://169.254.169.254/latest/meta-data', false],
    [chrome, 'http://localhost:3000/', false],
    [chrome, 'file:///etc/passwd', false],
    [chrome, 'x.crx', false],
    [edge, 'https://msedgeextensions.sf.tlu.dl.delivery.mp.microsoft.com/x', true],
    [edge, 'http://msedgeextensions.f.tlu.dl.delivery.mp.microsoft.com/x', false],
    [edge, 'https://xdl.delivery.mp.microsoft.com/x', false],
    [edge, 'https://clients2.googleusercontent.com/x', false],
  ])('%j may be %s: %s', async ({ ...service }, url, isOfStore) => {
    const updates = new UpdateService({ ...service, question: '&uc' }, nobody);
    const asked = updates.download({ version: '1.0', url, sha256: null }, '/nonexistent/file', 1);
    const refusal = isOfStore ? /is not an address this server may call/ : /at an address that is not one of its own/;
    await expect(asked).rejects.toMatchObject({ kind: 'retry', message: expect.stringMatching(refusal) });
  });
});

it.each([null, '', 'x', `${'a'.repeat(31)}q`])('asks for no public id that is none: %s', async (id) => {
  const updates = new UpdateService({ ...chrome, question: '&uc' }, nobody);
  await expect(updates.servedFile(id)).rejects.toMatchObject({ kind: 'config' });
  expect(await updates.check(id)).toBeNull();
});
