import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { decodeProtectedHeader } from 'jose';
import type { Answer } from '../support/api.js';
import { startWorld, type World, DataSource, STORE_IDS } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus, type Publishable, type Tenant } from '../support/given.js';
import { testStoreAt } from '../reconcile/test-stores.js';
import { chromeAccount, KEY_PARTS } from './chrome-account.js';

const KEY = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
/** The key of every test world. */
const FIRST = KEY('k1', 7);
const SECOND = KEY('k2', 8);

describe('the secrets of a credential', () => {
  let world: World;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    tenant = await world.given.tenant();
  });
  afterAll(() => world.close());

  const others: World[] = [];
  afterEach(async () => {
    for (const other of others.splice(0)) await other.close();
  });
  /** Another process on the same database, with other keys. */
  const startWith = async (...keys: readonly string[]): Promise<World> => {
    const other = await startWorld({ with: world, env: { ENCRYPTION_KEYS: keys.join() } });
    others.push(other);
    return other;
  };

  const sql = <Row>(text: string, ...parameters: readonly unknown[]): Promise<Row[]> =>
    world.app.get(DataSource).query(text, [...parameters]);
  const sealedOf = async (id: string): Promise<string> =>
    (await sql<{ sealed: string }>('select sealed from credential where id = $1', id))[0]?.sealed ?? '';
  const keyIdOf = async (id: string): Promise<string | undefined> => decodeProtectedHeader(await sealedOf(id)).kid;
  const shown = async (id: string): Promise<object> => (await world.api.as(tenant).get(`/credentials/${id}`)).body;
  const patch = (id: string, changes: object): Promise<Answer> =>
    world.api.as(tenant).patch(`/credentials/${id}`, changes);
  /** A target on the store's shelf with a credential of its own. */
  const publishable = async (): Promise<Publishable> => world.given.publishable({ published: '1.0.0' }, tenant);
  const reconcile = async ({ extensionId }: Publishable, at = world) =>
    expectStatus(await at.api.as(tenant).post(`/extensions/${extensionId}/reconcile`), 200).body.targets[0];
  const plan = async ({ extensionId }: Publishable, at = world) =>
    expectStatus(await at.api.as(tenant).get(`/extensions/${extensionId}/next-steps`), 200).body.targets[0];

  it('are verified and replaced under the same id, label and expiry', async () => {
    const at = await chromeAccount(world);
    const input = { store: 'chrome', label: 'main', expiresAt: '2030-01-01T00:00:00Z', credentials: at.key };
    const before = expectStatus(await world.api.as(tenant).post('/credentials', input), 201).body;
    await world.forward(DAY);
    const now = world.clock.now().toISOString();
    const { refreshToken, clientId } = at.token;
    const rotated = {
      ...before,
      lastFour: refreshToken.slice(-4),
      identity: clientId,
      verifiedAt: now,
      health: { state: 'unproven', at: now },
      updatedAt: now,
    };
    expect(await patch(before.id, { credentials: at.token })).toMatchObject({ status: 200, body: rotated });
    expect(await shown(before.id)).toEqual(rotated);
    expect(await world.control.requests({ publisherId: at.publisherId })).toHaveLength(2);
  });

  it('keep what stays the same for every key when a rotation leaves it out, in either form', async () => {
    const { key, token, publisherId, email } = await chromeAccount(world);
    const { id } = expectStatus(
      await world.api.as(tenant).post('/credentials', { store: 'chrome', credentials: key }),
      201,
    ).body;
    const [withoutId, keyFile] = [{ ...token, publisherId: undefined }, key.serviceAccount];
    expect(await patch(id, { credentials: withoutId })).toMatchObject({ body: { identity: token.clientId } });
    expect(await patch(id, { credentials: { serviceAccount: keyFile } })).toMatchObject({ body: { identity: email } });
    expect(await world.control.requests({ publisherId })).toHaveLength(3);
    // It names the account of the targets still.
    const row = await sql<{ account: string }>('select account from credential where id = $1', id);
    expect(row).toEqual([{ account: publisherId }]);
    const missing = { code: 'invalid_request', errors: [{ field: 'credentials.serviceAccount' }] };
    expect(await patch(id, { credentials: {} })).toMatchObject({ status: 400, body: missing });
    const cleared = await patch(id, { credentials: { ...token, publisherId: null } });
    expect(cleared).toMatchObject({ status: 400, body: { errors: [{ field: 'credentials.publisherId' }] } });
  });

  it('are asked for whole when the old ones cannot be decrypted', async () => {
    const mine = await publishable();
    await sql("update credential set sealed = 'altered' where id = $1", mine.credentialId);
    const { publisherId, serviceAccount } = await world.control.rotate(mine.clientEmail);
    expect(await patch(mine.credentialId, { credentials: { serviceAccount } })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'credentials.publisherId' }] },
    });
    expectStatus(await patch(mine.credentialId, { credentials: { publisherId, serviceAccount } }), 200);
  });

  it('keep working when their rotation fails, and nothing is saved', async () => {
    const mine = await publishable();
    const before = await shown(mine.credentialId);
    const { key, token, publisherId } = await chromeAccount(world);
    const wrong = { ...token, refreshToken: '1//0of-nobody' };
    const refused = await patch(mine.credentialId, { credentials: wrong, label: 'new' });
    expect(refused).toMatchObject({ status: 422, body: { code: 'store_rejected_credentials' } });
    await world.control.fault({ publisherId, match: { operation: 'token' }, kind: 'drop-before' });
    expect((await patch(mine.credentialId, { credentials: key, label: 'new' })).status).toBe(503);
    expect((await patch(mine.credentialId, { credentials: { ...key, x: 1 }, label: 'new' })).status).toBe(400);
    expect(await shown(mine.credentialId)).toEqual(before);
    expect(await reconcile(mine)).toMatchObject({ store: 'chrome', phase: 'idle' });
  });

  it('resume the targets that waited for them, once they are rotated', async () => {
    const mine = await publishable();
    await world.control.account(mine.publisherId, 'revoke', { what: 'all' });
    expect(await reconcile(mine)).toMatchObject({ phase: 'action_required' });
    const { publisherId, serviceAccount } = await world.control.rotate(mine.clientEmail);
    expectStatus(await patch(mine.credentialId, { credentials: { publisherId, serviceAccount } }), 200);
    await world.tick();
    const path = `/extensions/${mine.extensionId}/targets/${mine.targetId}`;
    expect((await world.api.as(mine).get(path)).body.status).toMatchObject({ phase: 'idle', failures: 0 });
  });

  it.each(STORE_IDS)('are ok again at %s once they are rotated, and stay so', async (store) => {
    const api = world.api.as(tenant);
    const at = await testStoreAt(store, world.sandbox.url);
    const { id } = expectStatus(await api.post('/credentials', { store, credentials: at.credentials }), 201).body;
    const extensionId = await world.given.extension(tenant);
    const path = `/extensions/${extensionId}/targets/${await world.given.targetOf(tenant, extensionId, store)}`;
    expectStatus(await api.patch(path, { ...at.settings, credentialId: id, enabled: true }), 200);
    const ask = async () => expectStatus(await api.post(`/extensions/${extensionId}/reconcile`), 200);
    await at.revoke();
    await ask();
    expect(await shown(id)).toMatchObject({ health: { state: 'refused' } });
    const rotated = await patch(id, { credentials: await at.rotate() });
    expect(rotated).toMatchObject({ status: 200, body: { health: { state: 'ok' } } });
    await ask();
    expect(await shown(id)).toMatchObject({ health: { state: 'ok' } });
  });

  it('are stored only as JWE', async () => {
    const at = await chromeAccount(world);
    for (const credentials of [at.key, at.token]) {
      const { body } = await world.api.as(tenant).post('/credentials', { store: 'chrome', credentials });
      const [row] = await sql<object>('select * from credential where id = $1', body.id);
      const text = JSON.stringify(row);
      const parts = (await sealedOf(body.id)).split('.');
      expect(parts).toHaveLength(5);
      expect(JSON.parse(Buffer.from(parts[0] ?? '', 'base64url').toString())).toEqual({
        alg: 'dir',
        enc: 'A256GCM',
        kid: 'k1',
      });
      for (const secret of [...KEY_PARTS, at.token.clientSecret, at.token.refreshToken])
        expect(text).not.toContain(secret);
    }
  });

  it('decrypt for their own row only, and the target names the remedy otherwise', async () => {
    const [mine, thine] = [await publishable(), await publishable()];
    const [sealed, other] = [await sealedOf(mine.credentialId), await sealedOf(thine.credentialId)];
    await sql('update credential set sealed = $2 where id = $1', mine.credentialId, other);
    await sql('update credential set sealed = $2 where id = $1', thine.credentialId, sealed);
    const before = await world.control.requests();
    for (const one of [mine, thine]) {
      expect(await reconcile(one)).toMatchObject({
        phase: 'action_required',
        message: expect.stringMatching(
          /^Pierhead cannot ask the store: it can no longer decrypt the secrets of the credential “main”\..*rotate/,
        ),
      });
      expect(await plan(one)).toMatchObject({
        step: 'ask_human',
        because: expect.stringMatching(/can no longer decrypt/),
      });
    }
    expect(await world.control.requests()).toEqual(before);
    expect(world.log.filter((line) => line.includes('credential cannot be decrypted')).length).toBeGreaterThanOrEqual(
      2,
    );
    const { publisherId, serviceAccount } = await world.control.rotate(mine.clientEmail);
    expectStatus(await patch(mine.credentialId, { credentials: { publisherId, serviceAccount } }), 200);
    expect(await reconcile(mine)).toMatchObject({ phase: 'idle' });
  });

  it('do not decrypt after they were altered', async () => {
    const mine = await publishable();
    for (const sealed of ['', 'garbage', (await sealedOf(mine.credentialId)).replace(/.....$/, 'AAAAA')]) {
      await sql('update credential set sealed = $2 where id = $1', mine.credentialId, sealed);
      expect(await reconcile(mine)).toMatchObject({ phase: 'action_required' });
    }
  });

  it('decrypt under an older key, and are encrypted under the new one at their next use', async () => {
    const mine = await publishable();
    const unused = await publishable();
    expect(await keyIdOf(mine.credentialId)).toBe('k1');
    const changing = await startWith(SECOND, FIRST);
    await world.forward(HOUR);
    expect(await reconcile(mine, changing)).toMatchObject({ phase: 'idle' });
    expect(await keyIdOf(mine.credentialId)).toBe('k2');
    expect(await keyIdOf(unused.credentialId)).toBe('k1');

    const changed = await startWith(SECOND);
    expect(await reconcile(mine, changed)).toMatchObject({ phase: 'idle' });
    expect(await reconcile(unused, changed)).toMatchObject({ phase: 'action_required' });
    expect(changed.log.join()).toContain('ENCRYPTION_KEYS has no key k1');
  });
});
