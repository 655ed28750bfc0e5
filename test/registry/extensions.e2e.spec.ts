import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { startWorld, type World, DataSource } from '../support/app.js';
import { SECOND } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';

const LICENSING = {
  enabled: true,
  seatIdleDays: 30,
  replacedCodeDays: 7,
  offlineGraceDays: 7,
  activationLink: false,
};
const duplicate = { status: 409, body: { code: 'duplicate_name' } };
const notFound = { status: 404, body: { code: 'extension_not_found' } };

describe('an extension', () => {
  let world: World;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await startWorld({ env: { TENANT_QUOTAS: 'standard:0' } });
    tenant = await world.given.tenant();
  });
  afterAll(() => world.close());

  const create = (name: unknown, { token }: Pick<Tenant, 'token'> = tenant): Promise<Answer> =>
    world.api.as({ token }).post('/extensions', { name });
  const patch = (id: string, changes: object): Promise<Answer> =>
    world.api.as(tenant).patch(`/extensions/${id}`, changes);
  const rowsOf = async (table: string, extensionId: string): Promise<number> => {
    const sql = `select count(*)::int as count from ${table} where extension_id = $1`;
    return (await world.app.get(DataSource).query(sql, [extensionId]))[0].count;
  };

  it('starts with licensing and analytics enabled, and one disabled target per store', async () => {
    const name = `Extension ${randomUUID()}`;
    const { status, body } = await create(name);
    expect(status).toBe(201);
    const now = world.clock.now().toISOString();
    expect(body).toEqual({
      id: expect.any(String),
      name,
      licensing: LICENSING,
      analytics: { enabled: true },
      approval: { required: false },
      createdAt: now,
      updatedAt: now,
    });
    expect((await world.api.as(tenant).get(`/extensions/${body.id}`)).body).toEqual(body);
    const { targets } = (await world.api.as(tenant).get(`/extensions/${body.id}/targets`)).body;
    expect(targets.map(({ store, enabled }: { store: string; enabled: boolean }) => [store, enabled])).toEqual([
      ['chrome', false],
      ['firefox', false],
      ['edge', false],
      ['safari', false],
    ]);
  });

  it.each<[string, unknown]>([
    ['nothing', ''],
    ['blanks', '   '],
    ['blanks of other alphabets', '\t\u00a0\u2003'],
    ['201 characters', 'x'.repeat(201)],
    ['10 kB', 'x'.repeat(10_000)],
    ['null', null],
    ['a number', 7],
    ['a list', ['a']],
    ['undefined', undefined],
  ])('cannot be named %s', async (_, name) => {
    const { status, body } = await create(name);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'name' }] });
  });

  it('has its name trimmed, and accepts any name of up to 200 characters', async () => {
    expect((await create('  Night Owl \n')).body.name).toBe('Night Owl');
    for (const name of ['🦉'.repeat(200), '<script>alert(1)</script>', `'; drop table extension; --`])
      expect(await create(name)).toMatchObject({ status: 201, body: { name } });
  });

  it('has a unique name per tenant, compared without case and Unicode form', async () => {
    const owner = await world.given.tenant();
    expect((await create('Café Straße', owner)).status).toBe(201);
    for (const name of ['Café Straße', ' café straße ', 'CAFE\u0301 STRASSE', 'Ｃａｆｅ\u0301 Straße'])
      expect(await create(name, owner)).toMatchObject(duplicate);
    expect((await create('Cafe Strasse', owner)).status).toBe(201);
    expect((await create('Café Straße', await world.given.tenant())).status).toBe(201);
  });

  it('is created once, with its targets, by ten simultaneous requests', async () => {
    const name = `Racer ${randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => create(index % 2 === 0 ? name : name.toUpperCase())),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'duplicate_name')).toHaveLength(9);
    expect(await rowsOf('target', made[0]?.body.id)).toBe(4);
  });

  it('can be renamed, also to another spelling of its name, and not to the name of another', async () => {
    const id = await world.given.extension(tenant, 'First name');
    await world.given.extension(tenant, 'Second name');
    world.clock.forward(SECOND);
    const renamed = await patch(id, { name: 'FIRST name' });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'FIRST name', licensing: LICENSING } });
    expect(renamed.body.updatedAt).toBe(world.clock.now().toISOString());
    expect(renamed.body.createdAt < renamed.body.updatedAt).toBe(true);
    expect(await patch(id, { name: 'second NAME' })).toMatchObject(duplicate);
    expect((await world.api.as(tenant).get(`/extensions/${id}`)).body).toEqual(renamed.body);
    expect((await patch(id, { name: 'Third name' })).status).toBe(200);
    expect((await create('First name')).status).toBe(201);
  });

  it('keeps the settings that an update omits', async () => {
    const id = await world.given.extension(tenant);
    const shown = async (changes: object) => {
      const { body } = expectStatus(await patch(id, changes), 200);
      return { licensing: body.licensing, analytics: body.analytics };
    };
    const analytics = { enabled: true };
    expect(await shown({ licensing: { seatIdleDays: null } })).toEqual({
      licensing: { ...LICENSING, seatIdleDays: null },
      analytics,
    });
    expect(await shown({ licensing: { enabled: false, offlineGraceDays: 0 } })).toEqual({
      licensing: { ...LICENSING, enabled: false, seatIdleDays: null, offlineGraceDays: 0 },
      analytics,
    });
    expect(await shown({ analytics: { enabled: false }, licensing: {} })).toEqual({
      licensing: { ...LICENSING, enabled: false, seatIdleDays: null, offlineGraceDays: 0 },
      analytics: { enabled: false },
    });
    expect(await shown({ licensing: { seatIdleDays: 1, enabled: true, activationLink: true } })).toMatchObject({
      licensing: { ...LICENSING, seatIdleDays: 1, offlineGraceDays: 0, activationLink: true },
    });
    expect(await shown({ licensing: {} })).toMatchObject({ licensing: { activationLink: true } });
  });

  it.each<[string, object]>([
    ['id', { id: 'mine' }],
    ['licensing.seatIdleDays', { licensing: { seatIdleDays: 0 } }],
    ['licensing.seatIdleDays', { licensing: { seatIdleDays: 3651 } }],
    ['licensing.replacedCodeDays', { licensing: { replacedCodeDays: -1 } }],
    ['licensing.replacedCodeDays', { licensing: { replacedCodeDays: null } }],
    ['licensing.offlineGraceDays', { licensing: { offlineGraceDays: -1 } }],
    ['licensing.offlineGraceDays', { licensing: { offlineGraceDays: null } }],
    ['licensing.enabled', { licensing: { enabled: 'yes' } }],
    ['licensing.activationLink', { licensing: { activationLink: null } }],
    ['licensing.activationLink', { licensing: { activationLink: 'https://owl.example' } }],
    ['licensing.tier', { licensing: { tier: 'pro' } }],
    ['licensing', { licensing: null }],
    ['licensing', { licensing: [] }],
    ['analytics.enabled', { analytics: { enabled: 1 } }],
    ['name', { name: null }],
  ])('refuses %s as in %j', async (field, changes) => {
    const id = await world.given.extension(tenant);
    expect(await patch(id, changes)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field }] },
    });
  });

  it('is deleted with everything that belongs to it, and frees its name', async () => {
    const mine = await world.given.publishable({ published: '1.0.0' });
    await world.given.pinned(mine, '1.1.0');
    await world.api.as(mine).post(`/extensions/${mine.extensionId}/reconcile`);
    const kept = await world.given.publishable({ published: '1.0.0' }, mine);
    await world.given.pinned(kept, '1.1.0');
    const { name } = (await world.api.as(mine).get(`/extensions/${mine.extensionId}`)).body;
    const tables = ['target', 'artifact', 'event', 'release'];
    for (const table of tables) expect(await rowsOf(table, mine.extensionId)).toBeGreaterThan(0);

    const counters = (await world.control.state(mine.itemId)).counters;
    expect((await world.api.as(mine).delete(`/extensions/${mine.extensionId}`)).status).toBe(204);
    for (const table of tables) expect(await rowsOf(table, mine.extensionId)).toBe(0);
    expect((await world.control.state(mine.itemId)).counters).toEqual(counters);
    expect(await rowsOf('artifact', kept.extensionId)).toBe(1);
    for (const path of ['', '/targets', '/events', '/releases', `/targets/${mine.targetId}`])
      expect(await world.api.as(mine).get(`/extensions/${mine.extensionId}${path}`)).toMatchObject(notFound);
    expect(await world.api.as(mine).delete(`/extensions/${mine.extensionId}`)).toMatchObject(notFound);
    expect((await create(name, mine)).status).toBe(201);
    expect((await world.api.as(mine).delete(`/credentials/${mine.credentialId}`)).status).toBe(204);
  });

  it('is deleted once by five simultaneous requests', async () => {
    const id = await world.given.extension(tenant);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.api.as(tenant).delete(`/extensions/${id}`)),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(4);
  });

  it('lists its events newest first, by page, to its tenant only', async () => {
    const mine = await world.given.publishable({ published: '1.0.0' });
    const zip = new Uint8Array(await packageOf('1.1.0'));
    await world.api.as(mine).push({ extension: mine.extensionId, version: '1.1.0' }, zip);
    const events = (query: string) => world.api.as(mine).get(`/extensions/${mine.extensionId}/events${query}`);
    const { items } = (await events('')).body;
    expect(items.length).toBeGreaterThanOrEqual(2);
    expect(items.at(-1)).toMatchObject({
      kind: 'target_changed',
      extensionId: mine.extensionId,
      targetId: mine.targetId,
      at: world.clock.now().toISOString(),
      message: 'Chrome Web Store: storeItemId, credentialId, enabled changed.',
      data: { storeItemId: mine.itemId, enabled: true },
    });
    const first = (await events('?limit=1')).body;
    expect(first.items).toEqual(items.slice(0, 1));
    expect((await events(`?limit=1&cursor=${first.nextCursor}`)).body.items).toEqual(items.slice(1, 2));
    const other = await world.given.tenant();
    expect(await world.api.as(other).get(`/extensions/${mine.extensionId}/events`)).toMatchObject(notFound);
  });
});
