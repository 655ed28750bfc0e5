import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../sandbox.js';
import { SandboxControl } from '../sandbox-control.js';
import { importPKCS8, type JWTPayload, SignJWT } from 'jose';
import { SafariControl } from './safari-control.js';

let sandbox: Sandbox;
let sim: SafariControl;
beforeAll(async () => {
  sandbox = await createSandbox();
  sim = new SafariControl(sandbox.url);
});
afterAll(() => sandbox.close());

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // Apple's JSON, as loosely as a test looks at it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

interface Key {
  readonly teamId: string;
  readonly issuerId?: string;
  readonly keyId: string;
  readonly privateKey: string;
}

async function tokenOf(key: Key, change: JWTPayload = {}, header: object = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const who = key.issuerId === undefined ? { sub: 'user' } : { iss: key.issuerId };
  return new SignJWT({ ...who, aud: 'appstoreconnect-v1', iat: now, exp: now + 1200, ...change })
    .setProtectedHeader({ alg: 'ES256', kid: key.keyId, typ: 'JWT', ...header })
    .sign(await importPKCS8(key.privateKey, 'ES256'));
}

async function ask(token: string, method: string, path: string, body?: object): Promise<Reply> {
  const answer = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

/** A team with an app, and somebody who calls for it. */
async function team(options: object = {}) {
  const key = await sim.key();
  const { appId } = await sim.app({ issuerId: key.teamId, ...options });
  const token = await tokenOf(key);
  const call = (method: string, path: string, body?: object): Promise<Reply> => ask(token, method, path, body);
  const create = (type: string, attributes: object, related: object): Promise<Reply> => {
    const relationships = Object.fromEntries(Object.entries(related).map(([name, data]) => [name, { data }]));
    return call('POST', `/v1/${type}`, { data: { type, attributes, relationships } });
  };
  const app = { type: 'apps', id: appId };
  return { key, appId, app, call, create };
}

const codeOf = ({ status, body }: Reply): string => `${status} ${body.errors?.[0]?.code}`;

describe('a token', () => {
  it.each<[string, (now: number) => JWTPayload]>([
    ['of another audience', () => ({ aud: 'apple-developer-enterprise-v1' })],
    ['of another team', () => ({ iss: 'somebody' })],
    ['that has expired', (now) => ({ iat: now - 1200, exp: now - 1 })],
    ['that lives for more than 20 minutes', (now) => ({ iat: now - 10, exp: now + 1195 })],
    ['from the future', (now) => ({ iat: now + 60, exp: now + 300 })],
    ['without an end', () => ({ exp: undefined })],
  ])('%s is refused', async (_, change) => {
    const token = await tokenOf(await sim.key(), change(Math.floor(Date.now() / 1000)));
    expect(codeOf(await ask(token, 'GET', '/v1/apps'))).toBe('401 NOT_AUTHORIZED');
  });

  it('of a foreign or revoked key is refused, and so is none at all', async () => {
    const [mine, other] = await Promise.all([sim.key(), sim.key()]);
    const forged = await tokenOf({ ...mine, privateKey: other.privateKey });
    const token = await tokenOf(mine);
    expect((await ask(token, 'GET', '/v1/apps')).status).toBe(200);
    await sim.revoke(mine.keyId);
    for (const bad of [forged, token, 'garbage', ''])
      expect(codeOf(await ask(bad, 'GET', '/v1/apps'))).toBe('401 NOT_AUTHORIZED');
  });

  it('of an individual key names no team', async () => {
    const key = await sim.key({ individual: true });
    expect(key).not.toHaveProperty('issuerId');
    expect((await ask(await tokenOf(key), 'GET', '/v1/apps')).status).toBe(200);
    expect((await ask(await tokenOf(key, { iss: key.teamId }), 'GET', '/v1/apps')).status).toBe(401);
  });
});

describe('every answer', () => {
  it('contains the remaining calls of the rolling hour', async () => {
    const key = await sim.key({ hourlyLimit: 2 });
    const left: (string | null)[] = [];
    for (const _ of [1, 2, 3])
      left.push((await ask(await tokenOf(key), 'GET', '/v1/apps')).headers.get('x-rate-limit'));
    expect(left).toEqual([1, 0, 0].map((rest) => `user-hour-lim:2;user-hour-rem:${rest};`));
    expect(codeOf(await ask(await tokenOf(key), 'GET', '/v1/apps'))).toBe('429 RATE_LIMIT_EXCEEDED');
    await new SandboxControl(sandbox.url).advance(3600);
    const later = Math.floor(Date.now() / 1000) + 3600;
    expect((await ask(await tokenOf(key, { iat: later, exp: later + 60 }), 'GET', '/v1/apps')).status).toBe(200);
    await new SandboxControl(sandbox.url).reset();
  });

  it('is about the caller’s own apps', async () => {
    const [mine, other] = [await team(), await team({ versions: [{ version: '1.0' }] })];
    const version = (await sim.state(other.appId)).versions[0]?.id;
    for (const path of [`apps/${other.appId}`, `apps/${other.appId}/appStoreVersions`, `appStoreVersions/${version}`])
      expect(codeOf(await mine.call('GET', `/v1/${path}`))).toBe('404 NOT_FOUND');
    expect((await mine.call('GET', '/v1/apps')).body.data.map(({ id }: { id: string }) => id)).toEqual([mine.appId]);
    expect((await mine.call('GET', '/v1/nothing')).status).toBe(404);
  });
});

describe('a list', () => {
  it('has pages, and relationship data only when included', async () => {
    const versions = ['1.0', '1.1', '1.2'].map((version) => ({
      version,
      state: 'REPLACED_WITH_NEW_VERSION',
      build: true,
    }));
    const { appId, call } = await team({ versions });
    const path = `/v1/apps/${appId}/appStoreVersions?limit=2`;
    const { body } = await call('GET', path);
    expect(body.meta.paging).toEqual({ total: 3, limit: 2 });
    expect(body.data[0].relationships.build).not.toHaveProperty('data');
    expect(body).not.toHaveProperty('included');
    const rest = await call('GET', body.links.next.replace(sandbox.url, ''));
    expect(rest.body.data).toHaveLength(1);
    expect(rest.body.links).not.toHaveProperty('next');
    const full = await call('GET', `${path}&include=build&fields[appStoreVersions]=versionString,build`);
    expect(full.body.data[0].attributes).toEqual({ versionString: '1.0' });
    expect(full.body.included.map(({ id }: { id: string }) => id)).toContain(
      full.body.data[0].relationships.build.data.id,
    );
  });

  it.each([
    ['limit=201', '400 PARAMETER_ERROR.INVALID'],
    ['limit=x', '400 PARAMETER_ERROR.INVALID'],
    ['sort=versionString', '400 PARAMETER_ERROR.ILLEGAL'],
    ['filter[nothing]=1', '400 PARAMETER_ERROR.ILLEGAL'],
    ['include=nothing', '400 PARAMETER_ERROR.INVALID'],
    ['cursor=nothing', '400 PARAMETER_ERROR.INVALID'],
  ])('is refused with ?%s', async (query, code) => {
    const { appId, call } = await team();
    expect(codeOf(await call('GET', `/v1/apps/${appId}/appStoreVersions?${query}`))).toBe(code);
    expect(codeOf(await call('GET', '/v1/reviewSubmissions'))).toBe('400 PARAMETER_ERROR.MISSING');
  });

  it.each([
    ['reviewSubmissions', 'filter[app]=APP&fields[appStoreVersions]=versionString', 'fields[appStoreVersions]'],
    ['reviewSubmissions', 'filter[app]=APP&sort=state', 'sort'],
    ['apps/APP', 'limit=1', 'limit'],
    ['apps', 'fields[users]=name', 'fields[users]'],
  ])('of %s is refused with ?%s, which Apple does not list', async (path, query, parameter) => {
    const { appId, call } = await team();
    const answer = await call('GET', `/v1/${path}?${query}`.replaceAll('APP', appId));
    expect(codeOf(answer)).toBe('400 PARAMETER_ERROR.ILLEGAL');
    expect(answer.body.errors[0].source).toEqual({ parameter });
  });
});

describe('the checks', () => {
  it('allow one editable version for each platform, and only rising numbers', async () => {
    const { app, create, appId } = await team({ versions: [{ version: '2.0', state: 'READY_FOR_DISTRIBUTION' }] });
    const make = (versionString: string, platform = 'MAC_OS') =>
      create('appStoreVersions', { platform, versionString }, { app });
    expect(codeOf(await make('1.9'))).toBe('409 ENTITY_ERROR.ATTRIBUTE.INVALID');
    expect(codeOf(await make('2.0.0'))).toBe('409 ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE');
    expect((await make('2.1')).status).toBe(201);
    expect((await make('2.2')).body.errors[0].detail).toMatch(/^You cannot create a new version/);
    expect((await make('1.0', 'IOS')).status).toBe(201);
    expect((await sim.state(appId)).counters).toMatchObject({ versionsCreated: 2, refused: 3 });
  });

  it('have the build that is looked for, where the author has nobody to deliver it', async () => {
    const { appId, call } = await team({ deliversSought: true });
    const look = async (version: string): Promise<readonly string[]> => {
      const filters = { app: appId, 'preReleaseVersion.version': version, 'preReleaseVersion.platform': 'MAC_OS' };
      const query = new URLSearchParams(
        Object.fromEntries(Object.entries(filters).map(([name, value]) => [`filter[${name}]`, value])),
      );
      const { body } = await call('GET', `/v1/builds?${query.toString()}`);
      return body.data.map(({ attributes }: { attributes: { version: string } }) => attributes.version);
    };
    expect(await look('1.0,1.0.0')).toEqual(['1']);
    expect(await look('1.0.0')).toEqual(['1']);
    expect(await look('1.1')).toEqual(['2']);
    await sim.patch(appId, { deliversSought: false });
    expect(await look('1.2')).toEqual([]);
  });

  it('accept a version for review once, with a valid build and a text for each language', async () => {
    const { app, appId, call, create } = await team({
      versions: [{ version: '1.0', state: 'READY_FOR_DISTRIBUTION' }],
    });
    const { body: made } = await create('appStoreVersions', { platform: 'MAC_OS', versionString: '1.1' }, { app });
    const version = { type: 'appStoreVersions', id: made.data.id };
    const slow = await sim.deliver(appId, { version: '1.1', processingSeconds: 60 });
    const build = await sim.deliver(appId, { version: '1.1' });
    const attach = (id: string) =>
      call('PATCH', `/v1/appStoreVersions/${version.id}/relationships/build`, { data: { type: 'builds', id } });
    expect((await attach(slow.id)).body.errors[0].detail).toMatch(/still processing/);
    const { body: review } = await create('reviewSubmissions', { platform: 'MAC_OS' }, { app });
    const reviewSubmission = { type: 'reviewSubmissions', id: review.data.id };
    const add = () => create('reviewSubmissionItems', {}, { reviewSubmission, appStoreVersion: version });
    expect(codeOf(await create('reviewSubmissions', { platform: 'MAC_OS' }, { app }))).toBe('409 STATE_ERROR');
    await attach(build.id);
    const lacking = (await add()).body.errors[0].meta.associatedErrors;
    expect(Object.values(lacking).flat()).toMatchObject([{ code: 'ENTITY_ERROR.ATTRIBUTE.REQUIRED' }]);
    const [text] = (await call('GET', `/v1/appStoreVersions/${version.id}/appStoreVersionLocalizations`)).body.data;
    const data = { type: text.type, id: text.id, attributes: { whatsNew: 'Owls.' } };
    expect((await call('PATCH', `/v1/appStoreVersionLocalizations/${text.id}`, { data })).status).toBe(200);
    expect((await add()).status).toBe(201);
    expect((await add()).body.errors[0].detail).toMatch(/already added to this reviewSubmission/);
    expect((await sim.state(appId)).versions[1]?.state).toBe('READY_FOR_REVIEW');

    // The export question is still open, which parks the version.
    const submit = { data: { ...reviewSubmission, attributes: { submitted: true } } };
    expect((await call('PATCH', `/v1/reviewSubmissions/${reviewSubmission.id}`, submit)).status).toBe(200);
    expect((await sim.state(appId)).versions[1]?.state).toBe('WAITING_FOR_EXPORT_COMPLIANCE');
    expect(codeOf(await call('PATCH', `/v1/reviewSubmissions/${reviewSubmission.id}`, submit))).toMatch(/^409 STATE/);
  });

  it('let reviews, withdrawals, releases and phases take the configured time', async () => {
    const clock = new SandboxControl(sandbox.url);
    const { appId } = await team({
      approveAfterSeconds: 60,
      releaseSeconds: 60,
      versions: [{ version: '1.0', state: 'WAITING_FOR_REVIEW' }],
    });
    const state = async () => (await sim.state(appId)).versions[0]?.state;
    expect(await state()).toBe('WAITING_FOR_REVIEW');
    await clock.advance(60);
    expect(await state()).toBe('PROCESSING_FOR_DISTRIBUTION');
    await clock.advance(60);
    expect(await state()).toBe('READY_FOR_DISTRIBUTION');
    await clock.reset();
  });

  it('seed what the command line prints', async () => {
    const demo = (await sandbox.seedDemo())['safari'] as { credentials: Key; appId: string; bundleId: string };
    const { body } = await ask(await tokenOf(demo.credentials), 'GET', `/v1/apps?filter[bundleId]=${demo.bundleId}`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([demo.appId]);
    expect(sandbox.env['ASC_API_URL']).toBe(sandbox.url);
    const options = {
      keys: [{ keyId: 'SEEDED', apps: [{ bundleId: 'com.example.seeded', versions: [{ version: '1.0' }] }] }],
    };
    const seeded = await fetch(`${sandbox.url}/__sim/seed`, {
      method: 'POST',
      body: JSON.stringify({ safari: options }),
    });
    expect(await seeded.json()).toMatchObject({
      safari: { keys: [{ keyId: 'SEEDED', apps: [{ versions: [{ versionString: '1.0' }] }] }] },
    });
  });
});

describe('what users write', () => {
  const reviews = [
    { id: 'one', rating: 1, body: 'Bad', createdDate: '2026-01-01T10:00:00Z', territory: 'CHE' },
    { id: 'two', rating: 5, body: 'Good', createdDate: '2026-01-02T10:00:00Z', response: { id: 'r', body: 'Thanks' } },
  ];
  const answer = { responseBody: 'We are sorry.' };
  const of = (id: string) => ({ review: { type: 'customerReviews', id } });

  it('is listed with its answers, ordered and filtered', async () => {
    const { appId, call } = await team({ customerReviews: reviews });
    const path = `/v1/apps/${appId}/customerReviews`;
    const { body } = await call('GET', `${path}?sort=-createdDate&include=response`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['two', 'one']);
    expect(body.data[1]).toMatchObject({
      attributes: { rating: 1, territory: 'CHE' },
      relationships: { response: { data: null } },
    });
    expect(body.included).toMatchObject([{ id: 'r', attributes: { responseBody: 'Thanks', state: 'PUBLISHED' } }]);
    expect((await call('GET', `${path}?filter[rating]=5`)).body.data).toHaveLength(1);
    expect((await call('GET', `${path}?exists[publishedResponse]=false`)).body.data).toHaveLength(1);
    for (const query of ['limit=201', 'sort=title', 'include=app', 'filter[title]=x'])
      expect((await call('GET', `${path}?${query}`)).status).toBe(400);
  });

  it('has one answer, which the next replaces, until it is taken back', async () => {
    const { appId, call, create } = await team({ customerReviews: [{ ...reviews[0], id: 'three' }] });
    const first = await create('customerReviewResponses', answer, of('three'));
    expect(first).toMatchObject({ status: 201, body: { data: { attributes: { state: 'PENDING_PUBLISH' } } } });
    const second = await create('customerReviewResponses', { responseBody: 'Mended.' }, of('three'));
    expect(second.body.data.id).toBe(first.body.data.id);
    await sim.act(appId, 'publish-responses');
    expect((await call('GET', '/v1/customerReviews/three/response')).body.data.attributes).toMatchObject({
      responseBody: 'Mended.',
      state: 'PUBLISHED',
    });
    expect((await call('DELETE', '/v1/customerReviewResponses/three')).status).toBe(404);
    const path = `/v1/customerReviewResponses/${first.body.data.id}`;
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('DELETE', path)).status).toBe(404);
    expect((await call('GET', '/v1/customerReviews/three/response')).status).toBe(404);
  });

  it('is not answered with nothing, with too much, for another team, or by a developer', async () => {
    const { key, create } = await team({ customerReviews: [{ ...reviews[0], id: 'four' }] });
    expect(codeOf(await create('customerReviewResponses', {}, of('four')))).toBe('409 ENTITY_ERROR.ATTRIBUTE.REQUIRED');
    const long = { responseBody: 'x'.repeat(5971) };
    expect((await create('customerReviewResponses', long, of('four'))).status).toBe(409);
    expect(codeOf(await create('customerReviewResponses', answer, {}))).toBe('409 ENTITY_ERROR.RELATIONSHIP.REQUIRED');
    const other = await team();
    expect((await other.create('customerReviewResponses', answer, of('four'))).status).toBe(404);
    await sim.changeKey(key.keyId, { role: 'DEVELOPER' });
    expect((await create('customerReviewResponses', answer, of('four'))).status).toBe(403);
  });
});

describe('an upload of a build', () => {
  const FILE = { assetType: 'ASSET', fileName: 'a.pkg', fileSize: 10, uti: 'com.apple.pkg' };
  const begin = async (options: object = {}) => {
    const made = await team(options);
    const names = { cfBundleShortVersionString: '1.0', cfBundleVersion: '1', platform: 'MAC_OS' };
    const { body } = await made.create('buildUploads', names, { app: made.app });
    const upload = { type: 'buildUploads', id: body.data.id as string };
    const reserve = (changes: object = {}): Promise<Reply> =>
      made.create('buildUploadFiles', { ...FILE, ...changes }, { buildUpload: upload });
    return { ...made, upload, reserve };
  };
  const send = async (operation: { readonly url: string }, headers: object, body = 'xar!567890'): Promise<number> =>
    (await fetch(operation.url, { method: 'PUT', headers: { ...headers }, body })).status;
  const headersOf = ({ requestHeaders }: { readonly requestHeaders: readonly { name: string; value: string }[] }) =>
    Object.fromEntries(requestHeaders.map(({ name, value }) => [name, value]));

  it.each([
    ['the type of another platform', { uti: 'com.apple.ipa' }, 409],
    ['a zip', { uti: 'com.pkware.zip-archive' }, 409],
    ['an unknown type', { uti: 'zip' }, 422],
    ['no size', { fileSize: 0 }, 422],
    ['another asset', { assetType: 'ASSET_SPI' }, 409],
  ])('takes no file with %s', async (_, changes, status) => {
    const { reserve } = await begin();
    expect((await reserve(changes)).status).toBe(status);
  });

  it('takes a part only as it is described', async () => {
    const { reserve, call } = await begin();
    const { data } = (await reserve()).body;
    const [operation] = data.attributes.uploadOperations;
    const headers = headersOf(operation);
    expect(await send(operation, { ...headers, authorization: 'Bearer a' })).toBe(400);
    expect(await send(operation, { 'content-type': headers['Content-Type'] })).toBe(403);
    expect(await send(operation, headers, 'short')).toBe(400);
    const done = { data: { type: 'buildUploadFiles', id: data.id, attributes: { uploaded: true } } };
    expect((await call('PATCH', `/v1/buildUploadFiles/${data.id}`, done)).status).toBe(409);
    expect(await send(operation, headers)).toBe(200);
    const wrong = { file: { hash: 'a'.repeat(64), algorithm: 'SHA_256' } };
    const attributes = { uploaded: true, sourceFileChecksums: wrong };
    const refused = { data: { type: 'buildUploadFiles', id: data.id, attributes } };
    expect((await call('PATCH', `/v1/buildUploadFiles/${data.id}`, refused)).status).toBe(409);
    expect((await call('PATCH', `/v1/buildUploadFiles/${data.id}`, done)).status).toBe(200);
  });

  it('takes no part that is late', async () => {
    const { reserve } = await begin({ partSeconds: 0 });
    const { data } = (await reserve()).body;
    expect(data.attributes.uploadOperations).toEqual([]);
  });

  it('fails where the file is no package of the platform', async () => {
    const { reserve, call, upload } = await begin();
    const { data } = (await reserve()).body;
    const [operation] = data.attributes.uploadOperations;
    expect(await send(operation, headersOf(operation), '0123456789')).toBe(200);
    const done = { data: { type: 'buildUploadFiles', id: data.id, attributes: { uploaded: true } } };
    await call('PATCH', `/v1/buildUploadFiles/${data.id}`, done);
    const { body } = await call('GET', `/v1/buildUploads/${upload.id}`);
    expect(body.data.attributes.state).toMatchObject({ state: 'FAILED', errors: [{ code: '90186' }] });
    expect((await call('DELETE', `/v1/buildUploads/${upload.id}`)).status).toBe(409);
  });

  it('can be taken back until it is complete', async () => {
    const { call, upload } = await begin();
    expect((await call('DELETE', `/v1/buildUploads/${upload.id}`)).status).toBe(204);
    expect((await call('GET', `/v1/buildUploads/${upload.id}`)).status).toBe(404);
  });
});
