import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SafariControl } from '../../src/sandbox/safari/safari-control.js';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';

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

  it('is published with a key that was verified live', async () => {
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
    const settings = { storeItemId: bundleId, credentialId, enabled: true };
    const api = world.api.as(tenant);
    expectStatus(await api.patch(`/extensions/${extension}/targets/${targetId}`, settings), 200);
    expectStatus(await api.push({ extension, version: '1.0', store: 'safari' }), 201);
    const reconcile = async () =>
      expectStatus(await api.post(`/extensions/${extension}/reconcile`), 200).body.targets[0];

    const waiting = await reconcile();
    expect(waiting).toMatchObject({ phase: 'queued', steps: [{ step: 'submit', outcome: 'failed' }] });
    expect(waiting.message).toContain('No build of version 1.0 has been delivered');
    await control.deliver(appId, { version: '1.0' });
    expect((await reconcile()).phase).toBe('in_review');
    await control.act(appId, 'approve');
    expect(await reconcile()).toMatchObject({ phase: 'live', steps: [{ step: 'release' }, { step: 'nothing' }] });
    expect((await control.state(appId)).counters).toMatchObject({ submissions: 1, releases: 1, refused: 0 });
  });

  it('is driven on each platform by itself, and stands where the last of them stands', async () => {
    const { teamId, ...credentials } = await control.key();
    const { appId } = await control.app({ issuerId: teamId });
    const credentialId: string = expectStatus(await save(credentials), 201).body.id;
    const extension = await world.given.extension(tenant);
    const targetId = await world.given.targetOf(tenant, extension, 'safari');
    const settings = { storeItemId: appId, credentialId, enabled: true, platforms: ['macos', 'ios'] };
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
    const planned = expectStatus(await api.get(`/extensions/${extension}/plan`), 200).body.targets;
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
