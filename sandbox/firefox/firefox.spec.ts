import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JWTPayload, SignJWT } from 'jose';
import { ZipFile } from 'yazl';
import { createSandbox, type Sandbox } from '../sandbox.js';
import type { AccountCredentials } from './accounts.js';
import { FirefoxControl, type FirefoxAddonOptions } from './firefox-control.js';

const DAY_SECONDS = 24 * 60 * 60;

let sandbox: Sandbox;
let sim: FirefoxControl;
let tempDir: string;
beforeAll(async () => {
  tempDir = await mkdtemp(join(tmpdir(), 'firefox-spec-'));
  sandbox = await createSandbox({ tempDir });
  sim = new FirefoxControl(sandbox.url);
});
afterAll(async () => {
  await sandbox.close();
  expect(await readdir(tempDir)).toEqual([]);
  await rm(tempDir, { recursive: true });
});

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // The store's JSON, as loosely as a test looks at it.
  readonly body: Record<string, unknown> & { results?: { version: string; file: { status: string } }[]; uuid?: string };
}

const now = async (): Promise<number> => {
  const { aheadSeconds } = (await (await fetch(`${sandbox.url}/__sim/clock`)).json()) as { aheadSeconds: number };
  return Math.floor(Date.now() / 1000) + aheadSeconds;
};

async function token({ issuer, secret }: AccountCredentials, change: JWTPayload = {}, alg = 'HS256'): Promise<string> {
  const iat = await now();
  const claims = Object.fromEntries(
    Object.entries({ iss: issuer, iat, exp: iat + 60, ...change }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret.padEnd(64, '0')));
}

async function ask(path: string, authorization?: string, init: RequestInit = {}): Promise<Reply> {
  const headers = { ...(authorization !== undefined && { authorization }), ...(init.headers as object) };
  const response = await fetch(`${sandbox.url}/api/v5${path}`, { ...init, headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? {} : JSON.parse(text)) as Reply['body'],
  };
}

async function zip(manifest: object | string, name = 'manifest.json'): Promise<Blob> {
  const file = new ZipFile();
  file.addBuffer(Buffer.from(typeof manifest === 'string' ? manifest : JSON.stringify(manifest)), name);
  file.end();
  return new Blob([new Uint8Array(await buffer(file.outputStream))]);
}

const manifest = (version: unknown, guid?: string): object => ({
  manifest_version: 2,
  name: 'x',
  version,
  ...(guid !== undefined && { browser_specific_settings: { gecko: { id: guid } } }),
});

/** An author with an add-on, and his calls. */
async function author(options: Omit<FirefoxAddonOptions, 'issuer'> = {}) {
  const key = await sim.firefoxAccount({ isThrottled: false });
  const { guid } = await sim.addon({ issuer: key.issuer, ...options });
  const at = `/addons/addon/${encodeURIComponent(guid)}`;
  const call = async (method: string, path: string, body?: object | FormData): Promise<Reply> => {
    const isForm = body instanceof FormData;
    return ask(path, `JWT ${await token(key)}`, {
      method,
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      headers: body && !isForm ? { 'content-type': 'application/json' } : {},
    });
  };
  const upload = async (file: Blob, channel = 'listed', name = 'a.xpi'): Promise<Reply> => {
    const form = new FormData();
    form.set('channel', channel);
    form.set('upload', file, name);
    return call('POST', '/addons/upload/', form);
  };
  const processed = async (file: Blob, channel?: string): Promise<string> => {
    const uuid = String((await upload(file, channel)).body.uuid);
    await call('GET', `/addons/upload/${uuid}/`);
    return uuid;
  };
  const make = async (version: string, channel = 'listed'): Promise<Reply> =>
    call('POST', `${at}/versions/`, { upload: await processed(await zip(manifest(version)), channel) });
  const list = async (filter = 'all_with_unlisted'): Promise<string[]> =>
    ((await call('GET', `${at}/versions/?filter=${filter}`)).body.results ?? []).map(
      ({ version, file }) => `${version} ${file.status}`,
    );
  return { key, guid, at, call, upload, processed, make, list };
}

describe('a key', () => {
  const profile = '/accounts/profile/';

  it('identifies its owner, and answers contain the time', async () => {
    const key = await sim.firefoxAccount({ name: 'Owl' });
    const { status, body, headers } = await ask(profile, `jwt ${await token(key)}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { name: 'Owl', id: expect.any(Number) } });
    expect(Math.abs(Date.parse(headers.get('date') ?? '') / 1000 - (await now()))).toBeLessThan(5);
  });

  const at = (change: (seconds: number) => JWTPayload) => async (key: AccountCredentials) =>
    `JWT ${await token(key, change(await now()))}`;

  it.each<[string, (key: AccountCredentials) => Promise<string | undefined>]>([
    ['Authentication credentials were not provided.', () => Promise.resolve(undefined)],
    ['Authentication credentials were not provided.', async (key) => `Bearer ${await token(key)}`],
    ['Error decoding signature.', () => Promise.resolve('JWT nonsense')],
    ['Error decoding signature.', async (key) => `JWT ${await token({ ...key, secret: 'another' })}`],
    ['Error decoding signature.', async (key) => `JWT ${await token(key, {}, 'HS512')}`],
    ['API key based tokens are not refreshable.', at(() => ({ orig_iat: 1 }))],
    ['JWT iss (issuer) claim is missing.', at(() => ({ iss: undefined }))],
    ['Unknown JWT iss (issuer).', at(() => ({ iss: 'user:0:0' }))],
    ['Invalid JWT: Token is missing the "exp" claim.', at(() => ({ exp: undefined }))],
    ['Invalid JWT: Token is missing the "iat" claim.', at(() => ({ iat: undefined }))],
    ['Signature has expired.', at((seconds) => ({ iat: seconds - 100, exp: seconds - 6 }))],
    ['JWT exp (expiration) is too long.', at((seconds) => ({ iat: seconds, exp: seconds + 301 }))],
    [
      'JWT iat (issued at time) is invalid. Make sure your system clock is synchronized with something like TLSdate.',
      at((seconds) => ({ iat: seconds + 60, exp: seconds + 120 })),
    ],
  ])('is refused: %s', async (said, made) => {
    const { status, body, headers } = await ask(profile, await made(await sim.firefoxAccount()));
    expect({ status, body }).toEqual({ status: 401, body: { detail: said } });
    expect(headers.get('www-authenticate')).toBe('JWT realm="api"');
  });
});

describe('an upload', () => {
  it.each<[string, () => Promise<Blob>]>([
    ['Invalid or corrupted add-on file.', () => Promise.resolve(new Blob(['no zip']))],
    ['No manifest.json was found at the root of the extension.', () => zip('{}', 'deep/manifest.json')],
    ['Your JSON is not valid.', () => zip('{')],
    ['The version string should be numeric with dots.', () => zip(manifest('1.x'))],
    ['"/manifest_version" must be 2 or 3.', () => zip({ name: 'x', version: '1' })],
    [
      'The extension ID is required in Manifest Version 3 and above.',
      () => zip({ manifest_version: 3, name: 'x', version: '1' }),
    ],
  ])('is found invalid once it is processed: %s', async (message, made) => {
    const { upload, call, at } = await author();
    const { status, body } = await upload(await made());
    expect({ status, body }).toMatchObject({ status: 201, body: { processed: false, valid: false, validation: null } });
    const seen = (await call('GET', `/addons/upload/${body.uuid}`)).body;
    expect(seen).toMatchObject({
      processed: true,
      valid: false,
      validation: { messages: [{ type: 'error', message }] },
    });
    const made2 = await call('POST', `${at}/versions/`, { upload: body.uuid });
    expect(made2).toMatchObject({ status: 400, body: { upload: ['Upload is not valid.'] } });
  });

  it('needs a name, a channel and a file', async () => {
    const { upload, call } = await author();
    const file = await zip(manifest('1.0'));
    expect((await upload(file, 'listed', 'a.rar')).body).toMatchObject({
      upload: [expect.stringMatching(/^Unsupported/)],
    });
    expect(await upload(file, 'beta')).toMatchObject({ status: 400, body: ['Missing "channel" arg.'] });
    expect((await call('POST', '/addons/upload/', new FormData())).body).toMatchObject([
      expect.stringMatching(/Missing "upload"/),
    ]);
    expect(await call('POST', '/addons/upload/', {})).toMatchObject({ status: 400 });
  });

  it('belongs to its owner, and is deleted after 15 days', async () => {
    const { processed, call, at } = await author();
    const uuid = await processed(await zip(manifest('1.0')));
    const other = await author();
    expect(await other.call('GET', `/addons/upload/${uuid}/`)).toMatchObject({ status: 404 });
    expect((await call('GET', '/addons/upload/')).body).toMatchObject({ count: 1 });
    await sim.advance(15 * DAY_SECONDS + 60);
    expect(await call('GET', `/addons/upload/${uuid}/`)).toMatchObject({ status: 404, body: { detail: 'Not found.' } });
    expect(await call('POST', `${at}/versions/`, { upload: uuid })).toMatchObject({
      status: 400,
      body: { upload: [expect.stringContaining('does not exist')] },
    });
  });
});

describe('a version', () => {
  it('is reviewed, listed, and superseded by the next', async () => {
    const { make, list, guid } = await author({ live: '1.0' });
    expect(await make('1.1')).toMatchObject({
      status: 201,
      body: { channel: 'listed', file: { status: 'unreviewed' } },
    });
    await make('1.2');
    expect(await list()).toEqual(['1.2 unreviewed', '1.1 disabled', '1.0 public']);
    await sim.addonAct(guid, 'approve');
    expect(await list()).toEqual(['1.2 public', '1.1 disabled', '1.0 public']);
    expect(await sim.addonState(guid)).toMatchObject({ live: '1.2', status: 'public' });
  });

  it('is approved after the configured time', async () => {
    const { make, list } = await author({ approveAfterSeconds: 3600, signAfterSeconds: 60 });
    await make('1.0');
    await make('1.1', 'unlisted');
    await sim.advance(61);
    expect(await list()).toEqual(['1.1 public', '1.0 unreviewed']);
    await sim.advance(3600);
    expect(await list()).toEqual(['1.1 public', '1.0 public']);
  });

  it('has a number that is used once across both channels', async () => {
    const { make, call, at, list } = await author({ live: '1.0' });
    await make('1.1', 'unlisted');
    expect(await make('1.1')).toMatchObject({ status: 409, body: { version: ['Version 1.1 already exists.'] } });
    expect(await call('DELETE', `${at}/versions/v1.1/`)).toMatchObject({ status: 204 });
    expect(await make('1.1')).toMatchObject({
      status: 409,
      body: { version: ['Version 1.1 was uploaded before and deleted.'] },
    });
    expect(await make('0.9')).toMatchObject({
      status: 400,
      body: { version: [expect.stringMatching(/previous approved version 1\.0/)] },
    });
    expect(await make('0.9', 'unlisted')).toMatchObject({ status: 201 });
    expect(await list('all_without_unlisted')).toEqual(['1.0 public']);
  });

  it('is read by its number or its id, and disabled by its developer', async () => {
    const { make, call, at, list } = await author();
    const { id } = (await make('12')).body;
    for (const name of [String(id), 'v12'])
      expect(await call('GET', `${at}/versions/${name}`)).toMatchObject({ status: 200, body: { id } });
    expect(await call('GET', `${at}/versions/12/`)).toMatchObject({ status: 404 });
    expect(await call('PATCH', `${at}/versions/v12/`, { is_disabled: true })).toMatchObject({
      status: 200,
      body: { is_disabled: true },
    });
    expect(await list()).toEqual(['12 disabled']);
  });

  it('has metadata, whose errors name their field', async () => {
    const { make, call, at, guid } = await author();
    await make('1.0');
    const patch = (body: object): Promise<Reply> => call('PATCH', `${at}/versions/v1.0/`, body);
    expect(
      await patch({ release_notes: { 'en-US': 'New.' }, approval_notes: 'Hi.', compatibility: { android: {} } }),
    ).toMatchObject({
      status: 200,
      body: { release_notes: { 'en-US': 'New.' }, approval_notes: 'Hi.' },
    });
    for (const wrong of [
      { release_notes: 'New.' },
      { compatibility: ['opera'] },
      { compatibility: 7 },
      { approval_notes: 7 },
    ])
      expect(await patch(wrong)).toMatchObject({ status: 400 });
    expect((await sim.addonState(guid)).versions).toMatchObject([{ compatibility: ['android'], approvalNotes: 'Hi.' }]);
  });

  it('keeps what its manifest says of Firefox for Android, and changes nothing else in the same call', async () => {
    const { processed, call, at, guid } = await author();
    const named = { ...manifest('1.0'), browser_specific_settings: { gecko: { id: guid }, gecko_android: {} } };
    expect(await call('POST', `${at}/versions/`, { upload: await processed(await zip(named)) })).toMatchObject({
      status: 201,
    });
    for (const compatibility of [['firefox', 'android'], ['firefox'], { android: {} }])
      expect(
        await call('PATCH', `${at}/versions/v1.0/`, { compatibility, release_notes: { 'en-US': 'New.' } }),
      ).toMatchObject({
        status: 400,
        body: { compatibility: expect.anything() },
      });
    expect((await sim.addonState(guid)).versions).toMatchObject([
      { compatibility: ['firefox', 'android'], releaseNotes: null },
    ]);
  });

  it('accepts sources until it was reviewed', async () => {
    const { make, call, at, guid } = await author();
    await make('1.0');
    const send = async (name: string, file: Blob): Promise<Reply> => {
      const form = new FormData();
      form.set('source', file, name);
      return call('PATCH', `${at}/versions/v1.0/`, form);
    };
    const archive = await zip('', 'a.ts');
    expect(await send('a.rar', archive)).toMatchObject({
      status: 400,
      body: { source: [expect.stringMatching(/Unsupported/)] },
    });
    for (const name of ['a.zip', 'a.tar.gz', 'a.tgz', 'a.tar.bz2'])
      expect(await send(name, new Blob(['no']))).toMatchObject({
        status: 400,
        body: { source: ['Invalid or broken archive.'] },
      });
    expect(await send('a.tgz', new Blob([new Uint8Array([0x1f, 0x8b, 8])]))).toMatchObject({ status: 200 });
    expect(await send('a.tar.bz2', new Blob(['BZh9']))).toMatchObject({ status: 200 });
    expect(await send('a.zip', archive)).toMatchObject({ status: 200 });
    expect((await sim.addonState(guid)).versions).toMatchObject([{ source: { name: 'a.zip', size: archive.size } }]);
    await sim.addonAct(guid, 'approve');
    expect(await send('a.zip', archive)).toMatchObject({
      status: 400,
      body: { source: [expect.stringMatching(/reviewed by Mozilla/)] },
    });
  });

  it('is rolled back only to the approved listed version before the current one', async () => {
    const { make, call, at, guid, list } = await author({ live: '1.0' });
    await make('1.1');
    await make('1.0.1', 'unlisted');
    const back = (to: string, new_version_string: string): Promise<Reply> =>
      call('POST', `${at}/versions/v${to}/rollback/`, { new_version_string });
    for (const to of ['1.0', '1.1', '1.0.1']) expect(await back(to, '1.2')).toMatchObject({ status: 400 });
    await sim.addonAct(guid, 'approve', 'listed');
    expect(await back('1.0', '1.1')).toMatchObject({ status: 409 });
    expect(await back('1.0', '0.5')).toMatchObject({ status: 400 });
    expect(await back('1.0', '1.2')).toMatchObject({ status: 202 });
    expect((await list())[0]).toBe('1.2 public');
    expect(await back('1.0', '1.3')).toMatchObject({ status: 400 });
    expect(await back('1.1', '1.3')).toMatchObject({ status: 202 });
  });
});

describe('an add-on', () => {
  it('shows more to its authors than to others', async () => {
    const { at, guid } = await author({ live: '1.0', inReview: '1.1' });
    const stranger = await author();
    expect((await stranger.call('GET', `${at}/versions`)).body).toMatchObject({
      count: 1,
      results: [{ version: '1.0' }],
    });
    expect(await stranger.call('GET', `${at}/versions/?filter=all_with_unlisted`)).toMatchObject({ status: 403 });
    expect(await stranger.call('GET', `${at}/versions/v1.1/`)).toMatchObject({ status: 404 });
    expect(await stranger.call('PATCH', `${at}/`, { is_disabled: true })).toMatchObject({ status: 403 });
    await sim.addonAct(guid, 'takedown');
    expect(await stranger.call('GET', `${at}/`)).toMatchObject({
      status: 403,
      body: { is_disabled_by_mozilla: true, is_disabled_by_developer: false },
    });
  });

  it('redirects writes without a trailing slash', async () => {
    const { at, call, key, guid } = await author({ live: '1.0' });
    expect(await call('PATCH', `${at}/`, { is_disabled: true })).toMatchObject({ status: 200, body: { guid } });
    // A browser's and Node's fetch repeat a PATCH where they are sent, with its body.
    expect(await call('PATCH', at, { is_disabled: false })).toMatchObject({ status: 200, body: { guid } });
    expect(await sim.addonState(guid)).toMatchObject({ isDisabled: false });
    const authorization = `JWT ${await token(key)}`;
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'PATCH', body: '{}', headers, redirect: 'manual' } as const;
    const redirected = await ask(at, authorization, init);
    expect({ status: redirected.status, to: redirected.headers.get('location') }).toEqual({
      status: 301,
      to: `/api/v5${at}/`,
    });
  });

  it('accepts reads but no submissions from a restricted account', async () => {
    const { at, call, key } = await author({ live: '1.0' });
    await sim.firefoxUser(key.issuer, { restriction: 'blockedAddress' });
    expect(await call('PATCH', `${at}/`, {})).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('The IP address has been blocked.') },
    });
    expect(await call('GET', `${at}/`)).toMatchObject({ status: 200 });
  });

  it('is found only by its exact id', async () => {
    const { guid, call } = await author();
    const bare = guid.replaceAll(/[{}]/g, '');
    expect(await call('GET', `/addons/addon/${bare}/`)).toMatchObject({ status: 404 });
    expect(await call('GET', `/addons/addon/${encodeURIComponent(guid)}`)).toMatchObject({
      status: 200,
      body: { guid },
    });
    // A redirected POST arrives as a GET.
    const posted = await call('POST', `/addons/addon/${encodeURIComponent(guid)}/versions`, {});
    expect(posted).toMatchObject({ status: 200, body: { count: 0 } });
  });

  it('is created with its first version, once its metadata is complete', async () => {
    const { processed, call } = await author();
    const upload = await processed(await zip(manifest('1.0', 'new@example.com')));
    const body = { categories: ['other'], summary: { 'en-US': 'x' }, version: { upload, license: 'MIT' } };
    const { summary: _, ...lacking } = body;
    expect(await call('POST', '/addons/addon/', lacking)).toMatchObject({ status: 400 });
    expect(await call('PUT', '/addons/addon/new@example.com/', body)).toMatchObject({
      status: 201,
      body: { guid: 'new@example.com', status: 'nominated', version: { version: '1.0' } },
    });
  });

  it('accepts no listed version while its developer hides it', async () => {
    const { make, call, at } = await author({ live: '1.0' });
    await call('PATCH', `${at}/`, { is_disabled: true });
    expect(await make('1.1')).toMatchObject({
      status: 400,
      body: { non_field_errors: [expect.stringMatching(/disabled/)] },
    });
    expect(await make('1.1', 'unlisted')).toMatchObject({ status: 201 });
  });
});

describe('the site', () => {
  it('throttles by the minute, the hour and the day, with Retry-After', async () => {
    const { key, upload } = await author();
    await sim.firefoxUser(key.issuer, { isThrottled: true });
    const file = await zip(manifest('1.0'));
    const statuses = async (count: number): Promise<number[]> => {
      const all: number[] = [];
      for (let nth = 0; nth < count; nth++) all.push((await upload(file)).status);
      return all;
    };
    const began = Date.now();
    expect(await statuses(7)).toEqual([201, 201, 201, 201, 201, 201, 429]);
    const refused = await upload(file);
    const wait = Number(refused.headers.get('retry-after'));
    expect(refused.body).toEqual({ detail: `Request was throttled. Expected available in ${wait} seconds.` });
    // The minute began with the first of them.
    expect(wait).toBeLessThanOrEqual(60);
    expect(wait).toBeGreaterThanOrEqual(60 - (Date.now() - began) / 1000);
    for (const _ of ['a', 'minute', 'each']) {
      await sim.advance(61);
      await statuses(4);
    }
    await sim.advance(61);
    expect(Number((await upload(file)).headers.get('retry-after'))).toBeGreaterThan(600);
  });

  it('accepts reads but no writes during maintenance', async () => {
    const { upload, call, at } = await author({ live: '1.0' });
    await sim.site({ readOnly: true, notice: 'Soon.' });
    expect((await ask('/site/')).body).toEqual({ read_only: true, notice: 'Soon.' });
    expect(await upload(await zip(manifest('1.1')))).toMatchObject({
      status: 503,
      body: { error: expect.stringMatching(/maintenance/) },
    });
    expect(await call('GET', `${at}/`)).toMatchObject({ status: 200 });
    await sim.reset();
    expect((await ask('/site')).body).toEqual({ read_only: false, notice: null });
  });
});

describe('the control plane', () => {
  it('seeds accounts with add-ons, and refuses unknown fields', async () => {
    const seed = (firefox: object): Promise<Response> =>
      fetch(`${sandbox.url}/__sim/seed`, { method: 'POST', body: JSON.stringify({ firefox }) });
    const made = await seed({
      accounts: [{ issuer: 'user:9:9', secret: 'x'.repeat(64), addons: [{ guid: 'a@b', live: '1.0' }] }],
    });
    expect(await made.json()).toMatchObject({
      firefox: { accounts: [{ issuer: 'user:9:9', addons: [{ guid: 'a@b', live: '1.0' }] }] },
    });
    for (const wrong of [
      { accounts: [{ isuer: 'x' }] },
      { accounts: [{ addons: [{ live: 'one' }] }] },
      { accounts: [{ validationPolls: -1 }] },
    ])
      expect((await seed(wrong)).status).toBe(400);
    await expect(sim.addon({ issuer: 'user:9:9', guid: 'a@b' })).rejects.toThrow('409');
    await expect(sim.addonAct('a@b', 'approve')).rejects.toThrow('nothing in review');
    await expect(sim.addonState('no@body')).rejects.toThrow('404');
    await expect(sim.firefoxAccount({ issuer: 'user:9:9' })).rejects.toThrow('409');
  });

  it('seeds a working demo', async () => {
    const { firefox } = (await sandbox.seedDemo()) as { firefox: { credentials: AccountCredentials; guid: string } };
    const path = `/addons/addon/${encodeURIComponent(firefox.guid)}/versions/?filter=all_with_unlisted`;
    expect(await ask(path, `JWT ${await token(firefox.credentials)}`)).toMatchObject({
      status: 200,
      body: { count: 0 },
    });
    expect(sandbox.env['AMO_API_URL']).toBe(`${sandbox.url}/api/v5/`);
  });
});
