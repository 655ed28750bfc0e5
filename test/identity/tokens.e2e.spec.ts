import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeJwt, SignJWT } from 'jose';
import type { Answer } from '../support/api.js';
import { startWorld, type World, DataSource } from '../support/app.js';
import { DAY, MINUTE, SECOND } from '../support/clock.js';
import type { Tenant } from '../support/given.js';

const SECRET = new TextEncoder().encode('a secret that only the tests know and use');
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Forgery {
  readonly claims?: object;
  readonly alg?: string;
  readonly key?: Parameters<SignJWT['sign']>[0];
}

/** A token like one that was issued, with something else about it. */
const forge = (token: string, { claims = {}, alg = 'HS256', key = SECRET }: Forgery): Promise<string> =>
  new SignJWT({ ...decodeJwt(token), ...claims }).setProtectedHeader({ alg, typ: 'JWT' }).sign(key);

describe('an access token', () => {
  let world: World;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    tenant = await world.given.tenant();
  });
  afterAll(() => world.close());

  const create = (input: object, { cookie }: Pick<Tenant, 'cookie'> = tenant): Promise<Answer> =>
    world.api.as({ cookie }).post('/access-tokens', { name: 'CI', scopes: ['*'], ...input });
  const use = (token: string): Promise<Answer> => world.api.as({ token }).get('/extensions');
  const listed = async (of: Tenant): Promise<readonly { readonly id: string; readonly lastUsedAt: string | null }[]> =>
    (await world.api.as({ cookie: of.cookie }).get('/access-tokens')).body.items;
  const unauthenticated = { status: 401, body: { code: 'unauthenticated' } };
  const refusedAs = (reason: string): object => ({ status: 401, body: { code: 'unauthenticated', reason } });

  it('is shown only when it is created', async () => {
    const made = await create({ name: ' Night build ', scopes: ['artifacts:write'], expiresInDays: 30 });
    expect(made.status).toBe(201);
    const { token, ...shown } = made.body;
    expect(shown).toMatchObject({
      name: 'Night build',
      scopes: ['artifacts:write'],
      lastFour: token.slice(-4),
      lastUsedAt: null,
      expiresAt: new Date(world.clock.now().getTime() + 30 * DAY).toISOString(),
    });
    const list = await world.api.as({ cookie: tenant.cookie }).get('/access-tokens');
    expect(list.body.items).toContainEqual(shown);
    expect(list.text).not.toContain(token);
    const rows = await world.app.get(DataSource).query('select * from access_token where id = $1', [shown.id]);
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[2]);
  });

  it('records its last use, to the minute', async () => {
    const owner = await world.given.tenant();
    const lastUse = async () => (await listed(owner))[0]?.lastUsedAt;
    expect(await lastUse()).toBeNull();
    await use(owner.token);
    const first = world.clock.now().toISOString();
    expect(await lastUse()).toBe(first);
    world.clock.forward(MINUTE - SECOND);
    await use(owner.token);
    expect(await lastUse()).toBe(first);
    world.clock.forward(SECOND);
    await use(owner.token);
    expect(await lastUse()).toBe(world.clock.now().toISOString());
  });

  it('records from where and with what it was used last', async () => {
    const owner = await world.given.tenant();
    const used = async (userAgent: string): Promise<object | undefined> => {
      await world.api.as({ token: owner.token }).get('/extensions', { headers: { 'user-agent': userAgent } });
      return (await listed(owner))[0];
    };
    expect((await listed(owner))[0]).toMatchObject({ lastUsedAddress: null, lastUsedClient: null });
    const first = { lastUsedAddress: '127.0.0.1', lastUsedClient: 'curl/8.5.0' };
    expect(await used('curl/8.5.0 (x86_64)')).toMatchObject(first);
    world.clock.forward(MINUTE - SECOND);
    expect(await used('other/1.0')).toMatchObject(first);
    world.clock.forward(SECOND);
    expect(await used('other/1.0')).toMatchObject({ lastUsedClient: 'other/1.0' });
  });

  it('with the scope credentials:write creates and rotates credentials, and reads or deletes none', async () => {
    const owner = await world.given.publishable();
    const path = `/credentials/${owner.credentialId}`;
    const bearer = async (scopes: readonly string[]) => world.api.as({ token: await world.given.token(owner, scopes) });
    const writing = await bearer(['credentials:write']);
    expect(await writing.patch(path, { label: 'rotated' })).toMatchObject({ status: 200, body: { label: 'rotated' } });
    const secrets = { store: 'stripe', credentials: { webhookSecret: 'whsec_C2FVsBQIhrscChlQIMV' } };
    expect((await writing.post('/credentials', secrets)).status).toBe(201);
    for (const answer of [await writing.get('/credentials'), await writing.get(path), await writing.delete(path)])
      expect(answer).toMatchObject(unauthenticated);
    const everyday = await bearer(['*']);
    for (const answer of [await everyday.patch(path, { label: 'x' }), await everyday.post('/credentials', secrets)])
      expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });

  it('is valid until exactly its expiry', async () => {
    const { token } = (await create({ expiresInDays: 1 })).body;
    world.clock.forward(DAY - SECOND);
    expect((await use(token)).status).toBe(200);
    world.clock.forward(SECOND);
    expect(await use(token)).toMatchObject(unauthenticated);
  });

  it('without an expiry stays valid for years', async () => {
    const { token, expiresAt } = (await create({})).body;
    expect(expiresAt).toBeNull();
    const later = await startWorld({ with: world });
    later.clock.forward(2000 * DAY);
    expect((await later.api.as({ token }).get('/extensions')).status).toBe(200);
    later.clock.forward(-2000 * DAY);
    await later.close();
  });

  it('is refused from the moment of revocation, while other requests with it are running', async () => {
    const { id, token } = (await create({})).body;
    const underWay = Promise.all(Array.from({ length: 10 }, () => use(token)));
    const revoked = await world.api.as({ cookie: tenant.cookie }).delete(`/access-tokens/${id}`);
    expect(revoked.status).toBe(204);
    const after = await Promise.all(Array.from({ length: 5 }, () => use(token)));
    expect(after.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    for (const { status } of await underWay) expect([200, 401]).toContain(status);
    const again = await world.api.as({ cookie: tenant.cookie }).delete(`/access-tokens/${id}`);
    expect(again).toMatchObject({ status: 404, body: { code: 'access_token_not_found' } });
  });

  it.each<[string, string, object]>([
    ['name', 'blank', { name: ' ' }],
    ['name', 'too long', { name: 'x'.repeat(101) }],
    ['scopes', 'empty', { scopes: [] }],
    ['scopes', 'unknown', { scopes: ['everything'] }],
    ['scopes', 'named twice', { scopes: ['*', '*'] }],
    ['scopes', 'no list', { scopes: '*' }],
    ['expiresInDays', 'zero', { expiresInDays: 0 }],
    ['expiresInDays', 'beyond ten years', { expiresInDays: 3651 }],
    ['expiresInDays', 'a fraction', { expiresInDays: 1.5 }],
    ['expiresInDays', 'null', { expiresInDays: null }],
    ['tenantId', "not the caller's to choose", { tenantId: randomUUID() }],
  ])('is not created with a field %s that is %s', async (field, _, wrong) => {
    expect(await create(wrong)).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ field }] } });
  });

  it('includes read access in write access of the same kind only', async () => {
    const writer = await world.given.token(tenant, ['extensions:write']);
    const reader = await world.given.token(tenant, ['extensions:read']);
    const other = await world.given.token(tenant, ['artifacts:write', 'licenses:write', 'analytics:read']);
    expect((await use(writer)).status).toBe(200);
    expect((await use(reader)).status).toBe(200);
    const refused = await use(other);
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(refused.headers.get('www-authenticate')).toContain('scope="extensions:read"');
    const name = `Extension ${randomUUID()}`;
    expect((await world.api.as({ token: reader }).post('/extensions', { name })).status).toBe(403);
    expect((await world.api.as({ token: writer }).post('/extensions', { name })).status).toBe(201);
    const query = { extension: randomUUID(), version: '1.0' };
    expect((await world.api.as({ token: writer }).push(query)).status).toBe(403);
    expect((await world.api.as({ token: other }).push(query)).body.code).toBe('extension_not_found');
  });

  it('is accepted when a forgery has its own claims and signature, which validates the tests below', async () => {
    expect((await use(await forge(tenant.token, {}))).status).toBe(200);
    const bearer = { headers: { authorization: `bearer ${tenant.token}` } };
    expect((await world.api.get('/extensions', bearer)).status).toBe(200);
  });

  it('is refused after the expiry in its claims, whatever its row says', async () => {
    const inSeconds = (ms: number): number => Math.floor((world.clock.now().getTime() + ms) / SECOND);
    const ends = (exp: number): Promise<string> => forge(tenant.token, { claims: { exp } });
    expect((await use(await ends(inSeconds(MINUTE)))).status).toBe(200);
    for (const exp of [1, inSeconds(0)]) {
      expect(await use(await ends(exp))).toMatchObject(refusedAs('expired'));
    }
  });

  it('is refused with the reason, and reports revocation only to holders of the genuine token', async () => {
    const owner = await world.given.tenant();
    const { id, token } = (await create({ expiresInDays: 1 }, owner)).body;
    const other = { key: new TextEncoder().encode('another secret that is long enough to sign') };
    const withoutAny = await world.api.get('/extensions');
    expect(withoutAny).toMatchObject(refusedAs('missing'));
    expect(withoutAny.headers.get('www-authenticate')).toBe('Bearer realm="pierhead"');
    expect(await use(token.slice(0, -30).replace(/\.[^.]*$/, ''))).toMatchObject(refusedAs('malformed'));
    expect(await use(await forge(token, other))).toMatchObject(refusedAs('unknown'));
    await world.api.as({ cookie: owner.cookie }).delete(`/access-tokens/${id}`);
    const revoked = await use(token);
    expect(revoked).toMatchObject(refusedAs('revoked'));
    expect(revoked.body.detail).toBe('The access token was revoked. Create a new one.');
    expect(revoked.headers.get('www-authenticate')).toBe(
      'Bearer realm="pierhead", error="invalid_token", error_description="The token is revoked"',
    );
    expect(await use(await forge(token, other))).toMatchObject(refusedAs('unknown'));
    world.clock.forward(DAY);
    expect(await use(token)).toMatchObject(refusedAs('expired'));
  });

  it('is read from the first Authorization header, up to the next space', async () => {
    const answered = async (...authorization: string[]): Promise<number | undefined> => {
      const asked = request(`${world.url}/api/v1/extensions`, { agent: false });
      asked.setHeader('authorization', authorization).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    const [good, bad] = [`Bearer ${tenant.token}`, 'Bearer null'];
    expect(await answered(good, bad)).toBe(200);
    expect(await answered(bad, good)).toBe(401);
    expect(await answered(`${good} and more`)).toBe(200);
    expect(await answered(`Bearer \t ${tenant.token}`)).toBe(200);
    expect(await answered(`null ${good}`)).toBe(401);
    expect(await answered(`${good},${good}`)).toBe(401);
  });

  it.each<[string, Forgery]>([
    ['another secret', { key: new TextEncoder().encode('another secret that is long enough to sign') }],
    ['HS512 and the right secret', { alg: 'HS512' }],
    ['HS384 and the right secret', { alg: 'HS384' }],
    ['RS256 and a key of its own', { alg: 'RS256', key: privateKey }],
    [
      'a public key for a secret',
      { key: new TextEncoder().encode(String(publicKey.export({ type: 'spki', format: 'pem' }))) },
    ],
    ['another issuer', { claims: { iss: 'elsewhere' } }],
    ['no issuer', { claims: { iss: undefined } }],
    ['another audience', { claims: { aud: 'elsewhere' } }],
    ['no audience', { claims: { aud: undefined } }],
    ['the id of no token', { claims: { jti: randomUUID() } }],
    ['an id that is none', { claims: { jti: `' or true --` } }],
    ['an id that is a number', { claims: { jti: 7 } }],
    ['no id', { claims: { jti: undefined } }],
    ['a time before which it is not good', { claims: { nbf: Math.floor(Date.now() / 1000) + 3600 } }],
  ])('with %s is refused', async (_, forgery) => {
    expect(await use(await forge(tenant.token, forgery))).toMatchObject(unauthenticated);
  });

  it('belongs to the tenant of its row, not of its claims', async () => {
    const other = await world.given.tenant();
    const mine = await world.given.extension(tenant);
    const forged = await forge(other.token, { claims: { sub: tenant.tenantId, scopes: ['*'] } });
    expect((await world.api.as({ token: forged }).get(`/extensions/${mine}`)).status).toBe(404);
  });

  it('is refused without a signature, when altered, or in another form', async () => {
    const [header = '', payload = '', signature = ''] = tenant.token.split('.');
    const claims = decodeJwt(tenant.token);
    const signed = (text: string): string => `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
    // The last character of a signature carries two bits that mean nothing.
    const respelt = signature.slice(0, -1) + BASE64[BASE64.indexOf(signature.slice(-1)) + 1];
    const authorizations = [
      `Bearer ${base64({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      `Bearer ${base64({ alg: 'None' })}.${payload}.${signature}`,
      `Bearer ${header}.${payload}.`,
      `Bearer ${header}.${base64({ ...claims, sub: randomUUID() })}.${signature}`,
      `Bearer ${header}.${payload}.${signature.slice(0, -2)}`,
      `Bearer ${header}.${payload}.${signature}=`,
      `Bearer ${header}.${payload}.${respelt}`,
      `Bearer ${header}.${payload}`,
      `Bearer .${payload}.${signature}`,
      `Bearer ${signed(`${header}.${Buffer.from('no JSON').toString('base64url')}`)}`,
      `Bearer ${signed(`${header}.${base64(['no', 'claims'])}`)}`,
      `Bearer ${signed(`${Buffer.from('no JSON').toString('base64url')}.${payload}`)}`,
      `Bearer ${signed(`${base64({ typ: 'JWT' })}.${payload}`)}`,
      `Bearer ${signed(`${base64({ alg: ['HS256'], typ: 'JWT' })}.${payload}`)}`,
      `Bearer ${tenant.token}.${signature}`,
      `Bearer ${tenant.token.slice(0, 40)}`,
      'Bearer',
      'Bearer  ',
      'Bearer null',
      `Basic ${tenant.token}`,
      `Bearer${tenant.token}`,
      `Bearer,${tenant.token}`,
      `xBearer ${tenant.token}`,
      tenant.token,
      `Bearer ${'x'.repeat(8000)}`,
      'x'.repeat(8000),
    ];
    for (const authorization of authorizations) {
      const answer = await world.api.get('/extensions', { headers: { authorization } });
      expect({ authorization, status: answer.status, code: answer.body.code }).toEqual({
        authorization,
        status: 401,
        code: 'unauthenticated',
      });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
    }
  });

  it('keeps its tenant among simultaneous requests of others', async () => {
    const { id: revokedId, token: revoked } = (await create({})).body;
    await world.api.as({ cookie: tenant.cookie }).delete(`/access-tokens/${revokedId}`);
    const owners = [await world.given.tenant(), await world.given.tenant(), await world.given.tenant()];
    const extensions = await Promise.all(owners.map((owner) => world.given.extension(owner)));
    const tokens = [...owners.map(({ token }) => token), revoked, await forge(tenant.token, { claims: { iss: 'x' } })];
    const asked = Array.from({ length: 8 }).flatMap(() =>
      tokens.flatMap((token, by) =>
        extensions.map((id, of) => ({ token, id, expected: by > 2 ? 401 : by === of ? 200 : 404 })),
      ),
    );
    const answers = await Promise.all(asked.map(({ token, id }) => world.api.as({ token }).get(`/extensions/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual(asked.map(({ expected }) => expected));
    expect(answers.filter(({ status }) => status === 200).map(({ body }) => body.id)).toEqual(
      asked.filter(({ expected }) => expected === 200).map(({ id }) => id),
    );
  });

  it('is listed and revoked only by its tenant', async () => {
    const [mine, other] = [await world.given.tenant(), await world.given.tenant()];
    const [{ id } = { id: '' }] = await listed(mine);
    expect((await listed(other)).map((token) => token.id)).not.toContain(id);
    const refused = await world.api.as({ cookie: other.cookie }).delete(`/access-tokens/${id}`);
    expect(refused).toMatchObject({ status: 404, body: { code: 'access_token_not_found' } });
    expect((await use(mine.token)).status).toBe(200);
  });

  describe('that a session was exchanged for', () => {
    const exchange = async ({ cookie }: Tenant): Promise<{ readonly token: string; readonly expiresAt: string }> =>
      (await world.api.as({ cookie }).post('/auth/token')).body;

    it('has all scopes for fifteen minutes', async () => {
      const owner = await world.given.tenant();
      const { token, expiresAt } = await exchange(owner);
      expect(expiresAt).toBe(new Date(world.clock.now().getTime() + 15 * MINUTE).toISOString());
      expect((await world.api.as({ token }).post('/extensions', { name: 'Night Owl' })).status).toBe(201);
      world.clock.forward(15 * MINUTE - SECOND);
      expect((await use(token)).status).toBe(200);
      world.clock.forward(SECOND);
      expect(await use(token)).toMatchObject(unauthenticated);
    });

    it('ends with its session, while other tokens continue', async () => {
      const owner = await world.given.tenant();
      const { token } = await exchange(owner);
      await world.api.as({ cookie: owner.cookie }).post('/auth/logout');
      expect(await use(token)).toMatchObject(unauthenticated);
      expect((await use(owner.token)).status).toBe(200);
    });

    it('is not listed, and is deleted after its expiry', async () => {
      const owner = await world.given.tenant();
      const count = async (): Promise<number> => {
        const sql = 'select count(*)::int as count from access_token where tenant_id = $1 and session_id is not null';
        return (await world.app.get(DataSource).query(sql, [owner.tenantId]))[0].count;
      };
      await exchange(owner);
      await exchange(owner);
      expect(await listed(owner)).toHaveLength(1);
      expect(await count()).toBe(2);
      world.clock.forward(15 * MINUTE);
      await exchange(owner);
      expect(await count()).toBe(1);
    });
  });
});
