import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SafariControl, type PlatformName } from '../../sandbox/safari/safari-control.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { SandboxControl, type FaultOptions } from '../../sandbox/sandbox-control.js';
import type { FailureKind, Observed, StepOutcome, StorePackage, StoreStep } from '../../src/stores/index.js';
import { createSandbox, DEFAULT_SUBMIT_OPTIONS, HttpClient, known, SafariStore, StoreFailure } from '../support/app.js';
import { ipaOf, pkgOf } from '../support/apple-packages.js';

/** The calls of an upload, in their order. */
const CALLS = [
  'versions',
  'buildUploads',
  'builds',
  'createUpload',
  'createFile',
  'uploadPart',
  'finishFile',
  'buildUpload',
] as const;

describe('uploading a signed package to the App Store', () => {
  let sandbox: Sandbox;
  let control: SafariControl;
  let faults: SandboxControl;
  /** How far the clock of the store is ahead, and the adapter's with it. */
  let skewSeconds = 0;
  beforeAll(async () => {
    sandbox = await createSandbox();
    control = new SafariControl(sandbox.url);
    faults = new SandboxControl(sandbox.url);
  });
  afterAll(() => sandbox.close());

  /** An app, and the adapter with the handles that the engine would have kept. */
  const begin = async (options: object = {}, platform: PlatformName = 'macos') => {
    const { teamId, ...credentials } = await control.key();
    const { appId } = await control.app({ issuerId: teamId, partBytes: 400, ...options });
    const http = new HttpClient({ allowedHosts: [sandbox.url] });
    const clock = { now: () => new Date(Date.now() + skewSeconds * 1000) };
    const store = new SafariStore({ apiUrl: sandbox.url, lookupUrl: `${sandbox.url}/lookup` }, http, clock);
    const item = { storeItemId: appId, crxId: null, platforms: [platform], channel: null };
    let handles: Readonly<Record<string, string>> = {};
    const carryOut = async (step: StoreStep): Promise<StepOutcome> => {
      try {
        const outcome = await store.carryOut(credentials, { ...item, handles }, step);
        handles = { ...handles, ...outcome.handles };
        return outcome;
      } catch (error) {
        if (error instanceof StoreFailure) handles = { ...handles, ...error.details.handles };
        throw error;
      }
    };
    return {
      appId,
      /** Forgets everything, as a crash in the middle of a step does. */
      crash: () => {
        handles = {};
      },
      upload: (pkg: StorePackage) => carryOut({ step: 'upload', version: pkg.version, package: pkg }),
      poll: (version: string) => carryOut({ step: 'poll', version }),
      submit: (version: string) => carryOut({ step: 'submit', version, ...DEFAULT_SUBMIT_OPTIONS, notes: 'Owls.' }),
      observe: (): Promise<Observed> => store.observe(credentials, { ...item, handles }),
      counters: async () => (await control.state(appId)).counters,
      patch: (change: object) => control.patch(appId, change),
      fault: (operation: string, fault: Omit<FaultOptions, 'match' | 'itemId'>) =>
        faults.fault({ itemId: appId, match: { operation }, ...fault }),
      requests: () => faults.requests({ itemId: appId }),
    };
  };

  const later = async (seconds: number): Promise<void> => {
    skewSeconds += seconds;
    await faults.advance(seconds);
  };

  const parcel = (bytes: Buffer, version: string, buildNumber: string): StorePackage => ({
    version,
    buildNumber,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    open: ({ offset, length } = { offset: 0, length: bytes.length }) =>
      Promise.resolve(Readable.from([bytes.subarray(offset, offset + length)])),
  });
  const pkg = (version: string, build: string, salt = ''): StorePackage =>
    parcel(pkgOf({ version, build, salt }), version, build);

  const refused = async (work: Promise<unknown>, kind: FailureKind, words: RegExp | string = ''): Promise<void> => {
    const error = await work.then(
      (answer) => new Error(`It answered ${JSON.stringify(answer)}`),
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ kind });
    expect((error as Error).message).toMatch(words);
  };

  it('sends it in parts, without the token, and follows it until it can be submitted', async () => {
    const { upload, counters, observe, submit, requests } = await begin();
    const { outcome, note } = await upload(pkg('1.4.0', '27'));
    expect({ outcome, note }).toEqual({
      outcome: 'done',
      note: 'Build 27 of version 1.4.0 was uploaded, and Apple has processed it.',
    });
    expect(await observe()).toMatchObject({ upload: known('ready') });
    expect(await counters()).toMatchObject({ uploadsCreated: 1, filesCreated: 1, partsReceived: 5, buildsUploaded: 1 });
    expect(await submit('1.4.0')).toMatchObject({ outcome: 'done' });
    expect(await observe()).toMatchObject({ submission: known({ version: '1.4.0', state: 'in_review' }) });
    const parts = (await requests()).filter(({ operation }) => operation === 'uploadPart');
    expect(parts.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it('sends an .ipa for iOS', async () => {
    const { upload, counters } = await begin({}, 'ios');
    const sent = parcel(await ipaOf({ version: '1.4.0', build: '27' }), '1.4.0', '27');
    expect(await upload(sent)).toMatchObject({ outcome: 'done' });
    expect(await counters()).toMatchObject({ buildsUploaded: 1 });
  });

  describe.each(['with what it kept', 'after a crash'])('is begun anew %s', (memory) => {
    it.each(
      CALLS.flatMap((operation) =>
        (['drop-before', 'drop-after', 'status-after'] as const).map((kind) => [operation, kind] as const),
      ),
    )('when %s met %s, and uploads it once', async (operation, kind) => {
      const { upload, fault, counters, crash } = await begin();
      await fault(operation, { kind, ...(kind === 'status-after' && { status: 500 }) });
      await refused(upload(pkg('1.4.0', '27')), 'retry');
      if (memory === 'after a crash') crash();
      expect(await upload(pkg('1.4.0', '27'))).toMatchObject({ outcome: 'done' });
      expect(await counters()).toMatchObject({ uploadsCreated: 1, buildsUploaded: 1 });
    });
  });

  it('does not send parts again that it knows to be sent', async () => {
    const { upload, fault, counters } = await begin();
    await fault('uploadPart', { kind: 'status', status: 503, skip: 3 });
    await refused(upload(pkg('1.4.0', '27')), 'retry', 'Apple answered 503 to a part of the package.');
    await upload(pkg('1.4.0', '27'));
    expect(await counters()).toMatchObject({ filesCreated: 1, partsReceived: 5 });
  });

  it('asks for a new file once the addresses of the parts have expired', async () => {
    const { upload, counters, patch } = await begin({ partSeconds: 30 });
    await refused(upload(pkg('1.4.0', '27')), 'retry', 'Apple did not take a part');
    await patch({ partSeconds: 3600 });
    await upload(pkg('1.4.0', '27'));
    expect(await counters()).toMatchObject({ uploadsCreated: 1, filesCreated: 2, buildsUploaded: 1 });
  });

  it('follows what Apple is still processing, without sending it again', async () => {
    const { upload, poll, observe, counters, patch } = await begin({ uploadSeconds: 3600 });
    const waiting = { outcome: 'pending', note: 'Build 27 of version 1.4.0 was uploaded; Apple is processing it.' };
    expect(await upload(pkg('1.4.0', '27'))).toMatchObject(waiting);
    expect(await observe()).toMatchObject({ upload: known('processing') });
    expect(await poll('1.4.0')).toMatchObject(waiting);
    expect(await upload(pkg('1.4.0', '27'))).toMatchObject(waiting);
    expect(await counters()).toMatchObject({ uploadsCreated: 1, buildsUploaded: 0 });
    await patch({ buildSeconds: 3600 });
    await later(3601);
    expect(await poll('1.4.0')).toMatchObject(waiting);
    await later(3601);
    expect(await poll('1.4.0')).toMatchObject({ outcome: 'done' });
  });

  it('tells in the words of Apple why a build was refused', async () => {
    const { upload, observe } = await begin({ uploadRefusal: 'Missing Info.plist value' });
    await refused(
      upload(pkg('1.4.0', '27')),
      'artifact',
      'Missing Info.plist value (90000). Build the app again with a higher build number, and push it.',
    );
    expect(await observe()).toMatchObject({ upload: known('none') });
  });

  it('tells that a build was found invalid', async () => {
    const { upload } = await begin({ buildOutcome: 'INVALID' });
    await refused(upload(pkg('1.4.0', '27')), 'artifact', 'Apple found build 27 of version 1.4.0 invalid');
  });

  it('does not take the build of somebody else for its own', async () => {
    const { upload, appId, counters } = await begin();
    await control.deliver(appId, { version: '1.4.0', build: '27', platform: 'macos' });
    await refused(upload(pkg('1.4.0', '27')), 'artifact', 'already has a build 27 of version 1.4.0 with other content');
    await upload(pkg('1.4.0', '28'));
    expect(await counters()).toMatchObject({ uploadsCreated: 1, buildsUploaded: 1 });
  });

  it('submits the build that it uploaded, also where a later one was delivered', async () => {
    const { upload, submit, appId } = await begin();
    await upload(pkg('1.4.0', '27'));
    await control.deliver(appId, { version: '1.4.0', build: '99', platform: 'macos', usesNonExemptEncryption: false });
    expect((await submit('1.4.0')).note).toBe('Version 1.4.0 was sent for review with build 27.');
  });

  it('uploads other content with a higher number after the first', async () => {
    const { upload, counters, submit } = await begin();
    await upload(pkg('1.4.0', '27'));
    await upload(pkg('1.4.0', '28', 'mended'));
    expect(await counters()).toMatchObject({ uploadsCreated: 2, buildsUploaded: 2 });
    expect((await submit('1.4.0')).note).toContain('with build 28');
  });

  it('sends nothing to an address that the operator does not allow', async () => {
    const { upload, fault, appId } = await begin();
    const operation = { method: 'PUT', url: 'https://10.0.0.1/part', offset: 0, length: pkg('1.4.0', '27').size };
    const data = { type: 'buildUploadFiles', id: '1', attributes: { uploadOperations: [operation] } };
    await fault('createFile', { kind: 'body', body: { data } });
    await refused(upload(pkg('1.4.0', '27')), 'config', 'ASC_UPLOAD_DOMAINS');
    expect((await control.state(appId)).counters.partsReceived).toBe(0);
  });

  it.each([
    ['too short', [{ offset: 0, length: 10 }]],
    ['beyond its end', [{ offset: 0, length: 1e9 }]],
    [
      'with a gap',
      [
        { offset: 0, length: 10 },
        { offset: 20, length: 10 },
      ],
    ],
  ])('does not send parts that are not the package: %s', async (_, operations) => {
    const { upload, fault } = await begin();
    const attributes = { uploadOperations: operations.map((one) => ({ ...one, url: sandbox.url })) };
    await fault('createFile', { kind: 'body', body: { data: { type: 'buildUploadFiles', id: '1', attributes } } });
    await refused(upload(pkg('1.4.0', '27')), 'retry', 'parts that are not the package');
  });
});
