import { afterAll, beforeAll, expect, it } from 'vitest';
import { Desk, inChromium } from './support/desk.js';
import { expectStatus, type Licensed } from '../support/given.js';
import { imported } from '../support/imported.js';

inChromium('licenses', () => {
  let desk: Desk;
  let seller: Licensed;
  beforeAll(async () => {
    desk = await Desk.open();
    seller = await desk.world.given.licensed();
    for (let count = 0; count < 4; count += 1) await desk.world.given.licensed(seller, seller);
  });
  afterAll(() => desk.close());

  it('are chosen by checkbox, with Shift a range of them, and changed together', async () => {
    const page = await desk.visit({ as: seller, path: '/licenses' });
    const boxes = page.getByRole('checkbox', { name: /^Select …/ });
    await boxes.first().waitFor();
    // Screen readers read out what changes in a region that was there before. It follows how many licenses there are.
    const mounted = await page.locator('main').getByRole('status').nth(1).elementHandle();
    expect(await mounted?.textContent()).toBe('');
    await boxes.first().click();
    await boxes.nth(2).click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await boxes.nth(1).focus();
    await page.keyboard.press('Space');
    await page.getByText('2 selected').waitFor();
    expect(await mounted?.textContent()).toBe('2 selected');
    await desk.look(page, 'licenses-selected');
    await page.getByRole('button', { name: 'Change these' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change 2 licenses' }).click();
    await page.getByText('Changed 2 licenses.').first().waitFor();
    const { items } = (await desk.world.api.as(seller).get('/licenses?status=suspended')).body;
    expect(items).toHaveLength(2);
  });

  it('are counted, with how many have expired', async () => {
    const page = await desk.visit({ as: seller, path: '/licenses' });
    await page.getByText('5 licenses', { exact: true }).waitFor();
    const [{ id }] = (await desk.world.api.as(seller).get('/licenses?status=active')).body.items;
    expectStatus(await desk.world.api.as(seller).patch(`/licenses/${id}`, { expiresAt: '2020-01-01T00:00:00Z' }), 200);
    await page.getByRole('link', { name: '1 expired' }).click();
    await page.getByText('1 license', { exact: true }).waitFor();
    const rows = page.getByRole('table', { name: 'Licenses' }).getByRole('row');
    // The count may arrive before the list.
    await rows.nth(2).waitFor({ state: 'detached' });
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
    expectStatus(await desk.world.api.as(seller).patch(`/licenses/${id}`, { expiresAt: null }), 200);
  });

  it('are changed together, however many are chosen', async () => {
    const owner = await desk.world.given.tenant();
    const extensionId = await desk.world.given.extension(owner);
    const api = desk.world.api.as(owner);
    expectStatus(await api.post('/plans', { extensionId, tier: 'pro' }), 201);
    const lines = Array.from({ length: 120 }, (_, at) => `buyer${at}@example.com,pro,ORDER-${at}`);
    await imported(desk.world, owner, extensionId, ['email,tier,order', ...lines].join('\n'));
    const page = await desk.visit({ as: owner, path: '/licenses?status=active' });
    const boxes = page.getByRole('checkbox', { name: /^Select …/ });
    for (const shown of [50, 100]) {
      await boxes.nth(shown - 1).waitFor();
      await page.getByRole('button', { name: 'Show more' }).click();
    }
    await boxes.nth(119).waitFor();
    await boxes.first().click();
    await page.getByRole('button', { name: 'Change all 120 that match' }).waitFor();
    await page.getByRole('button', { name: 'Select all shown' }).click();
    await page.getByText('120 selected').waitFor();
    await page.getByRole('button', { name: 'Change these' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('dialog').getByText('120 match.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Change 120 licenses' }).click();
    await page.getByText('Changed 120 licenses.').first().waitFor();
    expect((await api.get('/licenses/count?status=suspended')).body).toEqual({ count: 120, isMore: false });
  });

  it('are chosen by nobody who may only read them', async () => {
    const page = await desk.visit({ as: await desk.world.given.member(seller, 'viewer'), path: '/licenses' });
    await page.getByRole('table', { name: 'Licenses' }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });

  it('are suspended, and with one more click no longer', async () => {
    const { id } = (await desk.world.api.as(seller).get('/licenses?status=active')).body.items[0];
    const page = await desk.visit({ as: seller, path: `/licenses/${id}` });
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByText('Suspended the license.').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Reinstated the license.').first().waitFor();
    const { status } = (await desk.world.api.as(seller).get(`/licenses/${id}`)).body;
    expect(status).toBe('active');
  });
});
