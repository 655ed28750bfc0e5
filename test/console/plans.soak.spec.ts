import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DAY } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { oneOffSale } from '../support/purchases.js';
import { Seller } from '../webhooks/seller.js';
import { Licenses } from './pages/licenses.js';
import { Desk, inChromium } from './support/desk.js';

inChromium('the page of plans and payments', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk.close());

  it('shows what a processor sent, why a sale found no plan, and handles it again once a plan lists its product', async () => {
    const seller = await Seller.in(desk.world, 'stripe');
    const plan = seller.planId;
    const api = desk.world.api.as(seller.tenant);
    const { products } = expectStatus(await api.get(`/plans/${plan}`), 200).body;
    expectStatus(await api.call('PUT', `/plans/${plan}/products`, []), 200);
    await seller.sendAll(oneOffSale('stripe', seller.sale()));

    const page = await desk.visit({ as: seller.tenant, path: '/plans' });
    const licenses = new Licenses(page);
    await licenses.isHeaded('Plans and payments');
    await page.getByText('no plan matches').first().waitFor();
    await page.getByText('Events to tick at Stripe').click();
    await page.getByText('checkout.session.completed').first().waitFor();
    await desk.look(page, 'plans');
    const dayOf = (days: number) => new Date(desk.world.clock.now().getTime() + days * DAY).toISOString().slice(0, 10);
    await page.getByLabel('From', { exact: true }).fill(dayOf(1));
    await page.getByText('No notification matches the filter').waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe(dayOf(1));
    await page.getByLabel('From', { exact: true }).fill(dayOf(0));
    await page.getByLabel('To', { exact: true }).fill(dayOf(0));
    await page.getByText('no plan matches').first().waitFor();
    await page.getByLabel('From', { exact: true }).fill('');
    await page.getByLabel('To', { exact: true }).fill(dayOf(-1));
    await page.getByText('No notification matches the filter').waitFor();
    await page.getByLabel('To', { exact: true }).fill('');

    await page.getByRole('button', { name: 'Edit products' }).click();
    const lines = products.map((one: { readonly productId: string }) => `stripe ${one.productId}`).join('\n');
    await licenses.dialog.getByRole('textbox').fill(lines);
    await licenses.press('Save');
    await licenses.says('Saved the products');
    await page.getByRole('button', { name: 'Handle again' }).last().click();
    await licenses.says('Handled it again: it is handled.');
    expect(await seller.licenses()).toHaveLength(1);
  });
});
