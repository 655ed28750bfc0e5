import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { DAY, MINUTE } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { claimsOf, Shop } from './shop.js';

describe('a code that was replaced', () => {
  let world: World;
  beforeAll(async () => (world = await startWorld()));
  afterAll(() => world.close());

  const rotate = async (shop: Shop): Promise<string> =>
    expectStatus(await shop.mine('POST', `/licenses/${shop.licenseId}/rotate`), 200).body.code;
  const inDays = (days: number): string => new Date(world.clock.now().getTime() + days * DAY).toISOString();

  it('lets seated devices go on until the end of a grace, and says until when', async () => {
    const shop = await Shop.open(world);
    const device = await shop.seated();
    const code = await rotate(shop);
    const end = inDays(7);
    for (const answer of [await shop.check(device), await shop.activate(device)]) {
      expect(answer.body).toMatchObject({ isActive: true, reason: 'active', codeValidUntil: end });
      expect(claimsOf(answer).act).toBe(true);
    }
    world.clock.forward(6 * DAY);
    const last = await shop.check(device);
    expect(last.body.nextCheckAt <= end).toBe(true);
    expect(claimsOf(last).exp).toBe(Math.floor(Date.parse(end) / 1000));
    world.clock.forward(DAY);
    for (const answer of [await shop.check(device), await shop.activate(device)])
      expect(answer.body).toMatchObject({ isActive: false, reason: 'code_replaced' });
    expect((await shop.activate(device, { code })).body).toMatchObject({
      success: true,
      seats: { used: 1 },
    });
    const { body } = await shop.check(device, { code });
    expect(body.isActive).toBe(true);
    expect(body).not.toHaveProperty('codeValidUntil');
  });

  it('keeps the seats of those devices alive', async () => {
    const shop = await Shop.open(world);
    const device = await shop.seated();
    const [before] = (await shop.mine('GET', `/licenses/${shop.licenseId}`)).body.devices;
    await rotate(shop);
    world.clock.forward(2 * DAY);
    await shop.check(device);
    const [after] = (await shop.mine('GET', `/licenses/${shop.licenseId}`)).body.devices;
    expect(Date.parse(after.lastSeenAt) - Date.parse(before.lastSeenAt)).toBe(2 * DAY);
  });

  it('seats no device, whoever has it', async () => {
    const shop = await Shop.open(world);
    const left = await shop.seated();
    await shop.release(left);
    await rotate(shop);
    for (const device of [left, randomUUID()]) {
      expect((await shop.activate(device)).body).toMatchObject({ success: false, reason: 'code_replaced' });
      expect((await shop.check(device)).body).toMatchObject({ isActive: false, reason: 'code_replaced' });
    }
  });

  it('is followed from each of several, from its own replacement', async () => {
    const shop = await Shop.open(world);
    const device = await shop.seated();
    const second = await rotate(shop);
    world.clock.forward(3 * DAY);
    await rotate(shop);
    expect((await shop.check(device)).body.codeValidUntil).toBe(inDays(4));
    expect((await shop.check(device, { code: second })).body.codeValidUntil).toBe(inDays(7));
    world.clock.forward(4 * DAY);
    expect((await shop.check(device)).body.reason).toBe('code_replaced');
    expect((await shop.check(device, { code: second })).body.reason).toBe('active');
  });

  it('ends at once where the seller gives no grace', async () => {
    const shop = await Shop.open(world);
    const device = await shop.seated();
    const path = `/extensions/${shop.extensionId}`;
    const { body } = expectStatus(await shop.mine('PATCH', path, { licensing: { replacedCodeDays: 0 } }), 200);
    expect(body.licensing.replacedCodeDays).toBe(0);
    await rotate(shop);
    expect((await shop.check(device)).body).toMatchObject({ isActive: false, reason: 'code_replaced' });
  });

  it('says of a license that has ended what its code says', async () => {
    const shop = await Shop.open(world);
    const device = await shop.seated();
    await rotate(shop);
    await shop.mine('POST', `/licenses/${shop.licenseId}/suspend`);
    expect((await shop.check(device)).body).toMatchObject({ reason: 'suspended' });
    await shop.mine('POST', `/licenses/${shop.licenseId}/revoke`);
    expect((await shop.check(device)).body.reason).toBe('revoked');
    await shop.mine('DELETE', `/licenses/${shop.licenseId}`);
    expect((await shop.check(device)).body.reason).toBe('invalid_code');
  });

  it('of another extension is unknown', async () => {
    const shop = await Shop.open(world);
    const other = await Shop.open(world);
    const device = await shop.seated();
    await rotate(shop);
    const answer = await shop.check(device, { extensionId: other.extensionId });
    expect(answer.body).toMatchObject({ reason: 'invalid_code' });
  });
});

describe('a code that moves through many devices', () => {
  let world: World;
  beforeAll(
    async () => (world = await startWorld({ env: { RATE_LIMITS: 'on', RATE_LIMIT_ACTIVATE_PER_CODE: '1000' } })),
  );
  afterAll(() => world.close());

  it('seats no other for an hour, which the seller is told once', async () => {
    const shop = await Shop.open(world, { maxActivations: 1 });
    const move = async (): Promise<string> => {
      const device = await shop.seated();
      expectStatus(await shop.release(device), 200);
      return device;
    };
    for (let devices = 0; devices < 24; devices += 1) await move();
    const last = await shop.seated();
    expect((await shop.activate(randomUUID())).status).toBe(429);
    expect((await shop.check(last)).body.isActive).toBe(true);
    expect((await shop.activate(last)).body.success).toBe(true);
    const { items } = (await shop.mine('GET', `/extensions/${shop.extensionId}/events`)).body;
    const told = items.filter(({ kind }: { readonly kind: string }) => kind === 'license_moving');
    expect(told).toHaveLength(1);
    expect(told[0].message).toContain('…');
    world.clock.forward(MINUTE);
    const other = await Shop.open(world);
    await other.seated();
  });
});
