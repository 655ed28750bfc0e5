import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World, DataSource } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { chromeAccount, type ChromeAccount } from './chrome-account.js';

describe('the publisher of a Chrome credential', () => {
  let world: World;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    tenant = await world.given.tenant();
  });
  afterAll(() => world.close());

  const api = () => world.api.as(tenant);
  const create = (credentials: object, storeItemId?: string) =>
    api().post('/credentials', { store: 'chrome', credentials, ...(storeItemId !== undefined && { storeItemId }) });
  const itemOf = async ({ publisherId }: ChromeAccount): Promise<string> =>
    (await world.control.chromeItem({ publisherId, published: '1.0.0' })).itemId;
  const healthOf = async (id: string): Promise<string> =>
    expectStatus(await api().get(`/credentials/${id}`), 200).body.health.state;
  const count = async (): Promise<number> => {
    const sql = 'select count(*)::int as count from credential where tenant_id = $1';
    return (await world.app.get(DataSource).query(sql, [tenant.tenantId]))[0].count;
  };
  /** Gives the credential a target with an item, and has the store asked. */
  const drive = async (credentialId: string, storeItemId: string) => {
    const extensionId = await world.given.extension(tenant);
    const path = `/extensions/${extensionId}/targets/${await world.given.targetOf(tenant, extensionId, 'chrome')}`;
    expectStatus(await api().patch(path, { storeItemId, credentialId, enabled: true }), 200);
    return expectStatus(await api().post(`/extensions/${extensionId}/reconcile`), 200).body.targets[0];
  };

  it.each(['key', 'token'] as const)('is proven by an item that comes with a %s', async (form) => {
    const at = await chromeAccount(world);
    const answer = await create(at[form], await itemOf(at));
    expect(answer).toMatchObject({ status: 201, body: { health: { state: 'ok' } } });
    const calls = (await world.control.requests({ publisherId: at.publisherId })).map(({ operation }) => operation);
    expect(calls).toEqual(['token', 'fetchStatus']);
  });

  it('is not proven by a key alone, and then by the first target', async () => {
    const at = await chromeAccount(world);
    const { id, health } = expectStatus(await create(at.key), 201).body;
    expect(health.state).toBe('unproven');
    expect(await drive(id, await itemOf(at))).toMatchObject({ phase: 'idle' });
    expect(await healthOf(id)).toBe('ok');
  });

  it('stays unproven while no item is found, and the target names it', async () => {
    const [at, other] = [await chromeAccount(world), await chromeAccount(world)];
    const { id } = expectStatus(await create({ ...at.key, publisherId: 'nobody' }), 201).body;
    const target = await drive(id, await itemOf(other));
    expect(target).toMatchObject({ phase: 'action_required', message: expect.stringContaining('publisherId') });
    expect(await healthOf(id)).not.toBe('ok');
  });

  it.each<[string, (at: ChromeAccount, foreign: string) => Promise<[object, string]>]>([
    ['a publisher that is nobody', async (at) => [{ ...at.key, publisherId: 'nobody' }, await itemOf(at)]],
    ["another publisher's item", (at, foreign) => Promise.resolve([at.key, foreign])],
    ['an item that does not exist', (at) => Promise.resolve([at.token, 'a'.repeat(32)])],
  ])("is refused for %s with the store's words, and nothing is saved", async (_, wrong) => {
    const [at, other] = [await chromeAccount(world), await chromeAccount(world)];
    const before = await count();
    const answer = await create(...(await wrong(at, await itemOf(other))));
    expect(answer).toMatchObject({ status: 422, body: { code: 'store_rejected_credentials' } });
    expect(answer.body.detail).toMatch(/publisherId/);
    expect(await count()).toBe(before);
  });

  it('decides about a rotation by the items of the targets, of which one may be gone', async () => {
    const mine = await world.given.publishable({ published: '1.0.0' }, tenant);
    const path = `/credentials/${mine.credentialId}`;
    const { serviceAccount } = await world.control.rotate(mine.clientEmail);
    const wrong = await api().patch(path, { credentials: { publisherId: 'nobody', serviceAccount } });
    expect(wrong).toMatchObject({ status: 422, body: { code: 'store_rejected_credentials' } });
    expect(expectStatus(await api().patch(path, { credentials: { serviceAccount } }), 200).body.health.state).toBe(
      'ok',
    );
    // The first target's item is not the publisher's; the second one's is.
    const other = await chromeAccount(world);
    const [gone, own] = [await itemOf(await chromeAccount(world)), await itemOf(other)];
    const { id } = expectStatus(await create(other.key), 201).body;
    await drive(id, gone);
    const refused = await api().patch(`/credentials/${id}`, { credentials: other.token });
    expect(refused).toMatchObject({ status: 422, body: { code: 'store_rejected_credentials' } });
    await drive(id, own);
    const rotated = await api().patch(`/credentials/${id}`, { credentials: other.token });
    expect(rotated).toMatchObject({ status: 200, body: { health: { state: 'ok' } } });
  });

  it('is not decided while the store does not answer: nothing is saved', async () => {
    const at = await chromeAccount(world);
    const storeItemId = await itemOf(at);
    const before = await count();
    await world.control.fault({
      publisherId: at.publisherId,
      match: { operation: 'fetchStatus' },
      kind: 'status',
      status: 503,
    });
    expect(await create(at.key, storeItemId)).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    expect(await count()).toBe(before);
  });
});
