import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { startWorld, type World, DataSource } from '../support/app.js';
import type { Tenant } from '../support/given.js';

describe('a list', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ env: { TENANT_QUOTAS: 'standard:0' } });
  });
  afterAll(() => world.close());

  const list = ({ token }: Tenant, query = ''): Promise<Answer> => world.api.as({ token }).get(`/extensions${query}`);
  const names = ({ body }: Answer): readonly string[] => body.items.map(({ name }: { readonly name: string }) => name);

  it('shows each item once, newest first, while items are added and deleted', async () => {
    const tenant = await world.given.tenant();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) ids.push(await world.given.extension(tenant, name));
    const first = await list(tenant, '?limit=3');
    expect(names(first)).toEqual(['g', 'f', 'e']);
    await world.given.extension(tenant, 'new');
    await world.api.as(tenant).delete(`/extensions/${ids[4]}`);
    const second = await list(tenant, `?limit=3&cursor=${first.body.nextCursor}`);
    expect(names(second)).toEqual(['d', 'c', 'b']);
    const third = await list(tenant, `?limit=3&cursor=${second.body.nextCursor}`);
    expect(names(third)).toEqual(['a']);
    expect(third.body.nextCursor).toBeNull();
    expect(names(await list(tenant))).toEqual(['new', 'g', 'f', 'd', 'c', 'b', 'a']);
  });

  it('ends without a cursor when its last page is full, and is empty for a new tenant', async () => {
    const tenant = await world.given.tenant();
    expect((await list(tenant)).body).toEqual({ items: [], nextCursor: null });
    await world.given.extension(tenant, 'a');
    await world.given.extension(tenant, 'b');
    expect((await list(tenant, '?limit=2')).body.nextCursor).toBeNull();
    expect((await list(tenant, '?limit=1')).body.nextCursor).not.toBeNull();
  });

  it('returns 50 items by default, and at most 100', async () => {
    const tenant = await world.given.tenant();
    await world.app.get(DataSource).query(
      `insert into extension (id, created_at, updated_at, tenant_id, name, name_key, licensing_enabled, replaced_code_days,
                              offline_grace_days, analytics_enabled)
       select gen_random_uuid(), now(), now(), $1, n, n, true, 7, 7, true
         from (select generate_series(1, 101)::text as n) as numbers`,
      [tenant.tenantId],
    );
    expect((await list(tenant)).body.items).toHaveLength(50);
    const largest = await list(tenant, '?limit=100');
    expect(largest.body.items).toHaveLength(100);
    expect((await list(tenant, `?limit=100&cursor=${largest.body.nextCursor}`)).body.items).toHaveLength(1);
  });

  it.each([
    ['limit', 'of zero', 'limit=0'],
    ['limit', 'above 100', 'limit=101'],
    ['limit', 'below zero', 'limit=-1'],
    ['limit', 'in letters', 'limit=abc'],
    ['limit', 'left empty', 'limit='],
    ['limit', 'with a fraction', 'limit=1.5'],
    ['limit', 'given twice', 'limit=1&limit=2'],
    ['limit', 'beyond all numbers', 'limit=99999999999999999999'],
    ['cursor', 'left empty', 'cursor='],
    ['cursor', 'made up', 'cursor=garbage'],
    ['cursor', 'with SQL in it', `cursor=${Buffer.from(`' or true --`).toString('base64url')}`],
    ['cursor', 'that is a bare id', `cursor=${randomUUID()}`],
    ['cursor', 'too long', `cursor=${'x'.repeat(600)}`],
    ['cursor', 'of NUL', 'cursor=%00'],
    ['offset', 'that nobody knows', 'offset=1'],
  ])('refuses a %s %s', async (field, _, query) => {
    const answer = await list(await world.given.tenant(), `?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ field }] } });
  });
});

describe('a tenant with a quota', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ env: { TENANT_QUOTAS: 'starter:3,unlimited:0', DEFAULT_TENANT_QUOTA: 'starter' } });
  });
  afterAll(() => world.close());

  const create = ({ token }: Tenant): Promise<Answer> =>
    world.api.as({ token }).post('/extensions', { name: `Extension ${randomUUID()}` });
  const putOn = (quota: string, { tenantId }: Tenant): Promise<unknown> =>
    world.app.get(DataSource).query('update tenant set quota = $1 where id = $2', [quota, tenantId]);
  const reached = (limit: number): object => ({ status: 403, body: { code: 'plan_limit_reached', limit } });

  it('can have as many extensions as it allows, and another after deleting one', async () => {
    const tenant = await world.given.tenant();
    const [first] = [await create(tenant), await create(tenant), await create(tenant)];
    expect(await create(tenant)).toMatchObject(reached(3));
    await world.api.as(tenant).delete(`/extensions/${first?.body.id}`);
    expect((await create(tenant)).status).toBe(201);
    expect(await create(tenant)).toMatchObject(reached(3));
    expect((await create(await world.given.tenant())).status).toBe(201);
  });

  it('cannot exceed it by ten simultaneous requests', async () => {
    const tenant = await world.given.tenant();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(tenant)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(7);
    for (const answer of answers.filter(({ status }) => status === 403)) expect(answer).toMatchObject(reached(3));
  });

  it('without a limit can have any number, and none with a quota that no longer exists', async () => {
    const tenant = await world.given.tenant();
    await putOn('unlimited', tenant);
    for (let count = 0; count < 4; count += 1) expect((await create(tenant)).status).toBe(201);
    await putOn('withdrawn', tenant);
    expect(await create(tenant)).toMatchObject(reached(0));
    expect((await world.api.as(tenant).get('/extensions')).body.items).toHaveLength(4);
  });
});
