import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';

describe('an extension on the App Store', () => {
  let world: World;
  let control: SafariControl;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    control = new SafariControl(world.sandbox.url);
    tenant = await world.given.tenant();
  });
  afterAll(() => world.close());

  const save = (credentials: object): Promise<Answer> =>
    world.api.as(tenant).post('/credentials', { store: 'safari', credentials });

  it('is published with a key that was verified at the store', async () => {
    const { teamId, issuerId, keyId, privateKey } = await control.key();
    const body = privateKey.replaceAll(/-----[^-]+-----|\s/g, '');
    const saved = await save({ issuerId, keyId, privateKey: privateKey.replaceAll('\n', '\\n') });
    expect(saved).toMatchObject({ status: 201, body: { store: 'safari', identity: keyId, lastFour: body.slice(-4) } });
    await control.revoke(teamId);
    const revoked = await save({ issuerId, keyId, privateKey });
    expect(revoked).toMatchObject({ status: 422, body: { code: 'store_rejected_credentials' } });
    const garbled = await save({ issuerId, keyId, privateKey: 'MARKED'.repeat(20) });
    expect(garbled).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    for (const answer of [saved, revoked, garbled]) {
      expect(answer.text).not.toContain('MARKED');
      expect(answer.text).not.toContain(body.slice(0, 20));
    }
  });

  it('waits for its build, is reviewed and released, and settles', async () => {
    const { teamId, ...credentials } = await control.key();
    const { appId, bundleId } = await control.app({ issuerId: teamId });
    const credentialId: string = expectStatus(await save(credentials), 201).body.id;
    const extension = await world.given.extension(tenant);
    const targetId = await world.given.targetOf(tenant, extension, 'safari');
    const settings = { storeItemId: bundleId, credentialId, enabled: true, encryption: 'exempt' };
    const api = world.api.as(tenant);
    expectStatus(await api.patch(`/extensions/${extension}/targets/${targetId}`, settings), 200);
    expectStatus(await api.push({ extension, version: '1.0', store: 'safari' }), 201);
    const reconcile = async () =>
      expectStatus(await api.post(`/extensions/${extension}/reconcile`), 200).body.targets[0];

    const waiting = await reconcile();
    expect(waiting).toMatchObject({ phase: 'queued', steps: [{ step: 'submit', outcome: 'failed' }] });
    expect(waiting.message).toContain('No build of version 1.0 has been delivered');
    const shown = async () => {
      const { display } = (await api.get(`/extensions/${extension}/targets/${targetId}`)).body;
      const { items } = (await api.get(`/extensions/${extension}/releases`)).body;
      expect(items[0].targets[0].display).toEqual(display);
      return display;
    };
    expect(await shown()).toEqual({ word: 'waiting', tone: 'underway', turn: 'pierhead', progress: 0 });
    await control.deliver(appId, { version: '1.0' });
    expect((await reconcile()).phase).toBe('in_review');
    expect(await shown()).toMatchObject({ word: 'in review', tone: 'underway', turn: 'store' });
    await control.act(appId, 'approve');
    expect(await reconcile()).toMatchObject({ phase: 'live', steps: [{ step: 'release' }, { step: 'nothing' }] });
    expect((await control.state(appId)).counters).toMatchObject({ submissions: 1, releases: 1, refused: 0 });

    // Its build came from Xcode, so a package for the other stores can still be replaced.
    for (const name of ['Owl', 'Mended owl'])
      expectStatus(
        await api.push({ extension, version: '1.0' }, new Uint8Array(await packageOf('1.0', { name }))),
        201,
      );
  });

  it('needs a person at once while the listing lacks what only a person can provide', async () => {
    const { teamId, ...credentials } = await control.key();
    const blockers = [
      {
        code: 'STATE_ERROR.SCREENSHOT_REQUIRED.APP_DESKTOP',
        title: 'App screenshot missing (APP_DESKTOP).',
        detail: 'A screenshot with type desktop is required but was not provided',
      },
      { code: 'STATE_ERROR.APP_DATA_USAGES_REQUIRED', title: 'Answers to what data your app collects are needed.' },
    ];
    const { appId } = await control.app({ issuerId: teamId, blockers });
    const credentialId: string = expectStatus(await save(credentials), 201).body.id;
    const extension = await world.given.extension(tenant);
    const path = `/extensions/${extension}/targets/${await world.given.targetOf(tenant, extension, 'safari')}`;
    const api = world.api.as(tenant);
    expectStatus(await api.patch(path, { storeItemId: appId, credentialId, enabled: true, encryption: 'exempt' }), 200);
    expectStatus(await api.push({ extension, version: '1.0', store: 'safari' }), 201);
    await control.deliver(appId, { version: '1.0' });
    const reconcile = async () =>
      expectStatus(await api.post(`/extensions/${extension}/reconcile`), 200).body.targets[0];
    expect(await reconcile()).toMatchObject({
      phase: 'action_required',
      message: expect.stringMatching(/A screenshot with type desktop is required .* what data your app collects/),
    });
    await control.patch(appId, { blockers: [] });
    expect((await reconcile()).phase).toBe('in_review');
    expect((await control.state(appId)).counters).toMatchObject({ versionsCreated: 1, reviewsCreated: 1 });
  });

  it('asks its author about the encryption in a build, and passes the answer to Apple', async () => {
    const { teamId, ...credentials } = await control.key();
    const { appId } = await control.app({ issuerId: teamId });
    const credentialId: string = expectStatus(await save(credentials), 201).body.id;
    const extension = await world.given.extension(tenant);
    const path = `/extensions/${extension}/targets/${await world.given.targetOf(tenant, extension, 'safari')}`;
    const api = world.api.as(tenant);
    const settings = expectStatus(await api.patch(path, { storeItemId: appId, credentialId, enabled: true }), 200);
    expect(settings.body.encryption).toBeNull();
    expectStatus(await api.push({ extension, version: '1.0', store: 'safari' }), 201);
    await control.deliver(appId, { version: '1.0', build: '7' });
    const reconcile = async () =>
      expectStatus(await api.post(`/extensions/${extension}/reconcile`), 200).body.targets[0];
    expect(await reconcile()).toMatchObject({
      phase: 'action_required',
      message: expect.stringContaining('whether build 7 of version 1.0 uses encryption that is not exempt'),
    });
    expect(await control.state(appId)).toMatchObject({ builds: [{ usesNonExemptEncryption: null }], versions: [] });

    expect((await api.patch(path, { encryption: 'none' })).status).toBe(400);
    expect(expectStatus(await api.patch(path, { encryption: 'exempt' }), 200).body.encryption).toBe('exempt');
    expect((await reconcile()).phase).toBe('in_review');
    expect(await control.state(appId)).toMatchObject({ builds: [{ usesNonExemptEncryption: false }] });
    const { items } = expectStatus(await api.get(`/extensions/${extension}/events?limit=100`), 200).body;
    expect(items.map(({ message }: { message: string }) => message).join('\n')).toMatch(
      /question about build 7 was answered from the target's encryption setting: exempt\./,
    );
  });

  it('needs a person while Apple holds a version that a person submitted without an answer about encryption', async () => {
    const { teamId, ...credentials } = await control.key();
    const versions = [{ version: '1.0', state: 'WAITING_FOR_EXPORT_COMPLIANCE' }];
    const { appId } = await control.app({ issuerId: teamId, versions });
    const credentialId: string = expectStatus(await save(credentials), 201).body.id;
    const extension = await world.given.extension(tenant);
    const path = `/extensions/${extension}/targets/${await world.given.targetOf(tenant, extension, 'safari')}`;
    const api = world.api.as(tenant);
    expectStatus(await api.patch(path, { storeItemId: appId, credentialId, enabled: true }), 200);
    expectStatus(await api.push({ extension, version: '1.0', store: 'safari' }), 201);
    const { targets } = expectStatus(await api.post(`/extensions/${extension}/reconcile`), 200).body;
    expect(targets[0]).toMatchObject({
      phase: 'action_required',
      message: expect.stringContaining('until its export-compliance question is answered'),
    });
  });

  /** An app that Pierhead drives, and what its tests do with it. */
  const driven = async (given: object = {}) => {
    const { teamId, ...credentials } = await control.key();
    const { appId } = await control.app({ issuerId: teamId });
    const credentialId: string = expectStatus(await save(credentials), 201).body.id;
    const extension = await world.given.extension(tenant);
    const targetId = await world.given.targetOf(tenant, extension, 'safari');
    const api = world.api.as(tenant);
    const path = `/extensions/${extension}/targets/${targetId}`;
    const set = async (settings: object) => expectStatus(await api.patch(path, settings), 200);
    await set({ storeItemId: appId, credentialId, enabled: true, encryption: 'exempt', ...given });
    const reconcile = async () =>
      expectStatus(await api.post(`/extensions/${extension}/reconcile`), 200).body.targets[0];
    const push = async (version: string, notes: object, status: number) =>
      expectStatus(await api.push({ extension, version, store: 'safari', ...notes }), status).body;
    return {
      set,
      reconcile,
      push,
      publish: async (version: string) => {
        await control.deliver(appId, { version });
        await push(version, {}, 201);
        await reconcile();
        await control.act(appId, 'approve');
        await reconcile();
      },
      deliver: (version: string) => control.deliver(appId, { version }),
      state: () => control.state(appId),
      rollout: async () => expectStatus(await api.get(path), 200).body.rollout,
      revoke: () => control.revoke(credentials.keyId),
      rotate: async () => {
        const { teamId: _, ...replacement } = await control.key({ issuerId: credentials.issuerId });
        expectStatus(await api.patch(`/credentials/${credentialId}`, { credentials: replacement }), 200);
      },
      health: async () => {
        const session = world.api.as({ cookie: tenant.cookie });
        return expectStatus(await session.get(`/credentials/${credentialId}`), 200).body.health;
      },
      events: async () => expectStatus(await api.get(`/extensions/${extension}/events?limit=100`), 200).body.items,
    };
  };

  /** An app whose update is live in the first day of a phased release. */
  const phased = async () => {
    const app = await driven({ rolloutPercent: 10, releaseNotes: 'Owls.' });
    for (const version of ['1.0', '1.1']) await app.publish(version);
    return app;
  };

  it('says at the push that an update needs release notes, and invents none', async () => {
    const app = await driven();
    await app.publish('1.0');
    await app.deliver('1.1');
    const { warning } = await app.push('1.1', {}, 201);
    expect(warning).toContain('App Store refuses an update without them');
    expect(await app.reconcile()).toMatchObject({
      phase: 'action_required',
      message: expect.stringContaining('Push the version again with release notes'),
    });
    await app.push('1.1', { notes: 'Owls at night.' }, 200);
    expect((await app.reconcile()).phase).toBe('in_review');
    expect(JSON.stringify(await app.state())).toContain('Owls at night.');
  });

  it('shows since when the store refuses a key, and that it works again once it is replaced', async () => {
    const app = await driven();
    await app.publish('1.0');
    expect(await app.health()).toMatchObject({ state: 'ok' });
    await app.revoke();
    const since = world.clock.now();
    for (const _ of ['once', 'twice']) {
      expect((await app.reconcile()).phase).toBe('action_required');
      await world.forward(HOUR);
    }
    const { state, at } = await app.health();
    expect(state).toBe('refused');
    expect(Math.abs(Date.parse(at) - since.getTime())).toBeLessThan(10 * 60_000);
    await app.rotate();
    expect(await app.health()).toMatchObject({ state: 'ok' });
    expect((await app.reconcile()).phase).toBe('live');
  });

  it('is live from the first day of a phased release, and checked daily while the store widens it', async () => {
    const app = await phased();
    expect(await app.rollout()).toMatchObject({
      version: '1.1',
      percent: 1,
      users: null,
      steps: [100],
      canHalt: false,
      canRollBack: false,
      note: 'App Store raises the share by itself, and only its dashboard can pause that.',
    });
    const before = (await app.events()).length;
    for (const _ of ['once', 'twice']) {
      const { nextCheckAt, ...result } = await app.reconcile();
      expect(result).toMatchObject({
        phase: 'live',
        message: 'Version 1.1 is live for 1 % of users; the store raises the share by itself.',
        steps: [{ step: 'nothing' }],
      });
      expect(Date.parse(nextCheckAt) - world.clock.now().getTime()).toBeGreaterThan(20 * HOUR);
    }
    expect(await app.events()).toHaveLength(before);
    await world.forward(8 * DAY);
    expect(await app.reconcile()).toMatchObject({ phase: 'live', message: 'Version 1.1 is live.' });
    expect(await app.rollout()).toBeNull();
  });

  it('reaches all users at once when the target asks for it during a phased release', async () => {
    const app = await phased();
    await app.set({ rolloutPercent: 100 });
    expect(await app.reconcile()).toMatchObject({ phase: 'live', steps: [{ step: 'rollout' }, { step: 'nothing' }] });
  });

  it('is checked for its build less and less often, in the end hourly, without an event while there is none', async () => {
    const { teamId, ...credentials } = await control.key();
    const { appId } = await control.app({ issuerId: teamId });
    const credentialId: string = expectStatus(await save(credentials), 201).body.id;
    const extension = await world.given.extension(tenant);
    const path = `/extensions/${extension}/targets/${await world.given.targetOf(tenant, extension, 'safari')}`;
    const api = world.api.as(tenant);
    expectStatus(await api.patch(path, { storeItemId: appId, credentialId, enabled: true, encryption: 'exempt' }), 200);
    expectStatus(await api.push({ extension, version: '1.0', store: 'safari' }), 201);
    const events = async () =>
      expectStatus(await api.get(`/extensions/${extension}/events?limit=100`), 200).body.items.length;
    const told: number[] = [];
    const pauses: number[] = [];
    for (let look = 1; look <= 12; look += 1) {
      const { phase, steps, nextCheckAt } = expectStatus(await api.post(`/extensions/${extension}/reconcile`), 200).body
        .targets[0];
      expect([phase, steps[0].because]).toEqual(['queued', 'Version 1.0 is pinned; the store has its own build.']);
      pauses.push((Date.parse(nextCheckAt) - world.clock.now().getTime()) / HOUR);
      told.push(await events());
    }
    expect(new Set(told).size).toBe(1);
    expect(pauses[0]).toBeLessThan(0.2);
    expect(pauses[1]).toBeLessThan(0.25);
    expect(pauses.at(-1)).toBeGreaterThan(0.9);
  });

  it('is driven on each platform separately, and shows the least advanced', async () => {
    const { teamId, ...credentials } = await control.key();
    const { appId } = await control.app({ issuerId: teamId });
    const credentialId: string = expectStatus(await save(credentials), 201).body.id;
    const extension = await world.given.extension(tenant);
    const targetId = await world.given.targetOf(tenant, extension, 'safari');
    const settings = {
      storeItemId: appId,
      credentialId,
      enabled: true,
      encryption: 'exempt',
      platforms: ['macos', 'ios'],
    };
    const api = world.api.as(tenant);
    expectStatus(await api.patch(`/extensions/${extension}/targets/${targetId}`, settings), 200);
    expectStatus(await api.push({ extension, version: '1.0', store: 'safari' }), 201);
    const reconcile = async () =>
      expectStatus(await api.post(`/extensions/${extension}/reconcile`), 200).body.targets[0];

    await control.deliver(appId, { version: '1.0', platform: 'macos' });
    const first = await reconcile();
    expect(first.phase).toBe('queued');
    expect(first.steps).toMatchObject([
      { platform: 'macos', step: 'submit', outcome: 'done' },
      { platform: 'macos', step: 'wait' },
      { platform: 'ios', step: 'submit', outcome: 'failed' },
    ]);
    expect(first.message).toMatch(/^macos: Version 1\.0 is in review.* ios: .*No build of version 1\.0/);

    await control.act(appId, 'approve', 'macos');
    await control.deliver(appId, { version: '1.0', platform: 'ios' });
    expect((await reconcile()).phase).toBe('in_review');
    const { status } = expectStatus(await api.get(`/extensions/${extension}/targets/${targetId}`), 200).body;
    expect(status).toMatchObject({
      liveVersion: null,
      platforms: [
        { platform: 'macos', phase: 'live', liveVersion: '1.0' },
        { platform: 'ios', phase: 'in_review', submittedVersion: '1.0' },
      ],
    });
    const planned = expectStatus(await api.get(`/extensions/${extension}/next-steps`), 200).body.targets;
    expect(planned.filter((each: { targetId: string }) => each.targetId === targetId)).toMatchObject([
      { platform: 'macos', step: 'nothing' },
      { platform: 'ios', step: 'wait' },
    ]);

    await control.act(appId, 'approve', 'ios');
    expect(await reconcile()).toMatchObject({ phase: 'live' });
    const { items } = expectStatus(await api.get(`/extensions/${extension}/releases`), 200).body;
    expect(items[0].targets).toMatchObject([
      { platform: 'ios', state: 'live' },
      { platform: 'macos', state: 'live' },
    ]);
    expect((await control.state(appId)).counters).toMatchObject({ submissions: 2, releases: 2 });
  });
});
