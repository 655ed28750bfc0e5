import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';

describe('a campaign', () => {
  let world: World;
  let tenant: Tenant;
  let extensionId: string;
  let planId: string;
  beforeAll(async () => {
    world = await startWorld();
    tenant = await world.given.tenant();
    extensionId = await world.given.extension(tenant);
    planId = await world.given.plan(tenant, extensionId);
  });
  afterAll(() => world.close());

  const my = (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.api.as(tenant).call(method, path, body);
  const issue = async (wish: object): Promise<Answer['body']['items']> =>
    expectStatus(await my('POST', '/licenses/batch', { planId, delivery: 'code', ...wish }), 201).body.items;
  const campaigns = async (query = ''): Promise<Answer['body']> =>
    expectStatus(await my('GET', `/campaigns${query}`), 200).body;

  it('counts its licenses, and those that are used, active and revoked', async () => {
    const [first, second, third] = await issue({ count: 5, campaign: 'spring' });
    const [gift] = await issue({ count: 2, campaign: 'spring', delivery: 'gift' });
    await issue({ count: 1, campaign: 'summer' });
    await issue({ count: 1 });
    const device = { code: first.code, extensionId, fingerprint: randomUUID() };
    expectStatus(await world.api.post('/licensing/activate', device), 200);
    expectStatus(await world.api.post('/licensing/release', device), 200);
    await fetch(world.url + new URL(gift.giftUrl).pathname, { method: 'POST', body: new URLSearchParams() });
    expectStatus(await my('POST', `/licenses/${second.licenseId}/revoke`), 200);
    expectStatus(await my('POST', `/licenses/${third.licenseId}/suspend`), 200);
    const expiresAt = new Date(world.clock.now().getTime() + DAY).toISOString();
    await issue({ count: 1, campaign: 'over', expiresAt });
    await world.forward(2 * DAY);
    const { items } = await campaigns();
    expect(items).toMatchObject([
      { campaign: 'over', issued: 1, used: 0, active: 0, revoked: 0 },
      { campaign: 'summer', issued: 1, used: 0, active: 1, revoked: 0 },
      { campaign: 'spring', extensionId, planId, issued: 7, used: 2, active: 5, revoked: 1 },
    ]);
    expect((await campaigns('?campaign=spring')).items).toEqual([items[2]]);
    const { nextCursor, items: page } = await campaigns('?limit=2');
    expect(page).toEqual(items.slice(0, 2));
    expect(await campaigns(`?limit=2&cursor=${nextCursor}`)).toEqual({ items: [items[2]], nextCursor: null });
    const elsewhere = await world.given.extension(tenant);
    expect((await campaigns(`?extension=${elsewhere}`)).items).toEqual([]);
  });

  it('is counted for each of its plans', async () => {
    const another = await world.given.plan(tenant, extensionId);
    await issue({ count: 1, campaign: 'both' });
    await issue({ count: 2, campaign: 'both', planId: another });
    expect((await campaigns('?campaign=both')).items).toMatchObject([
      { planId: another, issued: 2 },
      { planId, issued: 1 },
    ]);
  });

  it('is found, exported and revoked as a whole', async () => {
    const codes = (await issue({ count: 120, campaign: 'to revoke' })).map(({ code }: { code: string }) => code);
    const filter = { campaign: 'to revoke' };
    const query = `campaign=${encodeURIComponent('to revoke')}`;
    expect(expectStatus(await my('GET', `/licenses?limit=100&${query}`), 200).body.items).toHaveLength(100);
    const csv = expectStatus(await my('GET', `/licenses/export?${query}`), 200)
      .text.trimEnd()
      .split('\r\n');
    expect(csv).toHaveLength(121);
    const revoke = { action: 'revoke', filter };
    const first = expectStatus(await my('POST', '/licenses/bulk', revoke), 200).body;
    expect(first.matched).toBe(120);
    expect(first.items).toHaveLength(100);
    expectStatus(await my('POST', '/licenses/bulk', { ...revoke, cursor: first.nextCursor }), 200);
    expect((await campaigns(`?${query}`)).items).toMatchObject([{ issued: 120, revoked: 120 }]);
    const [, code] = codes;
    const { body } = await world.api.post('/licensing/activate', { code, extensionId, fingerprint: randomUUID() });
    expect(body.reason).toBe('revoked');
    expect((await campaigns('?campaign=spring')).items).toMatchObject([{ revoked: 1 }]);
  });

  it('is joined and left by a single license', async () => {
    const [{ licenseId }] = await issue({ count: 1 });
    expectStatus(await my('PATCH', `/licenses/${licenseId}`, { campaign: 'late' }), 200);
    expect((await campaigns('?campaign=late')).items).toMatchObject([{ issued: 1 }]);
    expectStatus(await my('PATCH', `/licenses/${licenseId}`, { campaign: null }), 200);
    expect((await campaigns('?campaign=late')).items).toEqual([]);
    const issued = { planId, buyerEmail: 'ann@example.com', campaign: 'late' };
    expect(expectStatus(await my('POST', '/licenses', issued), 201).body.campaign).toBe('late');
  });

  it('of another tenant is not shown', async () => {
    const stranger = await world.given.tenant();
    expect(expectStatus(await world.api.as(stranger).get('/campaigns'), 200).body.items).toEqual([]);
  });
});
