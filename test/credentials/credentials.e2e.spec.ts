import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultOptions } from '../../sandbox/sandbox-control.js';
import type { Answer } from '../support/api.js';
import { startWorld, type World, DataSource } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { chromeAccount, KEY_LAST_FOUR, KEY_PARTS, type ChromeAccount } from './chrome-account.js';

describe('store credentials', () => {
  let world: World;
  let tenant: Tenant;
  /** Everything the service ever answered in this file. */
  const told: string[] = [];
  const secrets = new Set<string>(KEY_PARTS);
  beforeAll(async () => {
    world = await startWorld();
    tenant = await world.given.tenant();
  });
  afterAll(() => world.close());

  const heard = (answer: Answer): Answer => {
    told.push(answer.text);
    return answer;
  };
  const api = ({ cookie }: Pick<Tenant, 'cookie'> = tenant) => world.api.as({ cookie });
  const create = async (credentials: unknown, more: object = {}, of = tenant): Promise<Answer> =>
    heard(await api(of).post('/credentials', { store: 'chrome', credentials, ...more }));
  const patch = async (id: string, changes: object): Promise<Answer> =>
    heard(await api().patch(`/credentials/${id}`, changes));
  const account = async (): Promise<ChromeAccount> => {
    const made = await chromeAccount(world);
    secrets.add(made.token.clientSecret).add(made.token.refreshToken);
    return made;
  };
  const saved = async (more: object = {}): Promise<{ readonly id: string; readonly at: ChromeAccount }> => {
    const at = await account();
    return { id: expectStatus(await create(at.key, more), 201).body.id, at };
  };
  const rows = async (of = tenant): Promise<number> => {
    const sql = 'select count(*)::int as count from credential where tenant_id = $1';
    return (await world.app.get(DataSource).query(sql, [of.tenantId]))[0].count;
  };
  const shown = async (id: string) => heard(await api().get(`/credentials/${id}`)).body;

  it('of a service account are verified with the store, and show its e-mail address and the last four characters of the key', async () => {
    const at = await account();
    const { status, body } = await create(at.key, { label: ' main ', expiresAt: '2030-01-31T12:00:00+02:00' });
    expect(status).toBe(201);
    const now = world.clock.now().toISOString();
    expect(body).toEqual({
      id: expect.any(String),
      store: 'chrome',
      label: 'main',
      expiresAt: '2030-01-31T10:00:00.000Z',
      lastFour: KEY_LAST_FOUR,
      identity: at.email,
      verifiedAt: now,
      health: { state: 'unproven', at: now },
      createdAt: now,
      updatedAt: now,
    });
    expect(await shown(body.id)).toEqual(body);
    const calls = await world.control.requests({ publisherId: at.publisherId });
    expect(calls.map(({ operation }) => operation)).toEqual(['token']);
  });

  it('of a person show the client id and the last four characters of the refresh token', async () => {
    const { token } = await account();
    expect(await create(token)).toMatchObject({
      status: 201,
      body: { lastFour: token.refreshToken.slice(-4), identity: token.clientId, label: null, expiresAt: null },
    });
  });

  it("are accepted as Google's whole key file, and with literal line breaks in the key", async () => {
    const { key, email } = await account();
    const { private_key } = key.serviceAccount;
    const file = {
      type: 'service_account',
      project_id: 'sandbox',
      private_key_id: '0123abcd',
      client_id: '1',
      token_uri: 'https://oauth2.googleapis.com/token',
      universe_domain: 'googleapis.com',
    };
    for (const serviceAccount of [
      { ...file, client_email: email, private_key },
      { client_email: email, private_key: private_key.replaceAll('\n', '\\n') },
      { client_email: email, private_key: private_key.replaceAll('\n', '\r\n') },
    ]) {
      const answer = await create({ publisherId: key.publisherId, serviceAccount });
      expect(answer).toMatchObject({ status: 201, body: { lastFour: KEY_LAST_FOUR, identity: email } });
    }
  });

  it.each<[string, (at: ChromeAccount) => unknown]>([
    ['credentials', () => undefined],
    ['credentials', () => null],
    ['credentials', () => 'MARKED'],
    ['credentials', () => ['MARKED']],
    ['credentials.publisherId', ({ key }) => ({ ...key, publisherId: undefined })],
    ['credentials.publisherId', ({ key }) => ({ ...key, publisherId: 'MARKED/../x' })],
    ['credentials.apiKey', ({ key }) => ({ ...key, apiKey: 'MARKED' })],
    ['credentials.password', ({ token }) => ({ ...token, password: 'MARKED' })],
    ['credentials.serviceAccount', ({ publisherId }) => ({ publisherId })],
    ['credentials.serviceAccount', ({ key, token }) => ({ ...key, ...token })],
    ['credentials.serviceAccount', ({ publisherId }) => ({ publisherId, serviceAccount: 'MARKED' })],
    [
      'credentials.serviceAccount.private_key',
      ({ publisherId, email }) => ({ publisherId, serviceAccount: { client_email: email, private_key: 'MARKED' } }),
    ],
    [
      'credentials.serviceAccount.client_email',
      ({ key }) => ({ ...key, serviceAccount: { ...key.serviceAccount, client_email: 'MARKED' } }),
    ],
    ['credentials.clientSecret', ({ token }) => ({ ...token, clientSecret: '' })],
    ['credentials.refreshToken', ({ token }) => ({ ...token, refreshToken: { MARKED: 1 } })],
    ['credentials.constructor', ({ key }) => ({ ...key, constructor: 'MARKED' })],
  ])(
    'that do not fit are refused by naming %s, without asking the store or repeating a value',
    async (field, wrong) => {
      const at = await account();
      const before = await rows();
      const answer = await create(wrong(at));
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ field }] } });
      expect(answer.text).not.toContain('MARKED');
      expect(await rows()).toBe(before);
      expect(await world.control.requests({ publisherId: at.publisherId })).toEqual([]);
    },
  );

  it.each<[string, string, object]>([
    ['store', 'unknown', { store: 'opera' }],
    ['store', 'missing', { store: undefined }],
    ['label', 'too long', { label: 'x'.repeat(101) }],
    ['expiresAt', 'no time', { expiresAt: 'soon' }],
    ['expiresAt', 'no day of any calendar', { expiresAt: '2030-02-30' }],
    ['lastFour', "not the caller's to say", { lastFour: 'abcd' }],
  ])('with a field %s that is %s are refused', async (field, _, wrong) => {
    const answer = await create((await account()).key, wrong);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ field }] } });
  });

  it.each<[string, RegExp, (at: ChromeAccount) => Promise<object>]>([
    [
      'a deleted key',
      /Invalid JWT Signature/,
      async ({ key, publisherId }) => {
        await world.control.account(publisherId, 'revoke', { what: 'serviceAccountKey' });
        return key;
      },
    ],
    [
      'a key that cannot be read',
      /^The service account's private_key cannot be read\..* The store was not asked, and nothing was saved\.$/,
      async ({ key }) => ({
        ...key,
        serviceAccount: {
          ...key.serviceAccount,
          private_key: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
        },
      }),
    ],
    [
      'an unknown service account',
      /account not found/,
      async ({ key }) => ({
        ...key,
        serviceAccount: { ...key.serviceAccount, client_email: 'nobody@sandbox.example' },
      }),
    ],
    [
      'a revoked refresh token',
      /expired or revoked/,
      async ({ token, publisherId }) => {
        await world.control.account(publisherId, 'revoke', { what: 'refreshToken' });
        return token;
      },
    ],
    [
      'a wrong client secret',
      /client secret is invalid/,
      async ({ token }) => ({ ...token, clientSecret: 'GOCSPX-x' }),
    ],
  ])("with %s are refused with the store's message, and nothing is saved", async (_, words, wrong) => {
    const credentials = await wrong(await account());
    const before = await rows();
    const { status, body } = await create(credentials);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'store_rejected_credentials', detail: expect.stringMatching(words) });
    expect(await rows()).toBe(before);
  });

  it.each<[string, Omit<FaultOptions, 'match'>, string | null]>([
    ['answers 500', { kind: 'status', status: 500 }, null],
    ['names a time', { kind: 'status', status: 503, headers: { 'Retry-After': '120' } }, '120'],
    ['throttles', { kind: 'status', status: 429, headers: { 'Retry-After': '7' } }, '7'],
    ['answers with a web page', { kind: 'body', body: '<html>Bad gateway</html>' }, null],
    ['answers with megabytes', { kind: 'huge-body', megabytes: 20 }, null],
    ['drops the connection', { kind: 'drop-before' }, null],
    ['drops the connection afterwards', { kind: 'drop-after' }, null],
  ])(
    'cannot be verified while the store %s: nothing is saved, and a time to come back is named',
    async (_, fault, seconds) => {
      const { key, publisherId } = await account();
      const before = await rows();
      await world.control.fault({ publisherId, match: { operation: 'token' }, ...fault });
      const answer = await create(key);
      expect(answer).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
      expect(answer.headers.get('retry-after')).toBe(seconds ?? '30');
      expect(await rows()).toBe(before);
      expect((await create(key)).status).toBe(201);
    },
  );

  it('change their label and expiry without a call to the store', async () => {
    const { id, at } = await saved();
    const before = await shown(id);
    await world.forward(DAY);
    const changed = {
      ...before,
      label: 'spare',
      expiresAt: '2031-01-01T00:00:00.000Z',
      updatedAt: world.clock.now().toISOString(),
    };
    expect(await patch(id, { label: 'spare', expiresAt: '2031-01-01' })).toMatchObject({ status: 200, body: changed });
    expect(await shown(id)).toEqual(changed);
    expect((await patch(id, { label: null, expiresAt: null })).body).toMatchObject({ label: null, expiresAt: null });
    expect(await world.control.requests({ publisherId: at.publisherId })).toHaveLength(1);
  });

  it.each([
    {},
    { label: 'main' },
    { expiresAt: '2030-01-01T01:00:00+01:00' },
    { label: ' main ', expiresAt: '2030-01-01' },
  ])('are not changed by %j when it has the same values', async (changes) => {
    const { id } = await saved({ label: 'main', expiresAt: '2030-01-01T00:00:00Z' });
    expect(await patch(id, changes)).toMatchObject({ status: 400, body: { code: 'nothing_to_update' } });
  });

  it('are deleted only when no target uses them', async () => {
    const mine = await world.given.publishable({}, tenant);
    const remove = async () => heard(await api().delete(`/credentials/${mine.credentialId}`));
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'credential_in_use' } });
    const target = `/extensions/${mine.extensionId}/targets/${mine.targetId}`;
    expectStatus(await world.api.as(mine).patch(target, { credentialId: null }), 200);
    expect((await remove()).status).toBe(204);
    expect(await remove()).toMatchObject({ status: 404, body: { code: 'credential_not_found' } });
  });

  it('are listed newest first, by page, to their tenant only', async () => {
    const mine = await world.given.tenant();
    const labels = ['a', 'b', 'c'];
    for (const label of labels) expectStatus(await create((await account()).key, { label }, mine), 201);
    const first = heard(await api(mine).get('/credentials?limit=2')).body;
    const second = heard(await api(mine).get(`/credentials?limit=2&cursor=${first.nextCursor}`)).body;
    const items: readonly { readonly label: string }[] = [...first.items, ...second.items];
    expect(items.map(({ label }) => label)).toEqual(labels.toReversed());
    expect(second.nextCursor).toBeNull();
    expect((await api(await world.given.tenant()).get('/credentials')).body.items).toEqual([]);
    expect(await api().patch(`/credentials/${randomUUID()}`, { label: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'credential_not_found' },
    });
  });

  it('change in the shape in which they were created, of the same store', async () => {
    const { id, at } = await saved();
    expect(await patch(id, { store: 'chrome', credentials: at.key, label: 'again' })).toMatchObject({
      status: 200,
      body: { label: 'again' },
    });
    expect(await patch(id, { store: 'edge', label: 'other' })).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_request',
        errors: [{ field: 'store', message: expect.stringMatching(/^must be chrome/) }],
      },
    });
    expect(await shown(id)).toMatchObject({ store: 'chrome', label: 'again' });
  });

  it('never appear in an answer or a log line', () => {
    expect(secrets.size).toBeGreaterThan(60);
    const everything = [...told, ...world.log].join('\n');
    expect(everything.length).toBeGreaterThan(10_000);
    expect([...secrets].filter((secret) => everything.includes(secret))).toEqual([]);
    expect(everything).not.toMatch(/MARKED|GOCSPX|1\/\/0/);
  });
});
