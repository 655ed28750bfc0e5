import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { Pusher } from './pusher.js';

describe('a push is warned about', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const warningOf = async (pusher: Pusher, version: string, changes: object, also: Record<string, string> = {}) =>
    expectStatus(await pusher.push(version, await packageOf(version, changes), also), 201).body.warning;

  it('not at all when nothing will hurt', async () => {
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
    expect(await warningOf(pusher, '1.0', { manifest_version: 2 })).toBe(
      'This is a Manifest V2 package, and Chrome Web Store takes only Manifest V3.',
    );
  });

  it('when it goes to Firefox without an id for it', async () => {
    const pusher = await Pusher.in(world);
    const targetId = await world.given.targetOf(pusher.mine, pusher.extension, 'firefox');
    const path = `/extensions/${pusher.extension}/targets/${targetId}`;
    expectStatus(await world.api.as(pusher.mine).patch(path, { enabled: true }), 200);
    expect(await warningOf(pusher, '1.0', {})).toBe(
      'The manifest has no browser_specific_settings.gecko.id, which Firefox Add-ons needs.',
    );
    const changes = { browser_specific_settings: { gecko: { id: 'owl@night.example' } } };
    expect(await warningOf(pusher, '1.1', changes)).toBeUndefined();
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
      'browsers disable the extension, or hold the update back, until the user accepts.';
    expect(await warningOf(pusher, '1.1.0', wider)).toBe(sentence);
    // What was only pushed is in nobody's browser yet.
    expect(await warningOf(pusher, '1.2.0', wider)).toBe(sentence);
    expect(await warningOf(pusher, '1.3.0', { permissions: ['storage'] })).toBeUndefined();
  });

  it('of everything at once, while it goes nowhere yet', async () => {
    const pusher = await Pusher.in(world);
    expect(await warningOf(pusher, '1.0', { manifest_version: 2 })).toBe(
      'No enabled target will receive this version. This is a Manifest V2 package, and Chrome Web Store takes only Manifest V3. ' +
        'The manifest has no browser_specific_settings.gecko.id, which Firefox Add-ons needs.',
    );
  });
});
