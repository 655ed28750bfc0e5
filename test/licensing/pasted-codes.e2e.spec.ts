import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { imported } from '../support/imported.js';
import { PASTED, WRONGLY_PASTED } from '../support/pasted-codes.js';
import { Shop } from './shop.js';

describe('a code as people paste it', () => {
  let world: World;
  let shop: Shop;
  let device: string;
  beforeAll(async () => {
    world = await startWorld();
    shop = await Shop.open(world);
    device = await shop.seated();
  });
  afterAll(() => world.close());

  const found = (code: string) => shop.mine('POST', '/licenses/find', { code });

  it.each(PASTED)('is known %s, to devices, to support and to the search', async (_, paste) => {
    const code = paste(shop.license.code);
    expect((await shop.check(device, { code })).body).toMatchObject({ isActive: true, reason: 'active' });
    expect(expectStatus(await found(code), 200).body.id).toBe(shop.licenseId);
    const { items } = expectStatus(await shop.mine('POST', '/search', { text: code }), 200).body;
    expect(items).toMatchObject([{ kind: 'license', id: shop.licenseId }]);
  });

  it.each(WRONGLY_PASTED)('is not known %s', async (_, paste) => {
    const code = paste(shop.license.code);
    expect((await shop.check(device, { code })).body).toMatchObject({ isActive: false, reason: 'invalid_code' });
    expect((await found(code)).status).toBe(404);
  });

  it.each(PASTED)('is known %s when it is a UUID of another tool', async (_, paste) => {
    const code = randomUUID();
    const { items } = expectStatus(await shop.mine('GET', `/plans?extension=${shop.extensionId}`), 200).body;
    const csv = `email,tier,code\nbuyer@example.com,${items[0].tier},${code}`;
    await imported(world, shop.license, shop.extensionId, csv);
    expect((await shop.activate(randomUUID(), { code: paste(code) })).body).toMatchObject({ success: true });
  });
});
