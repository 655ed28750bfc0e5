import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FirefoxAddonOptions } from '../../sandbox/firefox/firefox-control.js';
import type {
  Observed,
  StepOutcome,
  StoreItem,
  StorePackage,
  StoreStep,
  SubmitOptions,
} from '../../src/stores/index.js';
import { packageOf, zipOf } from '../support/packages.js';
import { firefoxBench, issuerOf, type FirefoxBench } from './firefox-bench.js';
import type { Owner } from './store-bench.js';
import { known, DEFAULT_SUBMIT_OPTIONS, StoreFailure } from '../support/app.js';

const MINUTE_MS = 60_000;

const parcelOf = (version: string, bytes: Buffer): StorePackage => ({
  version,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.length,
  open: () => Promise.resolve(Readable.from([bytes.subarray(0, 7), bytes.subarray(7)])),
});

describe('Firefox Add-ons', () => {
  let bench: FirefoxBench;
  let owner: Owner;
  beforeAll(async () => {
    bench = await firefoxBench();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    bench.clock.aheadMs = 0;
    owner = await bench.owner();
  });

  /** An add-on, and a target for it that keeps its handles. */
  const targetOf = async (options: Omit<FirefoxAddonOptions, 'issuer'> = {}, changes: Partial<StoreItem> = {}) => {
    const { guid } = await bench.control.addon({ issuer: issuerOf(owner), ...options });
    let item: StoreItem = {
      storeItemId: guid,
      crxId: null,
      platforms: ['desktop'],
      channel: options.channel ?? null,
      handles: {},
      ...changes,
    };
    const carryOut = async (step: StoreStep): Promise<StepOutcome> => {
      const answer = await bench.store.carryOut(owner.credentials as never, item, step);
      item = { ...item, handles: { ...item.handles, ...answer.handles } };
      return answer;
    };
    const upload = async (version: string): Promise<StepOutcome> => {
      const bytes = await packageOf(version, { browser_specific_settings: { gecko: { id: guid } } });
      await carryOut({ step: 'upload', version, package: parcelOf(version, bytes) });
      return carryOut({ step: 'poll', version });
    };
    const submit = (version: string, more: Partial<SubmitOptions> = {}) =>
      carryOut({ step: 'submit', version, ...DEFAULT_SUBMIT_OPTIONS, ...more });
    const observe = (): Promise<Observed> => bench.store.observe(owner.credentials as never, item);
    const state = () => bench.control.addonState(guid);
    const newest = async () => (await state()).versions.at(-1);
    return { guid, carryOut, upload, submit, observe, state, newest };
  };

  const failure = async (asked: Promise<unknown>): Promise<StoreFailure> => {
    const error = await asked.then(
      (answer) => new Error(`It answered ${JSON.stringify(answer)}`),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(StoreFailure);
    return error as StoreFailure;
  };

  const fault = (operation: string, options: object): Promise<unknown> =>
    bench.control.fault({
      publisherId: issuerOf(owner),
      match: { operation },
      kind: 'drop-after',
      ...options,
    });

  describe('addresses an add-on', () => {
    it.each(['{8f5e2d6a-1111-4222-8333-abcdefabcdef}', 'night-owl@example.com'])(
      'by its GUID, unchanged: %s',
      async (guid) => {
        const { observe, upload } = await targetOf({ guid, live: '1.0.0' });
        expect(await observe()).toMatchObject({ live: known('1.0.0') });
        expect((await upload('1.1.0')).outcome).toBe('done');
        const asked = await bench.control.requests({ publisherId: issuerOf(owner), itemId: guid });
        expect(asked[0]?.path).toBe(`/api/v5/addons/addon/${encodeURIComponent(guid)}/`);
        await failure(bench.store.observe(owner.credentials as never, itemOf(guid.replaceAll(/[{}]|@.*/g, ''))));
      },
    );

    it('by its slug or its number', async () => {
      const { id, slug } = await bench.control.addon({ issuer: issuerOf(owner), live: '1.0.0' });
      for (const one of [slug, String(id)])
        expect(await bench.store.observe(owner.credentials as never, itemOf(one))).toMatchObject({
          live: known('1.0.0'),
        });
    });

    const itemOf = (storeItemId: string): StoreItem => ({
      storeItemId,
      crxId: null,
      platforms: ['desktop'],
      channel: null,
      handles: {},
    });

    it('but not one of somebody else', async () => {
      const { guid } = await targetOf({ live: '1.0.0' });
      owner = await bench.owner();
      expect(await failure(bench.store.observe(owner.credentials as never, itemOf(guid)))).toMatchObject({
        kind: 'credential',
        message: expect.stringContaining('author'),
      });
    });
  });

  describe('signs its requests', () => {
    it.each([-120, -119, 0, 119, 120])('so that a clock may be wrong by %i s', async (seconds) => {
      bench.clock.aheadMs = seconds * 1000;
      const { upload, submit, newest } = await targetOf({ live: '1.0.0' });
      await upload('1.1.0');
      await submit('1.1.0');
      expect(await newest()).toMatchObject({ version: '1.1.0', status: 'unreviewed' });
    });

    it("with the store's time when its own clock is wrong by more", async () => {
      bench.clock.aheadMs = 60 * MINUTE_MS;
      expect((await bench.store.verify(owner.credentials as never)).identity).toContain(issuerOf(owner));
      bench.clock.aheadMs = -60 * MINUTE_MS;
      const { upload, state } = await targetOf();
      expect((await upload('1.0.0')).outcome).toBe('done');
      expect((await state()).counters).toMatchObject({ uploads: 1 });
    });

    it.each([
      [{ hasReadAgreement: false }, 'config', /developer agreement/],
      [{ isDisabled: true }, 'credential', /User account is disabled/],
    ] as const)('and explains problems of the account: %o', async (change, kind, message) => {
      await bench.control.firefoxUser(issuerOf(owner), change);
      const refused = await failure(bench.store.verify(owner.credentials as never));
      expect(refused).toMatchObject({ kind, message: expect.stringMatching(message) });
    });

    it('in vain with a secret that was replaced', async () => {
      await bench.control.rotateKey(issuerOf(owner));
      const refused = await failure(bench.store.verify(owner.credentials as never));
      expect(refused).toMatchObject({
        kind: 'credential',
        message: expect.stringMatching(/^Error decoding signature\./),
      });
    });
  });

  describe('uploads', () => {
    it('and polls until the validation has ended', async () => {
      await bench.control.firefoxUser(issuerOf(owner), { validationPolls: 2 });
      const { upload, carryOut, observe } = await targetOf();
      const poll = () => carryOut({ step: 'poll', version: '1.0.0' });
      expect(await upload('1.0.0')).toMatchObject({ outcome: 'pending', handles: { upload: expect.any(String) } });
      expect(await observe()).toMatchObject({ upload: known('processing') });
      expect(await poll()).toMatchObject({ outcome: 'done', note: expect.stringContaining('validated') });
      expect(await observe()).toMatchObject({ upload: known('ready') });
    });

    it('and quotes the errors of the validation', async () => {
      const { carryOut, observe } = await targetOf();
      const bytes = await zipOf({ 'manifest.json': '{"manifest_version":3,"version":"1.0.0"}' });
      await carryOut({ step: 'upload', version: '1.0.0', package: parcelOf('1.0.0', bytes) });
      const { kind, message } = await failure(carryOut({ step: 'poll', version: '1.0.0' }));
      expect(kind).toBe('artifact');
      expect(message).toMatch(/found .* invalid\. "\/name" is a required property\..*extension ID is required/);
      expect(await observe()).toMatchObject({ upload: known('failed') });
    });

    it('nothing that AMO already has', async () => {
      const { upload, submit, state } = await targetOf({ live: '1.0.0' });
      await upload('1.1.0');
      await submit('1.1.0');
      expect(await failure(upload('1.1.0'))).toMatchObject({ kind: 'done' });
      expect((await state()).counters).toMatchObject({ uploads: 1, versions: 1 });
    });

    it('nothing under a number of the other channel', async () => {
      const { upload, state } = await targetOf({ channel: 'unlisted', live: '1.0.0' }, { channel: 'listed' });
      const { kind, message } = await failure(upload('1.0.0'));
      expect({ kind, message }).toEqual({ kind: 'artifact', message: expect.stringMatching(/is unlisted .* both/) });
      expect((await state()).counters).toMatchObject({ uploads: 0 });
    });

    it('again once an upload has expired', async () => {
      const { upload, submit, carryOut, observe } = await targetOf();
      await upload('1.0.0');
      await bench.control.advance(16 * 24 * 3600);
      bench.clock.aheadMs = 16 * 24 * 3600 * 1000;
      expect(await observe()).toMatchObject({ upload: known('none') });
      expect((await failure(carryOut({ step: 'poll', version: '1.0.0' }))).kind).toBe('retry');
      expect(await failure(submit('1.0.0'))).toMatchObject({
        kind: 'retry',
        message: expect.stringContaining('uploaded again'),
      });
      await upload('1.0.0');
      expect((await submit('1.0.0')).outcome).toBe('done');
      await bench.control.reset();
    });
  });

  describe('submits', () => {
    it('a version once, even when the answer was lost', async () => {
      const { upload, submit, observe, state } = await targetOf({ live: '1.0.0' });
      await upload('1.1.0');
      await fault('createVersion', {});
      expect((await failure(submit('1.1.0'))).kind).toBe('retry');
      expect(await submit('1.1.0')).toMatchObject({ outcome: 'done', handles: { version: expect.any(String) } });
      expect((await state()).counters).toMatchObject({ versions: 1 });
      expect(await observe()).toMatchObject({ submission: known({ version: '1.1.0', state: 'in_review' }) });
    });

    it('no number that was used and deleted', async () => {
      const { guid, upload, submit } = await targetOf({ inReview: '1.0.0' });
      await bench.control.addonAct(guid, 'delete');
      await upload('1.0.0');
      expect(await failure(submit('1.0.0'))).toMatchObject({
        kind: 'artifact',
        message: expect.stringContaining('already used at addons.mozilla.org'),
      });
    });

    it('nothing under the number of a rejected version', async () => {
      const { guid, upload } = await targetOf({ inReview: '1.0.0' });
      await bench.control.addonAct(guid, 'reject');
      expect(await failure(upload('1.0.0'))).toMatchObject({
        kind: 'artifact',
        message: expect.stringMatching(/rejected/),
      });
    });

    it('a newer version during a review, which AMO then ends', async () => {
      const { upload, submit, observe, state } = await targetOf({ live: '1.0.0', inReview: '1.1.0' });
      await upload('1.2.0');
      await submit('1.2.0');
      expect(await observe()).toMatchObject({
        live: known('1.0.0'),
        submission: known({ version: '1.2.0', state: 'in_review' }),
      });
      expect((await state()).versions.map(({ status }) => status)).toEqual(['public', 'disabled', 'unreviewed']);
    });

    it('with release notes in the language of the listing', async () => {
      const { upload, submit, newest } = await targetOf();
      await upload('1.0.0');
      await submit('1.0.0', { notes: 'Sleeps by day.' });
      expect(await newest()).toMatchObject({ releaseNotes: { 'en-US': 'Sleeps by day.' }, source: null });
    });

    it.each([
      ['a zip', 'source.zip', () => zipOf({ 'index.ts': 'export {};' })],
      ['a gzipped tar', 'source.tar.gz', () => Promise.resolve(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0]))],
      ['a bzipped tar', 'source.tar.bz2', () => Promise.resolve(Buffer.from('BZh91AY&SY'))],
    ])('with its sources as %s and all metadata', async (_, name, made) => {
      const { upload, submit, newest, state } = await targetOf({}, { platforms: ['desktop', 'android'] });
      await upload('1.0.0');
      const bytes = await made();
      const source = parcelOf('1.0.0', bytes);
      expect((await submit('1.0.0', { source, notes: 'New.' })).note).toBe('Version 1.0.0 was sent for review.');
      expect(await newest()).toMatchObject({
        source: { name, size: bytes.length, sha256: source.sha256 },
        releaseNotes: { 'en-US': 'New.' },
        compatibility: ['firefox', 'android'],
      });
      expect((await state()).counters).toMatchObject({ versions: 1, edits: 2 });
    });

    it('with its notes where the manifest itself names Firefox for Android', async () => {
      const { carryOut, submit, newest, state, guid } = await targetOf({}, { platforms: ['desktop', 'android'] });
      const settings = { gecko: { id: guid }, gecko_android: { strict_min_version: '121.0' } };
      const bytes = await packageOf('1.0.0', { browser_specific_settings: settings });
      await carryOut({ step: 'upload', version: '1.0.0', package: parcelOf('1.0.0', bytes) });
      await carryOut({ step: 'poll', version: '1.0.0' });
      const source = parcelOf('1.0.0', await zipOf({ 'index.ts': '' }));
      expect((await submit('1.0.0', { source, notes: 'New.' })).note).toBe('Version 1.0.0 was sent for review.');
      expect(await newest()).toMatchObject({
        releaseNotes: { 'en-US': 'New.' },
        compatibility: ['firefox', 'android'],
      });
      expect((await state()).counters).toMatchObject({ versions: 1, edits: 1, refused: 0 });
    });

    it('and needs a person when the source archive is broken, without using the number', async () => {
      const { upload, submit, state } = await targetOf();
      await upload('1.0.0');
      const broken = parcelOf('1.0.0', Buffer.from('no archive'));
      expect(await failure(submit('1.0.0', { source: broken }))).toMatchObject({
        kind: 'config',
        message: expect.stringMatching(/Invalid or broken archive\. Upload another source archive/),
      });
      expect((await submit('1.0.0')).outcome).toBe('done');
      expect((await state()).counters).toMatchObject({ versions: 1 });
    });

    it('and says so when the release notes could not be set', async () => {
      const { upload, submit, newest } = await targetOf();
      await upload('1.0.0');
      await fault('editVersion', { kind: 'status', status: 500 });
      const { outcome, note } = await submit('1.0.0', {
        source: parcelOf('1.0.0', await zipOf({ 'index.ts': '' })),
        notes: 'New.',
      });
      expect({ outcome, note }).toEqual({
        outcome: 'done',
        note: expect.stringMatching(/release notes could not be set/),
      });
      expect(await newest()).toMatchObject({ source: { name: 'source.zip' }, releaseNotes: null });
    });

    it.each([
      [{ missingMetadata: ['categories', 'summary'] }, /metadata is required.*'categories', 'summary'.*listing/],
      [{ missingMetadata: ['license'] }, /license: This field is required/],
      [{ isDisabled: true }, /while add-on is disabled.*Enable the add-on/],
    ])('nothing while %o needs a person', async (change, message) => {
      const { upload, submit } = await targetOf(change);
      await upload('1.0.0');
      expect(await failure(submit('1.0.0'))).toMatchObject({ kind: 'config', message: expect.stringMatching(message) });
    });

    it('no package of another add-on', async () => {
      const { carryOut, submit } = await targetOf();
      const bytes = await packageOf('1.0.0', { browser_specific_settings: { gecko: { id: 'other@example.com' } } });
      await carryOut({ step: 'upload', version: '1.0.0', package: parcelOf('1.0.0', bytes) });
      await carryOut({ step: 'poll', version: '1.0.0' });
      expect(await failure(submit('1.0.0'))).toMatchObject({
        kind: 'artifact',
        message: expect.stringMatching(/does not match/),
      });
    });
  });

  describe('in the unlisted channel', () => {
    it('a version is signed, and the listing stays as it is', async () => {
      const { guid, upload, submit, observe } = await targetOf(
        { channel: 'unlisted', signAfterSeconds: null },
        { channel: 'unlisted' },
      );
      await upload('1.0.0');
      expect((await submit('1.0.0')).note).toBe('Version 1.0.0 was submitted to be signed.');
      const inReview = known({ version: '1.0.0', state: 'in_review' });
      expect(await observe()).toMatchObject({ live: known(null), submission: inReview, takenDown: false });
      await bench.control.addonAct(guid, 'approve', 'unlisted');
      expect(await observe()).toMatchObject({ live: known('1.0.0'), submission: known(null) });
      expect(JSON.stringify((await observe()).raw)).toContain('/firefox/downloads/file/');
      expect(await bench.control.addonState(guid)).toMatchObject({ live: null, status: 'incomplete' });
    });

    it('only the versions of that channel count', async () => {
      const listed = await targetOf({ live: '2.0.0', inReview: '2.1.0' }, { channel: 'unlisted' });
      expect(await listed.observe()).toMatchObject({ live: known(null), submission: known(null) });
      const unlisted = await targetOf({ channel: 'unlisted', live: '1.0.0' }, { channel: 'listed' });
      expect(await unlisted.observe()).toMatchObject({ live: known(null), submission: known(null) });
    });

    it('any approved version is rolled back to', async () => {
      const { upload, submit, carryOut, observe } = await targetOf({ channel: 'unlisted', live: '1.0.0' });
      for (const version of ['1.1.0', '1.2.0']) {
        await upload(version);
        await submit(version);
      }
      const step = { step: 'rollback', version: '1.2.1', to: '1.0.0', reason: 'Crashes.' } as const;
      expect((await carryOut(step)).outcome).toBe('pending');
      expect(await observe()).toMatchObject({ live: known('1.2.1') });
    });
  });

  describe('rolls back', () => {
    it('to an older version under a new number, once', async () => {
      await bench.control.firefoxUser(issuerOf(owner), { isThrottled: false });
      const { guid, upload, submit, carryOut, observe, state } = await targetOf({ live: '1.0.0' });
      await upload('1.1.0');
      await submit('1.1.0');
      await bench.control.addonAct(guid, 'approve');
      const step = { step: 'rollback', version: '1.2.0', to: '1.0.0', reason: 'Crashes.' } as const;
      await fault('rollback', {});
      expect((await failure(carryOut(step))).kind).toBe('retry');
      expect(await carryOut(step)).toMatchObject({ outcome: 'done' });
      expect(await observe()).toMatchObject({ live: known('1.2.0'), submission: known(null) });
      expect((await state()).counters).toMatchObject({ rollbacks: 1 });
      expect((await state()).versions.at(-1)).toMatchObject({ rolledBackTo: '1.0.0' });
      const low = { step: 'rollback', version: '1.1.5', to: '1.0.0', reason: 'Crashes.' } as const;
      expect((await failure(carryOut(low))).kind).toBe('artifact');
    });

    it('by one version alone, which it says before the store is asked', async () => {
      const { guid, upload, submit, carryOut, state } = await targetOf({ live: '1.0.0' });
      for (const version of ['1.1.0', '1.2.0']) {
        await upload(version);
        await submit(version);
        await bench.control.addonAct(guid, 'approve');
      }
      const step = { step: 'rollback', version: '1.2.1', to: '1.0.0', reason: 'Crashes.' } as const;
      expect(await failure(carryOut(step))).toMatchObject({
        kind: 'artifact',
        message: expect.stringContaining('only to the version before the current one, 1.1.0, and not to 1.0.0'),
      });
      expect((await state()).counters).toMatchObject({ rollbacks: 0, refused: 0 });
      await carryOut({ ...step, to: '1.1.0' });
      expect((await state()).counters).toMatchObject({ rollbacks: 1 });
    });

    it('asynchronously', async () => {
      const { guid, upload, submit, carryOut } = await targetOf({ live: '1.0.0' });
      await upload('1.1.0');
      await submit('1.1.0');
      await bench.control.addonAct(guid, 'approve');
      const step = { step: 'rollback', version: '1.2.0', to: '1.0.0', reason: 'Crashes.' } as const;
      expect(await carryOut(step)).toMatchObject({ outcome: 'pending', note: expect.stringContaining('1.2.0') });
    });
  });

  describe('waits', () => {
    it('while the site is read-only, and quotes its notice', async () => {
      const { upload, observe, state } = await targetOf({ live: '1.0.0' });
      await bench.control.site({ readOnly: true, notice: 'Back at noon' });
      try {
        expect(await failure(upload('1.1.0'))).toMatchObject({
          kind: 'wait',
          message: 'addons.mozilla.org is in maintenance and accepts no changes. Its notice: Back at noon.',
        });
        expect(await observe()).toMatchObject({ live: known('1.0.0') });
        expect((await state()).counters).toMatchObject({ uploads: 0, refused: 0 });
      } finally {
        await bench.control.site({ readOnly: false, notice: null });
      }
    });

    it('when the site becomes read-only between two calls', async () => {
      const { upload } = await targetOf();
      await fault('upload', { kind: 'status', status: 503, body: { error: 'Disabled while we perform maintenance.' } });
      expect((await failure(upload('1.0.0'))).kind).toBe('wait');
    });

    it("for as long as AMO's throttle requires", async () => {
      const { upload, submit } = await targetOf();
      const versions = ['1.0.0', '1.1.0', '1.2.0', '1.3.0'];
      const [last] = versions.slice(-1);
      for (const version of versions) {
        await upload(version);
        if (version !== last) await submit(version);
      }
      const asked = Date.now();
      const { kind, message, details } = await failure(submit('1.3.0'));
      expect({ kind, message }).toEqual({ kind: 'retry', message: expect.stringMatching(/throttled.*in \d+ seconds/) });
      const seconds = ((details.retryAt?.getTime() ?? 0) - asked) / 1000;
      expect(seconds).toBeGreaterThan(50);
      expect(seconds).toBeLessThanOrEqual(61);
    });
  });

  it('refuses the steps that the store does not support', async () => {
    const { carryOut, state } = await targetOf({ live: '1.0.0', inReview: '1.1.0' });
    for (const step of [
      { step: 'release', version: '1.1.0' },
      { step: 'rollout', version: '1.0.0', percent: 10 },
      { step: 'cancel', version: '1.1.0' },
    ] as const)
      expect((await failure(carryOut(step))).kind).toBe('config');
    expect((await state()).counters).toMatchObject({ edits: 0, refused: 0 });
  });

  it('reports that Mozilla disabled an add-on, even when it is hidden from its author', async () => {
    const { observe } = await targetOf({ live: '1.0.0' });
    const body = { detail: 'Not found.', is_disabled_by_developer: false, is_disabled_by_mozilla: true };
    await fault('addon', { kind: 'status', status: 404, body });
    expect(await observe()).toMatchObject({ takenDown: true });
  });
});
