import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import type { Answer } from '../support/api.js';
import { ipaOf, pkgOf, type AppOptions } from '../support/apple-packages.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { Pusher, sha256Of } from '../artifacts/pusher.js';

describe('a signed package for the App Store', () => {
  let world: World;
  let control: SafariControl;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    control = new SafariControl(world.sandbox.url);
    tenant = await world.given.tenant();
  });
  afterAll(() => world.close());

  /** An extension with an enabled target at the App Store. */
  const begin = async (options: object = {}, platforms: readonly string[] = ['macos']) => {
    const { teamId, ...credentials } = await control.key();
    const { appId } = await control.app({ issuerId: teamId, ...options });
    const api = world.api.as(tenant);
    const saved = await api.post('/credentials', { store: 'safari', credentials });
    const pusher = await Pusher.in(world, tenant);
    const { extension } = pusher;
    const path = `/extensions/${extension}/targets/${await world.given.targetOf(tenant, extension, 'safari')}`;
    const credentialId: string = expectStatus(saved, 201).body.id;
    const settings = { storeItemId: appId, credentialId, enabled: true, encryption: 'exempt', platforms };
    expectStatus(await api.patch(path, settings), 200);
    const push = async (bytes: Buffer, version: string, also: object = {}): Promise<Answer> =>
      pusher.sends({ version, store: 'safari', ...also }, bytes, 'application/octet-stream');
    return {
      appId,
      api,
      pusher,
      path,
      push,
      pushPkg: (version: string, build: string, more: Partial<AppOptions> = {}) =>
        push(pkgOf({ version, build, ...more }), version),
      pushIpa: async (version: string, build: string) => push(await ipaOf({ version, build }), version),
      reconcile: async () => expectStatus(await api.post(`/extensions/${extension}/reconcile`), 200).body.targets[0],
      counters: async () => (await control.state(appId)).counters,
    };
  };

  it('is kept, uploaded and submitted, and goes live', async () => {
    const { appId, pushPkg, reconcile, counters, api, pusher, path } = await begin();
    const { artifact, deduplicated } = expectStatus(await pushPkg('1.4.0', '27'), 201).body;
    expect(deduplicated).toBe(false);
    expect(artifact).toMatchObject({ store: 'safari', platform: 'macos', buildNumber: '27', version: '1.4.0' });
    const reviewed = await reconcile();
    expect(reviewed).toMatchObject({ phase: 'in_review' });
    expect(reviewed.steps.map(({ step }: { step: string }) => step)).toEqual(['upload', 'submit', 'wait']);
    await control.act(appId, 'approve');
    expect(await reconcile()).toMatchObject({ phase: 'live' });
    expect(await counters()).toMatchObject({ uploadsCreated: 1, buildsUploaded: 1, submissions: 1, releases: 1 });
    expect((await api.get(path)).body.status).toMatchObject({ desiredVersion: '1.4.0', liveVersion: '1.4.0' });

    const { status, headers, bytes } = await pusher.download(artifact.id);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
    expect(headers.get('content-disposition')).toContain('1.4.0.pkg');
    expect(sha256Of(bytes)).toBe(artifact.sha256);

    expect(expectStatus(await pushPkg('1.4.0', '27'), 200).body.deduplicated).toBe(true);
    expect(await pushPkg('1.4.0', '28')).toMatchObject({ status: 409, body: { code: 'version_conflict' } });
  });

  it('has a time as its build number, and a later one after it', async () => {
    const { appId, pushPkg, reconcile, counters } = await begin({ uploadRefusal: 'Missing icon' });
    expectStatus(await pushPkg('1.4.0', '20260630.0520'), 201);
    expect(await reconcile()).toMatchObject({ phase: 'rejected' });
    await control.patch(appId, { uploadRefusal: null });
    expectStatus(await pushPkg('1.4.0', '20260630.0521'), 201);
    expect(await reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await counters()).toMatchObject({ buildsUploaded: 1, submissions: 1 });
  });

  it('waits while Apple processes it, and goes on by itself', async () => {
    const { pushPkg, reconcile, counters } = await begin({ uploadSeconds: 1_000_000 });
    expectStatus(await pushPkg('1.4.0', '27'), 201);
    expect(await reconcile()).toMatchObject({
      phase: 'validating',
      message: 'Build 27 of version 1.4.0 was uploaded; Apple is processing it.',
    });
    expect(await reconcile()).toMatchObject({ phase: 'validating', steps: [{ step: 'poll', outcome: 'pending' }] });
    expect(await counters()).toMatchObject({ uploadsCreated: 1, submissions: 0 });
  });

  it('that Apple refuses is replaced by one with a higher build number', async () => {
    const { appId, pushPkg, reconcile, counters } = await begin({ uploadRefusal: 'Missing icon' });
    expectStatus(await pushPkg('1.4.0', '27'), 201);
    expect(await reconcile()).toMatchObject({
      phase: 'rejected',
      message: expect.stringMatching(/Missing icon \(90000\)\. Build the app again with a higher build number/),
    });
    await control.patch(appId, { uploadRefusal: null });
    expectStatus(await pushPkg('1.4.0', '28'), 201);
    expect(await reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await counters()).toMatchObject({ uploadsCreated: 2, buildsUploaded: 1, submissions: 1 });
  });

  it('of a version that was rejected is replaced by one with a higher build number', async () => {
    const { appId, pushPkg, reconcile, counters } = await begin();
    expectStatus(await pushPkg('1.4.0', '27'), 201);
    await reconcile();
    expect(await pushPkg('1.4.0', '28')).toMatchObject({ status: 409, body: { code: 'version_conflict' } });
    await control.act(appId, 'reject');
    expect(await reconcile()).toMatchObject({ phase: 'rejected' });
    expectStatus(await pushPkg('1.4.0', '28'), 201);
    expect(await reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await counters()).toMatchObject({ uploadsCreated: 2, submissions: 2 });
  });

  it.each([
    ['the same', '27'],
    ['the same with a zero before it', '027'],
    ['a lower', '26'],
  ])('with other content needs a higher build number once the first was uploaded, and not %s one', async (_, build) => {
    const { pushPkg, reconcile } = await begin({ encryptionInBuilds: null, uploadSeconds: 1_000_000 });
    expectStatus(await pushPkg('1.4.0', '27'), 201);
    await reconcile();
    const { status, body } = await pushPkg('1.4.0', build, { salt: 'other' });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'version_conflict' });
    expect(body.detail).toContain(`another build of version 1.4.0 with the number ${build} or a higher one`);
  });

  it('is sent instead of one that was uploaded but not submitted', async () => {
    const { pushPkg, reconcile, counters, appId } = await begin({ uploadSeconds: 1_000_000 });
    expectStatus(await pushPkg('1.4.0', '27'), 201);
    await reconcile();
    expectStatus(await pushPkg('1.4.0', '28'), 201);
    await control.patch(appId, { uploadSeconds: 0 });
    expect(await reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await counters()).toMatchObject({ uploadsCreated: 2, submissions: 1 });
  });

  it('goes to its platform alone, beside one for the other and a zip for other stores', async () => {
    const { pushPkg, pushIpa, pusher, reconcile, api, path, counters } = await begin({}, ['macos', 'ios']);
    expectStatus(await pushPkg('1.4.0', '27'), 201);
    const first = await reconcile();
    expect(first.steps).toMatchObject([
      { platform: 'macos', step: 'upload' },
      { platform: 'macos', step: 'submit' },
      { platform: 'macos', step: 'wait' },
      { platform: 'ios', step: 'nothing' },
    ]);
    expect((await api.get(path)).body.status).toMatchObject({ desiredVersion: '1.4.0' });
    expectStatus(await pushIpa('1.4.0', '27'), 201);
    expect(await reconcile()).toMatchObject({ phase: 'in_review' });
    expectStatus(await pusher.push('1.4.0', await packageOf('1.4.0')), 201);
    expect(await reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await counters()).toMatchObject({ buildsUploaded: 2, submissions: 2 });
    const places = (await pusher.list()).map(({ store, platform }) => [store, platform]);
    expect(places).toEqual([
      [null, null],
      ['safari', 'ios'],
      ['safari', 'macos'],
    ]);
  });

  it('is approved by itself, whatever becomes of that for another platform', async () => {
    const { pushPkg, pushIpa, reconcile, api, pusher, counters } = await begin({}, ['macos', 'ios']);
    const approvals = world.api.as({ cookie: (await world.given.member(tenant, 'publisher')).cookie });
    const ann = world.api.as({ token: (await world.given.loggedIn(tenant)).token });
    expectStatus(await ann.patch(`/extensions/${pusher.extension}`, { approval: { required: true } }), 200);
    const waiting = async (): Promise<readonly { readonly id: string; readonly artifactId: string }[]> =>
      expectStatus(await api.get(`/approvals?extension=${pusher.extension}`), 200).body.items;
    const { id: macos } = expectStatus(await pushPkg('1.4.0', '27'), 201).body.artifact;
    const { id: ios } = expectStatus(await pushIpa('1.4.0', '27'), 201).body.artifact;
    const [second, first] = await waiting();
    expect([first?.artifactId, second?.artifactId]).toEqual([macos, ios]);
    expectStatus(await approvals.post(`/approvals/${first?.id}/approve`), 200);
    await reconcile();
    expect(await counters()).toMatchObject({ uploadsCreated: 1, submissions: 1 });
    expectStatus(await pushPkg('1.4.0', '27'), 200);
    expect(await waiting()).toMatchObject([{ id: second?.id }]);
    expectStatus(await approvals.post(`/approvals/${second?.id}/reject`, { reason: 'It is late.' }), 200);
    await reconcile();
    expect(await counters()).toMatchObject({ uploadsCreated: 1, submissions: 1 });
  });

  it('for a platform that no target has is kept, with a warning', async () => {
    const { pushPkg, pushIpa, reconcile, counters, api, path } = await begin();
    expect(expectStatus(await pushPkg('1.4.0', '27'), 201).body.warning).toBeUndefined();
    expect(expectStatus(await pushIpa('1.4.0', '27'), 201).body).toMatchObject({
      artifact: { platform: 'ios' },
      warning: 'No enabled target will receive this version.',
    });
    expectStatus(await pushIpa('1.5.0', '28'), 201);
    expect(await reconcile()).toMatchObject({ phase: 'in_review' });
    expect((await api.get(path)).body.status.desiredVersion).toBe('1.4.0');
    expect(await counters()).toMatchObject({ uploadsCreated: 1 });
  });

  it('is pinned again for its own store only', async () => {
    const { pushPkg, api } = await begin();
    const { id } = expectStatus(await pushPkg('1.4.0', '27'), 201).body.artifact;
    expect(await api.post(`/artifacts/${id}/pin`, { store: 'chrome' })).toMatchObject({ status: 400 });
    expectStatus(await pushPkg('1.5.0', '28'), 201);
    const again = expectStatus(await api.post(`/artifacts/${id}/pin`, {}), 200).body;
    expect(again.artifact).toMatchObject({ id, platform: 'macos', buildNumber: '27' });
  });

  it.each([
    ['unsigned', pkgOf({ version: '1.4.0', build: '27', isSigned: false }), 'invalid_archive', /not signed/],
    [
      'without an extension',
      pkgOf({ version: '1.4.0', build: '27', extensionPoint: 'com.apple.widgetkit-extension' }),
      'invalid_archive',
      /no extension of Safari/,
    ],
    ['damaged', pkgOf({ version: '1.4.0', build: '27' }).subarray(0, 500), 'invalid_archive', /damaged|truncated/],
    ['of another version', pkgOf({ version: '1.3.0', build: '27' }), 'version_mismatch', /the app has version 1\.3\.0/],
  ])('is refused %s, and nothing is kept', async (_, bytes, code, words) => {
    const { push, pusher } = await begin();
    const { status, body } = await push(bytes, '1.4.0');
    expect({ status, code: body.code }).toEqual({ status: 422, code });
    expect(body.title).not.toMatch(/zip/);
    expect(body.detail).toMatch(words);
    expect(await pusher.list()).toEqual([]);
  });

  it('is refused for every store, and for another one', async () => {
    const { pusher } = await begin();
    const bytes = pkgOf({ version: '1.4.0', build: '27' });
    for (const also of [{}, { store: 'chrome' }] as readonly Readonly<Record<string, string>>[])
      expect(await pusher.sends({ version: '1.4.0', ...also }, bytes, 'application/octet-stream')).toMatchObject({
        status: 422,
        body: { code: 'invalid_archive', detail: expect.stringContaining('push it for the store safari') },
      });
  });

  it('that nobody pushed leaves the build to come from elsewhere', async () => {
    const { appId, pusher, reconcile, counters } = await begin();
    expectStatus(await pusher.push('1.4.0', undefined, { store: 'safari' }), 201);
    expect((await reconcile()).message).toContain(
      `Push a signed .pkg or .ipa, deliver a build from Xcode, or give the zip to the packager at https://appstoreconnect.apple.com/apps/${appId}.`,
    );
    await control.deliver(appId, { version: '1.4.0', platform: 'macos' });
    expect(await reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await counters()).toMatchObject({ uploadsCreated: 0, submissions: 1 });
  });
});
