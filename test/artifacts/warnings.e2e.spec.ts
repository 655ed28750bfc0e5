import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { testStoreAt } from '../reconcile/test-stores.js';
import { manifestOf, packageOf, zipOf } from '../support/packages.js';
import { Pusher } from './pusher.js';

/** A package of Manifest V2, which has scripts in the background. */
const V2 = { manifest_version: 2, background: { scripts: ['background.js'] } };

describe('a push is warned about', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const warningOf = async (pusher: Pusher, version: string, changes: object, also: Record<string, string> = {}) =>
    expectStatus(await pusher.push(version, await packageOf(version, changes), also), 201).body.warning;

  const enable = async (pusher: Pusher, store: string) => {
    const targetId = await world.given.targetOf(pusher.mine, pusher.extension, store);
    const path = `/extensions/${pusher.extension}/targets/${targetId}`;
    expectStatus(await world.api.as(pusher.mine).patch(path, { enabled: true }), 200);
  };

  it('about nothing when there is nothing to warn about', async () => {
    expect(await warningOf(await Pusher.onChrome(world), '1.0', {})).toBeUndefined();
  });

  it('when no enabled target will receive it', async () => {
    const pusher = await Pusher.in(world);
    expect(await warningOf(pusher, '1.0', {}, { store: 'edge' })).toBe('No enabled target will receive this version.');
  });

  it('when a version without a package has no enabled target', async () => {
    const pusher = await Pusher.in(world);
    const { body } = await pusher.push('1.0', undefined, { store: 'safari' });
    expect(body.warning).toBe('No enabled target will receive this version.');
  });

  it('when it is of Manifest V2 and goes to Chrome', async () => {
    const pusher = await Pusher.onChrome(world);
    expect(await warningOf(pusher, '1.0', V2)).toBe(
      'Chrome Web Store refuses this package: this is a Manifest V2 package, and only Manifest V3 is accepted.',
    );
  });

  it('when it is of Manifest V2 and goes to Edge', async () => {
    const pusher = await Pusher.in(world);
    await enable(pusher, 'edge');
    expect(await warningOf(pusher, '1.0', V2)).toBe(
      'Microsoft Edge Add-ons: this is a Manifest V2 package, which is supported until 2026-12-31.',
    );
    expect(await warningOf(pusher, '1.1', {})).toBeUndefined();
  });

  it('when it goes to Firefox without an id for it, or without saying which data it collects', async () => {
    const pusher = await Pusher.in(world);
    await enable(pusher, 'firefox');
    const gecko = (settings: object) => ({ browser_specific_settings: { gecko: settings } });
    const data_collection_permissions = { required: ['none'] };
    const [id, silence] = [
      'Firefox Add-ons refuses this package: the manifest has no browser_specific_settings.gecko.id, which Manifest V3 needs.',
      'Firefox Add-ons: the manifest has no browser_specific_settings.gecko.data_collection_permissions, which new add-ons must have and all will need.',
    ];
    expect(await warningOf(pusher, '1.0', {})).toBe(`${id} ${silence}`);
    expect(await warningOf(pusher, '1.1', gecko({ data_collection_permissions }))).toBe(id);
    expect(await warningOf(pusher, '1.2', gecko({ id: 'owl@night.example' }))).toBe(silence);
    const complete = gecko({ id: 'owl@night.example', data_collection_permissions });
    expect(await warningOf(pusher, '1.3', complete)).toBeUndefined();
  });

  it.each([
    ['other@example.org', 'owl@night.example', true],
    ['owl@night.example', 'owl@night.example', false],
    ['{3C6BF0CC-3AE2-42FB-9993-0D33104FDCAF}', '3c6bf0cc-3ae2-42fb-9993-0d33104fdcaf', false],
    ['owl@night.example', 'night-owl', false],
  ])('when its id for Firefox, %s, is not that of the target, %s', async (id, storeItemId, isWarned) => {
    const pusher = await Pusher.in(world);
    const targetId = await world.given.targetOf(pusher.mine, pusher.extension, 'firefox');
    const path = `/extensions/${pusher.extension}/targets/${targetId}`;
    expectStatus(await world.api.as(pusher.mine).patch(path, { storeItemId, enabled: true }), 200);
    const settings = { gecko: { id, data_collection_permissions: { required: ['none'] } } };
    const warning = await warningOf(pusher, '1.0', { browser_specific_settings: settings });
    const sentence = `Firefox Add-ons refuses this package: browser_specific_settings.gecko.id is "${id}", and the target publishes to another add-on.`;
    expect(warning).toBe(isWarned ? sentence : undefined);
  });

  it('not when it is of Manifest V2 and goes to Firefox without an id', async () => {
    const pusher = await Pusher.in(world);
    const targetId = await world.given.targetOf(pusher.mine, pusher.extension, 'firefox');
    const path = `/extensions/${pusher.extension}/targets/${targetId}`;
    expectStatus(await world.api.as(pusher.mine).patch(path, { enabled: true }), 200);
    const settings = { gecko: { data_collection_permissions: { required: ['none'] } } };
    expect(await warningOf(pusher, '1.0', { ...V2, browser_specific_settings: settings })).toBeUndefined();
  });

  it('not of permissions of which browsers do not warn', async () => {
    const pusher = await Pusher.onChrome(world, { published: '1.0.0' });
    await pusher.pushed('1.0.0', { permissions: ['history'] });
    await pusher.reconcile();
    const silent = ['userScripts', 'webRequestAuthProvider', 'identity', 'power', 'tts', 'gcm', 'fontSettings'];
    const permissions = ['history', 'tabs', 'browsingData', ...silent];
    expect(await warningOf(pusher, '1.1.0', { permissions })).toBeUndefined();
  });

  it('when it asks for more than the version that is live', async () => {
    const pusher = await Pusher.onChrome(world, { published: '1.0.0' });
    await pusher.pushed('1.0.0', { permissions: ['storage'], host_permissions: ['https://a.example/*'] });
    await pusher.reconcile();
    const wider = {
      permissions: ['storage', 'tabs', 'history'],
      host_permissions: ['https://a.example/*', 'https://b.example/*'],
    };
    const sentence =
      'Unlike version 1.0.0, which is live, this one asks for the permissions "tabs" and "history" and access to "https://b.example/*": ' +
      'browsers disable the extension, or hold the update back, until the user accepts "Read and change your browsing history on all your signed-in devices".';
    expect(await warningOf(pusher, '1.1.0', wider)).toBe(sentence);
    // What was only pushed is in nobody's browser yet.
    expect(await warningOf(pusher, '1.2.0', wider)).toBe(sentence);
    expect(await warningOf(pusher, '1.3.0', { permissions: ['storage'] })).toBeUndefined();
  });

  it('not of more than the version that is live at Safari alone, which Xcode delivered', async () => {
    const owner = await world.given.tenant();
    const pusher = await Pusher.in(world, owner);
    const { credentials, settings } = await testStoreAt('safari', world.sandbox.url);
    const api = world.api.as(owner);
    const made = expectStatus(await api.post('/credentials', { store: 'safari', credentials }), 201).body;
    const targetId = await world.given.targetOf(pusher.mine, pusher.extension, 'safari');
    const path = `/extensions/${pusher.extension}/targets/${targetId}`;
    expectStatus(await api.patch(path, { ...settings, credentialId: made.id, enabled: true }), 200);
    await pusher.pushed('0.1');
    await pusher.reconcile();
    expect((await api.get(path)).body).toMatchObject({ status: { liveVersion: '0.1' } });
    expect(await warningOf(pusher, '0.2', { permissions: ['tabs'] })).toBeUndefined();
  });

  // https://developer.chrome.com/docs/extensions/how-to/devtools/extend-devtools: its pages reach every site that is inspected.
  it('when a key of its manifest gives access', async () => {
    const pusher = await Pusher.onChrome(world, { published: '1.0.0' });
    await pusher.pushed('1.0.0', { permissions: ['storage', { usbDevices: [{ vendorId: 1, productId: 2 }] }] });
    await pusher.reconcile();
    const manifest = manifestOf('1.1.0', { permissions: ['storage'], devtools_page: 'devtools.html' });
    const files = { 'manifest.json': JSON.stringify(manifest), 'background.js': '', 'devtools.html': '' };
    expect(expectStatus(await pusher.push('1.1.0', await zipOf(files)), 201).body.warning).toBe(
      'Unlike version 1.0.0, which is live, this one asks for the permission "devtools_page": ' +
        'browsers disable the extension, or hold the update back, until the user accepts "Read and change all your data on all websites".',
    );
    const local = { permissions: ['storage'], host_permissions: ['file:///*'] };
    expect(await warningOf(pusher, '1.2.0', local)).toBeUndefined();
  });

  it('about everything at once, while no target is enabled', async () => {
    const pusher = await Pusher.in(world);
    expect(await warningOf(pusher, '1.0', V2)).toBe(
      'Chrome Web Store refuses this package: this is a Manifest V2 package, and only Manifest V3 is accepted. ' +
        'Firefox Add-ons: the manifest has no browser_specific_settings.gecko.data_collection_permissions, which new add-ons must have and all will need. ' +
        'Microsoft Edge Add-ons: this is a Manifest V2 package, which is supported until 2026-12-31. ' +
        'No enabled target will receive this version.',
    );
  });
});
