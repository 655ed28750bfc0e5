import { afterAll, beforeAll, expect, it } from 'vitest';
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
    await page.getByText('no license', { exact: true }).first().waitFor();
    await page.getByText('Events to tick at Stripe').click();
    await page.getByText('checkout.session.completed').first().waitFor();
    await desk.look(page, 'plans');
    const dayOf = (days: number) => new Date(desk.world.clock.now().getTime() + days * DAY).toISOString().slice(0, 10);
    await page.getByLabel('From', { exact: true }).fill(dayOf(1));
    await page.getByText('No notification matches the filter').waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe(dayOf(1));
    await page.getByLabel('From', { exact: true }).fill(dayOf(0));
    await page.getByLabel('To', { exact: true }).fill(dayOf(0));
    await page.getByText('no license', { exact: true }).first().waitFor();
    await page.getByLabel('From', { exact: true }).fill('');
    await page.getByLabel('To', { exact: true }).fill(dayOf(-1));
    await page.getByText('No notification matches the filter').waitFor();
    await page.getByLabel('To', { exact: true }).fill('');

    const issue = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Issue…' }).last().click();
      await licenses.press('Issue and mail it');
    };
    await issue();
    await licenses.says('No license was issued.');
    await page.getByRole('button', { name: 'Edit products' }).click();
    const lines = products.map((one: { readonly productId: string }) => `stripe ${one.productId}`).join('\n');
    await licenses.dialog.getByRole('textbox').fill(lines);
    await licenses.press('Save');
    await licenses.says('Saved the products');
    await page.getByRole('button', { name: 'Replay' }).last().click();
    await licenses.says('Replayed it: handled.');
    expect(await seller.licenses()).toHaveLength(1);
  });

  it('issues the license of a sale that made none, by a plan that is chosen, or those of all', async () => {
    const seller = await Seller.in(desk.world, 'stripe', { products: [] });
    const page = await desk.visit({ as: seller.tenant, path: '/plans?status=unmapped' });
    const licenses = new Licenses(page);
    await seller.sendAll(oneOffSale('stripe', seller.sale()));
    await page.getByRole('button', { name: 'Issue…' }).first().click();
    await licenses.dialog.getByLabel('Plan').click();
    await page.getByRole('option').nth(1).click();
    await desk.lookAtDialog(page, 'issue the license of a sale');
    await licenses.press('Issue and mail it');
    await licenses.says('Issued the license.');
    expect(await seller.licenses()).toMatchObject([{ planId: seller.planId, status: 'active' }]);
    await seller.sendAll(oneOffSale('stripe', seller.sale()));
    await seller.sells(['price_1', 'plink_1']);
    await page.getByRole('button', { name: 'Issue for all…' }).click();
    await licenses.press('Issue and mail them');
    await licenses.says('Issued the licenses of all sales.');
    expect(await seller.licenses()).toHaveLength(2);
  });

  it('marks what has nothing to do with an extension, and asks for it again', async () => {
    const seller = await Seller.in(desk.world, 'lemonsqueezy', { products: [] });
    for (let time = 0; time < 2; time += 1)
      await seller.sendAll(oneOffSale('lemonsqueezy', seller.sale({ planId: undefined })));
    const page = await desk.visit({ as: seller.tenant, path: '/plans?status=unmapped' });
    const licenses = new Licenses(page);
    await page.getByRole('button', { name: 'Not ours…' }).first().click();
    await desk.lookAtDialog(page, 'not for an extension');
    await licenses.press('Mark as unrelated');
    await licenses.says('Marked. No sale needs you.');
    expect(await seller.inbox('unmapped')).toEqual([]);
    await page.getByRole('heading', { name: 'Products that are not for an extension' }).waitFor();
    await desk.look(page, 'products not for an extension');
    await page.getByRole('button', { name: 'Ask again for 20' }).click();
    await licenses.says('Its sales ask for a license again.');
    await seller.sendAll(oneOffSale('lemonsqueezy', seller.sale()));
    expect(await seller.inbox('unmapped')).toHaveLength(1);
  });

  it('changes and deletes a plan, unless somebody else has changed it or it has licenses', async () => {
    const owner = await desk.world.given.tenant();
    const api = desk.world.api.as(owner);
    const extensionId = await desk.world.given.extension(owner, 'Tab Counter');
    const { id } = expectStatus(await api.post('/plans', { extensionId, tier: 'pro', maxActivations: 3 }), 201).body;
    const page = await desk.visit({ as: owner, path: '/plans' });
    const licenses = new Licenses(page);
    const devices = licenses.dialog.getByLabel('Devices per license');
    const choose = async (item: string): Promise<void> => {
      await page.getByRole('button', { name: 'More for pro' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Edit');
    expect(await devices.inputValue()).toBe('3');
    await devices.fill('none');
    await licenses.press('Save');
    await licenses.dialog.getByText('Devices per license must be').waitFor();
    expectStatus(await api.patch(`/plans/${id}`, { maxActivations: 4 }), 200);
    await devices.fill('5');
    await licenses.press('Save');
    await licenses.dialog.getByText('Somebody changed the plan meanwhile: devices per license are 4.').waitFor();
    await licenses.press('Save mine');
    await licenses.says('Changed the plan pro.');
    await licenses.dialog.waitFor({ state: 'detached' });
    expect(expectStatus(await api.get(`/plans/${id}`), 200).body.maxActivations).toBe(5);

    const license = expectStatus(await api.post('/licenses', { planId: id, buyerEmail: 'ann@example.com' }), 201).body;
    await choose('Delete');
    await licenses.confirm('pro', 'Delete plan');
    await licenses.dialog.getByRole('alert').waitFor();
    expectStatus(await api.post(`/licenses/${license.id}/revoke`), 200);
    expectStatus(await api.call('DELETE', `/licenses/${license.id}`), 204);
    await licenses.press('Delete plan');
    await licenses.says('Deleted the plan pro.');
    await page.getByRole('heading', { name: 'No plan yet' }).waitFor();
  });

  it('says how its trials end, and prolongs, ends and forgets one', async () => {
    const owner = await desk.world.given.tenant();
    const api = desk.world.api.as(owner);
    const extensionId = await desk.world.given.extension(owner, 'Tab Counter');
    const plan = { extensionId, tier: 'pro', duration: 'P1Y', durationFrom: 'activation', trialDays: 14 };
    const planId = expectStatus(await api.post('/plans', plan), 201).body.id;
    const start = (label: string) =>
      desk.world.api.post('/licensing/trial', { extensionId, fingerprint: label, deviceInfo: { label } });
    for (const label of ['Chrome of Ann', 'Firefox of Ben']) expectStatus(await start(label), 200);
    const { code, id } = expectStatus(
      await api.post('/licenses', { planId, buyerEmail: 'ben@buyer.example' }),
      201,
    ).body;
    const device = { code, extensionId, fingerprint: 'Firefox of Ben' };
    expectStatus(await desk.world.api.post('/licensing/activate', device), 200);

    const page = await desk.visit({ as: owner, path: '/plans' });
    const licenses = new Licenses(page);
    const row = (label: string) => page.getByRole('row').filter({ hasText: label });
    const choose = async (label: string, item: string): Promise<void> => {
      await page.getByRole('button', { name: `More for the trial of ${label}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await page.getByText('from the first device, 14 days of trial').waitFor();
    await page.getByText('1 running. In the last 30 days 1 became a license and 0 expired without one').waitFor();
    await desk.look(page, 'plans-trials');
    await choose('Chrome of Ann', 'Prolong by 7 days');
    await row('Chrome of Ann').getByText('in 21 days').waitFor();
    await choose('Chrome of Ann', 'End now');
    await row('Chrome of Ann').getByText('expired').waitFor();
    expect((await start('Chrome of Ann')).body).toMatchObject({ isActive: false, reason: 'trial_ended' });
    await choose('Chrome of Ann', 'Forget…');
    await desk.lookAtDialog(page, 'trial-forget');
    await licenses.press('Forget');
    await licenses.says('The trial is forgotten.');
    await row('Chrome of Ann').waitFor({ state: 'detached' });
    expect((await start('Chrome of Ann')).body).toMatchObject({ isActive: true });
    await row('Firefox of Ben').getByRole('link', { name: 'became a license' }).click();
    await licenses.isHeaded(/^License …/);
    expect(page.url()).toMatch(new RegExp(`/licenses/${id}$`));
  });
});
