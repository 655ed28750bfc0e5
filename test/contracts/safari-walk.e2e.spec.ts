import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SafariControl, type AppAction, type PlatformName } from '../../sandbox/safari/safari-control.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { SandboxControl, type FaultOptions } from '../../sandbox/sandbox-control.js';
import type { FailureKind, StepOutcome, StoreStep, SubmitOptions } from '../../src/stores/index.js';
import { HttpClient, createSandbox, known, DEFAULT_SUBMIT_OPTIONS, StoreFailure, SafariStore } from '../support/app.js';

const NOTES = 'Owls by night.';
const LIVE = { version: '1.0.0', state: 'READY_FOR_DISTRIBUTION' };
/** The calls by which a submission changes something, in their order. */
const WRITES = [
  'answerEncryption',
  'createVersion',
  'attachBuild',
  'updateWhatsNew',
  'createPhasedRelease',
  'createReview',
  'addToReview',
  'submit',
];

describe('the adapter of the App Store', () => {
  let sandbox: Sandbox;
  let control: SafariControl;
  let faults: SandboxControl;
  beforeAll(async () => {
    sandbox = await createSandbox();
    control = new SafariControl(sandbox.url);
    faults = new SandboxControl(sandbox.url);
  });
  afterAll(() => sandbox.close());

  /** An app of one team, and the adapter at it on one platform. */
  const begin = async (options: object = {}, platform: PlatformName = 'macos', skewSeconds = 0) => {
    const { teamId, ...credentials } = await control.key();
    const { appId, bundleId } = await control.app({ issuerId: teamId, ...options });
    const http = new HttpClient({ allowedHosts: [sandbox.url] });
    const now = (): Date => new Date(Date.now() + skewSeconds * 1000);
    const store = new SafariStore({ apiUrl: sandbox.url, lookupUrl: `${sandbox.url}/lookup` }, http, { now });
    const item = { storeItemId: appId, crxId: null, platforms: [platform], channel: null, handles: {} };
    const carryOut = (step: StoreStep, handles: Readonly<Record<string, string>> = {}): Promise<StepOutcome> =>
      store.carryOut(credentials, { ...item, handles }, step);
    return {
      teamId,
      appId,
      bundleId,
      store,
      item,
      credentials,
      carryOut,
      observe: () => store.observe(credentials, item),
      submit: (version: string, order: Partial<SubmitOptions> = {}) =>
        carryOut({ step: 'submit', version, ...DEFAULT_SUBMIT_OPTIONS, notes: NOTES, encryption: 'exempt', ...order }),
      deliver: (version: string, more: object = {}) => control.deliver(appId, { version, platform, ...more }),
      act: (action: AppAction) => control.act(appId, action, platform),
      state: () => control.state(appId),
      fault: (operation: string, fault: Omit<FaultOptions, 'match' | 'itemId'>) =>
        faults.fault({ itemId: appId, match: { operation }, ...fault }),
      asked: async () => (await faults.requests({ itemId: appId })).map(({ operation }) => operation),
    };
  };

  const refused = async (work: Promise<unknown>, kind: FailureKind, words: RegExp | string = ''): Promise<void> => {
    const error = await work.then(
      (answer) => new Error(`It answered ${JSON.stringify(answer)}`),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(StoreFailure);
    expect(error).toMatchObject({ kind });
    expect((error as Error).message).toMatch(words);
  };

  describe('submitting', () => {
    it('makes all calls from the build to the review', async () => {
      const { deliver, submit, state, asked } = await begin({ versions: [LIVE], locales: ['en-US', 'de-DE'] });
      const build = await deliver('1.1.0', { build: '7' });
      const { outcome, note, handles } = await submit('1.1.0', { rolloutPercent: 10 });
      expect({ outcome, note }).toEqual({
        outcome: 'done',
        note: "Version 1.1.0 was sent for review with build 7. Apple's export-compliance question about build 7 was answered from the target's encryption setting: exempt.",
      });
      const { versions, builds, reviews, counters } = await state();
      expect(handles).toEqual({ build: build.id, appStoreVersion: versions[1]?.id, reviewSubmission: reviews[0]?.id });
      expect(versions[1]).toMatchObject({
        versionString: '1.1.0',
        state: 'WAITING_FOR_REVIEW',
        releaseType: 'MANUAL',
        buildId: build.id,
        phased: { state: 'INACTIVE' },
        localizations: [{ whatsNew: NOTES }, { whatsNew: NOTES }],
      });
      expect(builds[0]?.usesNonExemptEncryption).toBe(false);
      expect(counters).toMatchObject({ versionsCreated: 1, reviewsCreated: 1, submissions: 1, refused: 0 });
      expect([...new Set((await asked()).filter((one) => WRITES.includes(one)))]).toEqual(WRITES);
    });

    it.each(
      WRITES.flatMap((operation) =>
        (['drop-before', 'drop-after', 'status-after'] as const).map((kind) => [operation, kind] as const),
      ),
    )('is begun anew after %s met %s, and doubles nothing', async (operation, kind) => {
      const { deliver, submit, state, fault, observe } = await begin({ versions: [LIVE] });
      await deliver('1.1.0');
      await fault(operation, { kind, ...(kind === 'status-after' && { status: 500 }) });
      await refused(submit('1.1.0', { rolloutPercent: 10 }), 'retry');
      expect(await submit('1.1.0', { rolloutPercent: 10 })).toMatchObject({ outcome: 'done' });
      const { counters, reviews, versions } = await state();
      expect(counters).toMatchObject({
        versionsCreated: 1,
        buildsAttached: 1,
        reviewsCreated: 1,
        submissions: 1,
        refused: 0,
      });
      expect(reviews.map(({ items }) => items.length)).toEqual([1]);
      expect(versions).toHaveLength(2);
      expect(await observe()).toMatchObject({ submission: known({ version: '1.1.0', state: 'in_review' }) });
    });

    it('waits for a build and for its processing', async () => {
      const { deliver, submit, state, appId } = await begin();
      await refused(submit('1.0.0'), 'wait', 'No build of version 1.0.0 has been delivered');
      await control.deliver(appId, { version: '1.0.0', platform: 'ios' });
      await refused(submit('1.0.0'), 'wait', 'No build of version 1.0.0');
      await deliver('1.0.0', { build: '1', outcome: 'INVALID' });
      await refused(submit('1.0.0'), 'config', 'Build 1 of version 1.0.0 could not be processed');
      await deliver('1.0.0', { build: '2', processingSeconds: 3600 });
      await refused(submit('1.0.0'), 'wait', 'Build 2 of version 1.0.0 is still being processed');
      await deliver('1.0.0', { build: '3', audience: 'INTERNAL_ONLY' });
      await refused(submit('1.0.0'), 'wait', 'Build 2');
      expect((await state()).counters).toMatchObject({ writes: 0 });
      await deliver('1.0.0', { build: '4' });
      expect((await submit('1.0.0')).note).toContain('build 4');
    });

    it("uses the app's spelling of the version", async () => {
      const { deliver, submit, state } = await begin();
      await deliver('1.2');
      await submit('1.2.0');
      expect((await state()).versions[0]).toMatchObject({ versionString: '1.2', state: 'WAITING_FOR_REVIEW' });
      await refused(submit('1.2.3.4'), 'artifact', 'at most three numbers');
    });

    it.each([
      'PREPARE_FOR_SUBMISSION',
      'READY_FOR_REVIEW',
      'REJECTED',
      'METADATA_REJECTED',
      'DEVELOPER_REJECTED',
      'INVALID_BINARY',
    ])('reuses the one editable version that is %s, and renames it upward', async (draft) => {
      const old = {
        version: '1.1.0',
        state: draft,
        releaseType: 'SCHEDULED',
        earliestReleaseDate: '2030-01-01T00:00:00Z',
      };
      const { deliver, submit, state, observe } = await begin({
        versions: [LIVE, { ...old, build: true, whatsNew: 'Old.' }],
      });
      await deliver('1.2.0');
      await submit('1.2.0');
      const { versions, reviews, counters } = await state();
      expect(versions).toHaveLength(2);
      expect(versions[1]).toMatchObject({
        versionString: '1.2.0',
        state: 'WAITING_FOR_REVIEW',
        releaseType: 'MANUAL',
        earliestReleaseDate: null,
        localizations: [{ whatsNew: NOTES }],
      });
      expect(reviews).toHaveLength(1);
      expect(counters).toMatchObject({ renames: 1, versionsCreated: 0, submissions: 1 });
      expect(await observe()).toMatchObject({ submission: known({ version: '1.2.0', state: 'in_review' }) });
    });

    it('reuses a version that was created concurrently', async () => {
      const { deliver, submit, state, fault } = await begin({ versions: [LIVE, { version: '1.1.0' }] });
      await deliver('1.2.0');
      const before = {
        type: 'appStoreVersions',
        id: '1',
        attributes: { versionString: '1.0.0', appVersionState: LIVE.state },
      };
      await fault('versions', { kind: 'status', status: 200, body: { data: [before], links: {} }, times: 1 });
      await submit('1.2.0');
      const { versions, counters } = await state();
      expect(versions.map(({ versionString }) => versionString)).toEqual(['1.0.0', '1.2.0']);
      expect(counters).toMatchObject({ versionsCreated: 0, renames: 1, submissions: 1 });
    });

    it('quotes everything that Apple lists as missing', async () => {
      const blockers = [
        {
          code: 'STATE_ERROR.SCREENSHOT_REQUIRED.APP_DESKTOP',
          title: 'App screenshot missing (APP_DESKTOP).',
          detail: 'A screenshot with type desktop is required but was not provided',
        },
        { code: 'STATE_ERROR.APP_DATA_USAGES_REQUIRED', title: 'Answers to what data your app collects are needed.' },
        { code: 'STATE_ERROR.SOMETHING_NEW', title: 'Something that no document names.' },
      ];
      const { deliver, submit, appId } = await begin({ versions: [LIVE], blockers });
      await deliver('1.1.0');
      await refused(
        submit('1.1.0'),
        'config',
        /type desktop is required.* what data your app collects.* no document names\..* App Store Connect/s,
      );
      await control.patch(appId, { blockers: [] });
      expect(await submit('1.1.0')).toMatchObject({ outcome: 'done' });
    });

    it('never answers the encryption question without the author, and asks before changing anything', async () => {
      const { deliver, submit, state } = await begin({ versions: [LIVE] });
      await deliver('1.1.0', { build: '7' });
      const asked = /whether build 7 of version 1\.1\.0 uses encryption .* Set the target's encryption to exempt/;
      await refused(submit('1.1.0', { encryption: null }), 'config', asked);
      expect(await state()).toMatchObject({ builds: [{ usesNonExemptEncryption: null }], counters: { writes: 0 } });
      await submit('1.1.0', { encryption: 'nonExempt' });
      expect((await state()).builds[0]?.usesNonExemptEncryption).toBe(true);
    });

    it('keeps an answer that the build already has', async () => {
      const { deliver, submit, state } = await begin({ versions: [LIVE] });
      await deliver('1.1.0', { build: '7', usesNonExemptEncryption: true });
      expect((await submit('1.1.0', { encryption: null })).note).toBe(
        'Version 1.1.0 was sent for review with build 7.',
      );
      expect((await state()).builds[0]?.usesNonExemptEncryption).toBe(true);
    });

    it('mentions the answer about encryption even when a later call fails', async () => {
      const { deliver, submit, appId } = await begin({ versions: [LIVE], lacking: 'supportUrl' });
      await deliver('1.1.0', { build: '7' });
      await refused(submit('1.1.0'), 'config', /'supportUrl'.*question about build 7 was answered.*: exempt\.$/);
      await control.patch(appId, { lacking: null });
      expect((await submit('1.1.0')).note).toContain('was already answered: exempt.');
    });

    it('never renames downward', async () => {
      const { deliver, submit, state } = await begin({ versions: [LIVE, { version: '2.0.0' }] });
      await deliver('1.5.0');
      await refused(submit('1.5.0'), 'config', 'Version 2.0.0, which is being prepared in App Store Connect');
      expect((await state()).counters.writes).toBe(0);
    });

    it('keeps texts that somebody wrote for this version', async () => {
      const { deliver, submit, state } = await begin({ versions: [LIVE, { version: '1.1.0', whatsNew: 'By hand.' }] });
      await deliver('1.1.0');
      await submit('1.1.0');
      expect((await state()).versions[1]?.localizations).toMatchObject([{ whatsNew: 'By hand.' }]);
    });

    it('removes a phased release that is not wanted', async () => {
      const { deliver, submit, state } = await begin({ versions: [LIVE] });
      await deliver('1.1.0');
      await submit('1.1.0', { rolloutPercent: 10 });
      await control.act((await state()).appId, 'cancel');
      await submit('1.1.0');
      expect((await state()).versions[1]).toMatchObject({ state: 'WAITING_FOR_REVIEW', phased: null });
    });

    it('submits a rejected version again, with a new build, in the same submission', async () => {
      const { deliver, submit, state, act, observe } = await begin({ versions: [LIVE] });
      await deliver('1.1.0');
      await submit('1.1.0');
      await act('reject');
      expect(await observe()).toMatchObject({ submission: known({ version: '1.1.0', state: 'rejected' }) });
      await deliver('1.1.0', { build: '9' });
      expect((await submit('1.1.0')).note).toContain('build 9');
      expect(await state()).toMatchObject({
        reviews: [{ state: 'WAITING_FOR_REVIEW', items: [{ state: 'READY_FOR_REVIEW' }] }],
        counters: { submissions: 2, reviewsCreated: 1 },
      });
    });

    it('does not submit items that somebody else added', async () => {
      const { deliver, submit, act, state } = await begin({ versions: [LIVE] });
      await act('add-event');
      await deliver('1.1.0');
      await refused(submit('1.1.0'), 'config', 'contains other items');
      expect((await state()).counters.submissions).toBe(0);
    });

    it('waits for a version that is not ready yet, and asks a person for what is missing', async () => {
      const { deliver, submit, appId, state } = await begin({ versions: [LIVE], readySeconds: 3600 });
      await deliver('1.1.0');
      await refused(submit('1.1.0'), 'wait', 'not ready to be submitted yet');
      await control.patch(appId, { readySeconds: 0, lacking: 'supportUrl' });
      await refused(submit('1.1.0'), 'config', /'supportUrl'.*App Store Connect/);
      await control.patch(appId, { lacking: null });
      await submit('1.1.0');
      expect((await state()).counters).toMatchObject({ submissions: 1, versionsCreated: 1, reviewsCreated: 1 });
    });

    it('works on each platform separately', async () => {
      const mac = await begin({ versions: [LIVE, { ...LIVE, platform: 'ios' }] });
      await mac.deliver('1.1.0');
      await mac.submit('1.1.0');
      const ios = { ...mac.item, platforms: ['ios'] };
      const seen = () => mac.store.observe(mac.credentials, ios);
      expect(await seen()).toMatchObject({ live: known('1.0.0'), submission: known(null) });
      await control.deliver(mac.appId, { version: '1.2.0', platform: 'ios' });
      const step = {
        step: 'submit',
        version: '1.2.0',
        ...DEFAULT_SUBMIT_OPTIONS,
        notes: NOTES,
        encryption: 'exempt',
      } as const;
      await mac.store.carryOut(mac.credentials, ios, step);
      expect(await seen()).toMatchObject({ submission: known({ version: '1.2.0', state: 'in_review' }) });
      expect(await mac.observe()).toMatchObject({ submission: known({ version: '1.1.0', state: 'in_review' }) });
      for (const platforms of [[], ['macos', 'ios'], ['desktop']])
        await refused(mac.store.observe(mac.credentials, { ...mac.item, platforms }), 'config', 'macos or ios');
    });
  });

  describe('releasing', () => {
    const approved = async (rolloutPercent: number | null = null) => {
      const at = await begin({ versions: [LIVE] });
      await at.deliver('1.1.0');
      await at.submit('1.1.0', { rolloutPercent });
      await refused(at.carryOut({ step: 'release', version: '1.1.0' }), 'wait', 'not approved');
      await at.act('approve');
      return at;
    };

    it.each(['drop-after', 'status-after'] as const)('requests it once, also after %s', async (kind) => {
      const { carryOut, observe, fault, state } = await approved();
      expect(await observe()).toMatchObject({ submission: known({ version: '1.1.0', state: 'approved' }) });
      await fault('release', { kind, ...(kind === 'status-after' && { status: 500 }) });
      await refused(carryOut({ step: 'release', version: '1.1.0' }), 'retry');
      expect(await carryOut({ step: 'release', version: '1.1.0' })).toMatchObject({ outcome: 'done' });
      expect((await state()).counters).toMatchObject({ releases: 1, refused: 0 });
      expect(await observe()).toMatchObject({ live: known('1.1.0'), submission: known(null), rolloutPercent: null });
    });

    it('leaves the phases to Apple, and can only complete them', async () => {
      const { carryOut, observe, state } = await approved(10);
      await carryOut({ step: 'release', version: '1.1.0' });
      expect(await observe()).toMatchObject({ live: known('1.1.0'), rolloutPercent: 1 });
      await refused(carryOut({ step: 'rollout', version: '1.1.0', percent: 50 }), 'wait', 'offered to 1 % of users');
      for (const _ of ['once', 'twice'])
        expect(await carryOut({ step: 'rollout', version: '1.1.0', percent: 100 })).toMatchObject({ outcome: 'done' });
      expect((await state()).versions[1]?.phased?.state).toBe('COMPLETE');
      expect(await observe()).toMatchObject({ rolloutPercent: null });
    });
  });

  describe('withdrawing', () => {
    it('withdraws once, and waits until it is complete', async () => {
      const { deliver, submit, carryOut, appId, state, observe } = await begin({ cancelSeconds: 3600 });
      await deliver('1.0.0');
      const { handles } = await submit('1.0.0');
      for (const _ of ['once', 'twice'])
        expect(await carryOut({ step: 'cancel', version: '1.0.0' }, handles)).toMatchObject({ outcome: 'pending' });
      await refused(submit('1.1.0'), 'wait');
      expect((await state()).counters).toMatchObject({ cancels: 1, refused: 0 });
      await control.patch(appId, { cancelSeconds: 0 });
      expect(await observe()).toMatchObject({ submission: known({ version: '1.0.0', state: 'in_review' }) });
    });

    it('withdraws only what Pierhead submitted', async () => {
      const { deliver, submit, carryOut, act, state } = await begin();
      await deliver('1.0.0');
      await submit('1.0.0');
      await refused(
        carryOut({ step: 'cancel', version: '1.0.0' }, { reviewSubmission: 'another' }),
        'config',
        'submitted again by someone else',
      );
      await act('approve');
      await refused(carryOut({ step: 'cancel', version: '1.0.0' }), 'config', 'approved');
      expect((await state()).counters.cancels).toBe(0);
    });
  });

  describe('observing', () => {
    it('reads a list to its last page', async () => {
      const old = ['0.7.0', '0.8.0', '0.9.0'].map((version) => ({ version, state: 'REPLACED_WITH_NEW_VERSION' }));
      const { observe, asked } = await begin({
        pageSize: 2,
        versions: [...old, LIVE, { version: '1.1.0', state: 'IN_REVIEW' }],
      });
      expect(await observe()).toMatchObject({
        live: known('1.0.0'),
        submission: known({ version: '1.1.0', state: 'in_review' }),
      });
      expect(await asked()).toEqual(['versions', 'versions', 'versions']);
    });

    it('finds an app by exactly its bundle id', async () => {
      const { store, credentials, item, bundleId } = await begin({ versions: [LIVE] });
      const seen = (storeItemId: string) => store.observe(credentials, { ...item, storeItemId });
      expect(await seen(bundleId)).toMatchObject({ live: known('1.0.0') });
      await refused(seen(`${bundleId}.more`), 'config', 'no app with the bundle id');
      for (const odd of ['', 'a/b', '\uD800']) await refused(seen(odd), 'config', 'neither');
    });
  });

  describe('a key', () => {
    it.each([120, -120])('works with a clock that is %i seconds wrong', async (skew) => {
      const { store, credentials } = await begin({}, 'macos', skew);
      expect(await store.verify(credentials)).toEqual({ identity: credentials.keyId });
    });

    it('of another app, without the role or without agreements fails in different ways', async () => {
      const { store, credentials, item, teamId, deliver, submit } = await begin({ versions: [LIVE] });
      const stranger = await control.key();
      const foreign = { keyId: stranger.keyId, issuerId: stranger.teamId, privateKey: stranger.privateKey };
      await refused(store.observe(foreign, item), 'config', 'storeItemId');
      await refused(store.verify({ ...credentials, privateKey: stranger.privateKey }), 'credential', 'revoked');
      await refused(store.verify({ ...credentials, privateKey: 'none' }), 'credential', 'cannot be read');
      await deliver('1.1.0');
      await control.changeKey(teamId, { role: 'DEVELOPER' });
      await refused(submit('1.1.0'), 'credential', 'App Manager');
      await control.changeKey(teamId, { role: 'APP_MANAGER', agreementsMissing: true });
      await refused(submit('1.1.0'), 'config', 'agreement');
    });

    it('is not used for a while when its hourly limit is used up', async () => {
      const { store, credentials, teamId } = await begin();
      await control.changeKey(teamId, { hourlyLimit: 1 });
      await store.verify(credentials);
      const before = Date.now();
      const error = await store.verify(credentials).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ kind: 'retry', details: { status: 429 } });
      expect((error as StoreFailure).details.retryAt?.getTime()).toBeGreaterThan(before + 60_000);
    });

    it('that is refused once is retried with a new token', async () => {
      const { observe, fault } = await begin();
      await fault('versions', { kind: 'status', status: 401 });
      expect(await observe()).toMatchObject({ live: known(null) });
    });
  });

  it('cannot bring an older version back', async () => {
    const { carryOut } = await begin();
    await refused(carryOut({ step: 'rollback', version: '1', to: '0', reason: '' }), 'config');
  });
});
