import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { imported } from '../support/imported.js';
import { Shop } from './shop.js';

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `f${at}`);

describe('features and data of the seller', () => {
  let world: World;
  let shop: Shop;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    shop = await Shop.open(world);
  });

  const ofPlan = (fields: object): Promise<Answer> => shop.mine('PATCH', `/plans/${shop.license.planId}`, fields);
  const ofLicense = (fields: object): Promise<Answer> => shop.mine('PATCH', `/licenses/${shop.licenseId}`, fields);
  const unlocked = async (step: 'activate' | 'check', device: string): Promise<readonly string[]> => {
    const { body } = expectStatus(await shop[step](device), 200);
    expect(decodeJwt(body.lease)['ent']).toEqual(body.entitlements);
    return body.entitlements ?? [];
  };

  it('reach a device: its plan’s and its license’s, each once, while it is licensed', async () => {
    const device = randomUUID();
    expect(await unlocked('activate', device)).toEqual([]);
    expectStatus(await ofPlan({ entitlements: ['sync', 'a.b'] }), 200);
    expect(await unlocked('check', device)).toEqual(['a.b', 'sync']);
    expectStatus(await ofLicense({ entitlements: ['export', 'sync'] }), 200);
    expect(await unlocked('check', device)).toEqual(['a.b', 'export', 'sync']);
    expect(await unlocked('check', randomUUID())).toEqual([]);
    expectStatus(await shop.mine('POST', `/licenses/${shop.licenseId}/suspend`), 200);
    expect(await unlocked('check', device)).toEqual([]);
    expectStatus(await shop.mine('POST', `/licenses/${shop.licenseId}/reinstate`), 200);
    expectStatus(await ofPlan({ entitlements: [] }), 200);
    expect(await unlocked('check', device)).toEqual(['export', 'sync']);
    const body = { code: 'ABCDE', extensionId: shop.extensionId, fingerprint: device };
    expect((await world.api.post('/licensing/check', body)).body).not.toHaveProperty('entitlements');
  });

  it('are given when a plan is made and a license issued, and stay when other fields change', async () => {
    const given = { entitlements: ['sync'], metadata: { campaign: 'spring', 'order.no': '7' } };
    const made = await shop.mine('POST', '/plans', { extensionId: shop.extensionId, tier: 'gold', ...given });
    const plan = expectStatus(made, 201).body;
    expect(plan).toMatchObject(given);
    const own = { entitlements: ['export'], metadata: { note: 'VIP' } };
    const wanted = { planId: plan.id, buyerEmail: 'ann@example.com', ...own };
    const license = expectStatus(await shop.mine('POST', '/licenses', wanted), 201).body;
    expect(license).toMatchObject(own);
    expect(expectStatus(await shop.mine('PATCH', `/plans/${plan.id}`, { maxActivations: 9 }), 200).body).toMatchObject({
      maxActivations: 9,
      ...given,
    });
    const path = `/licenses/${license.id}`;
    expect(expectStatus(await shop.mine('PATCH', path, { maxActivations: 9 }), 200).body).toMatchObject(own);
    expect(expectStatus(await shop.mine('PATCH', path, { metadata: {} }), 200).body).toMatchObject({
      entitlements: ['export'],
      metadata: {},
    });
    expect((await shop.mine('GET', path)).body).toMatchObject({ entitlements: ['export'], metadata: {} });
  });

  it.each<[string, object, string]>([
    ['an upper-case name', { entitlements: ['Sync'] }, 'entitlements'],
    ['an empty name', { entitlements: [''] }, 'entitlements'],
    ['a name of 33 characters', { entitlements: ['a'.repeat(33)] }, 'entitlements'],
    ['the same name twice', { entitlements: ['sync', 'sync'] }, 'entitlements'],
    ['33 names', { entitlements: names(33) }, 'entitlements'],
    ['one text', { entitlements: 'sync' }, 'entitlements'],
    ['no list', { entitlements: null }, 'entitlements'],
    ['17 members', { metadata: Object.fromEntries(names(17).map((name) => [name, 'x'])) }, 'metadata'],
    ['a value of 501 characters', { metadata: { a: 'x'.repeat(501) } }, 'metadata'],
    ['a number', { metadata: { a: 1 } }, 'metadata'],
    ['a name with a space', { metadata: { 'a b': 'x' } }, 'metadata'],
    ['a list of members', { metadata: ['a'] }, 'metadata'],
  ])('with %s are refused, and change nothing', async (_, fields, field) => {
    const refusal = { status: 400, body: { code: 'invalid_request', errors: [{ field }] } };
    expect(await ofPlan(fields)).toMatchObject(refusal);
    expect(await ofLicense(fields)).toMatchObject(refusal);
    expect((await shop.mine('GET', `/licenses/${shop.licenseId}`)).body).toMatchObject({
      entitlements: [],
      metadata: {},
    });
  });

  it('of 32 names and 16 members are taken', async () => {
    const most = {
      entitlements: names(32),
      metadata: Object.fromEntries(names(16).map((name) => [name, 'x'.repeat(500)])),
    };
    expect(expectStatus(await ofPlan(most), 200).body).toMatchObject(most);
    expect(expectStatus(await ofLicense(most), 200).body).toMatchObject(most);
  });

  it('are imported, and exported', async () => {
    const { tier } = (await shop.mine('GET', `/licenses/${shop.licenseId}`)).body;
    const csv = [
      'email,tier,order,entitlements,metadata',
      `ann@example.com,${tier},1,"export, sync","{""source"":""fair""}"`,
      `bob@example.com,${tier},2,,`,
      `cid@example.com,${tier},3,a/b,`,
      `dan@example.com,${tier},4,,fair`,
    ].join('\n');
    const { created, firstFaults } = await imported(world, shop.license, shop.extensionId, csv);
    expect(created).toBe(2);
    expect(firstFaults).toEqual([
      { line: 4, message: expect.stringMatching(/^entitlements: /) },
      { line: 5, message: 'metadata: must be an object.' },
    ]);
    const exported = await shop.mine('GET', `/licenses/export?extension=${shop.extensionId}`);
    expect(exported.text).toContain(',export sync,"{""source"":""fair""}",');
  });

  it('are in the audit log, but for data that may be about the buyer', async () => {
    expectStatus(await ofPlan({ entitlements: ['sync'], metadata: { a: 'for all' } }), 200);
    expectStatus(await ofLicense({ entitlements: ['export'], metadata: { a: 'about Ann' } }), 200);
    const { text } = await world.api.as({ cookie: shop.license.cookie }).get('/audit');
    for (const kept of ['sync', 'for all', 'export']) expect(text).toContain(kept);
    expect(text).not.toContain('about Ann');
  });
});
