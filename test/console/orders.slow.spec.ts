import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus } from '../support/given.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { Seller } from '../webhooks/seller.js';
import { Licenses } from './pages/licenses.js';
import { Desk, inChromium } from './support/desk.js';

inChromium('the page of orders and sales', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk.close());

  it('shows what buyers bought, and gives an order its plan in place', async () => {
    const seller = await Seller.in(desk.world, 'stripe');
    const { paidMonth, soldOnce, bag } = FULL_SIZE.stripe;
    const known = seller.sale();
    const unlisted = seller.sale();
    await seller.sendAll(paidMonth(known, 1));
    await seller.sendAll(soldOnce(unlisted, { items: [bag] }));
    const page = await desk.visit({ as: seller.tenant, path: '/licenses' });
    const licenses = new Licenses(page);
    await licenses.more('Orders and sales');
    await licenses.isHeaded('Orders and sales');
    const rows = (caption: string) => page.getByRole('table', { name: caption, exact: true }).getByRole('row');
    await rows('Sales').filter({ hasText: '€18.00' }).first().waitFor();
    await rows('Orders')
      .filter({ hasText: String(known.email) })
      .getByText('licensed')
      .waitFor();
    await desk.look(page, 'orders');
    await licenses.choose('Problems', 'With a problem');
    await rows('Orders')
      .filter({ hasText: String(known.email) })
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Choose a plan…' }).click();
    await licenses.choose('Plan', 'tier');
    await desk.lookAtDialog(page, 'plan of an order');
    await licenses.press('Issue and mail it');
    await licenses.says('Issued the licenses of the order.');
    await page.getByText('No order matches the filter').waitFor();
    expect(await seller.licenses()).toHaveLength(2);
    await seller.sendAll(soldOnce(seller.sale(), { items: [bag] }));
    expect(await seller.licenses()).toHaveLength(3);
  });

  it('leads from an order to its licenses, its events and its page at the processor', async () => {
    const seller = await Seller.in(desk.world, 'stripe');
    const sale = seller.sale();
    await seller.sendAll(FULL_SIZE.stripe.paidMonth(sale, 1));
    const page = await desk.visit({ as: seller.tenant, path: '/orders' });
    const licenses = new Licenses(page);
    await licenses.choose('Sales', 'By processor');
    await page.getByRole('table', { name: 'Sales', exact: true }).getByText('Stripe').waitFor();
    await page.getByRole('link', { name: String(sale.email) }).click();
    await licenses.isHeaded(`Order sub_${sale.tag}`);
    await page.getByText('invoice.paid').waitFor();
    await desk.look(page, 'an order');
    const there = page.getByRole('link', { name: 'Its page there' });
    expect(await there.getAttribute('href')).toBe(`https://dashboard.stripe.com/subscriptions/sub_${sale.tag}`);
    await page.getByRole('link', { name: 'payment notifications' }).click();
    await licenses.isHeaded('Plans and payments');
    await page.goBack();
    await page.getByRole('link', { name: /^…/ }).click();
    await licenses.isHeaded(/^License …/);
  });

  it('leads from an order to its buyer: licenses, orders, devices, and mails with their delivery', async () => {
    const seller = await Seller.in(desk.world, 'stripe');
    const sale = seller.sale();
    const buyerEmail = String(sale.email);
    await seller.sendAll(FULL_SIZE.stripe.paidMonth(sale, 1));
    const [{ planId, extensionId, codeHint }] = await seller.licenses();
    const issued = await desk.world.api.as(seller.tenant).post('/licenses', { planId, buyerEmail });
    const { code } = expectStatus(issued, 201).body;
    const device = { code, extensionId, fingerprint: randomUUID(), deviceInfo: { label: 'Laptop '.repeat(9) } };
    expectStatus(await desk.world.api.post('/licensing/activate', device), 200);
    const page = await desk.visit({ as: seller.tenant, path: '/orders' });
    const licenses = new Licenses(page);
    const rows = (table: string) => page.getByRole('table', { name: table, exact: true }).getByRole('row');
    await page.getByRole('link', { name: buyerEmail }).click();
    await licenses.isHeaded(`Order sub_${sale.tag}`);
    await page.getByRole('link', { name: buyerEmail }).click();
    await licenses.isHeaded(buyerEmail);
    await rows('Mails').filter({ hasText: codeHint }).getByText('waits to be sent').waitFor();
    await rows('Devices')
      .filter({ hasText: 'Laptop' })
      .getByRole('link', { name: `…${code.slice(-5)}` })
      .waitFor();
    expect(await rows('Licenses').count()).toBe(3);
    expect(await rows('Orders').count()).toBe(2);
    await desk.look(page, 'customer');
    await rows('Licenses')
      .getByRole('link', { name: `…${codeHint}` })
      .click();
    await licenses.isHeaded(`License …${codeHint}`);
    await page.getByRole('link', { name: buyerEmail }).click();
    await rows('Orders')
      .getByRole('link', { name: `sub_${sale.tag}` })
      .click();
    await licenses.isHeaded(`Order sub_${sale.tag}`);
    await page.goto('/customers?address=nobody%40buyer.example');
    await page.getByRole('heading', { name: 'No mail in the last 30 days' }).waitFor();
    await desk.look(page, 'customer-unknown');
  });
});
