import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus } from '../support/given.js';
import { Start } from './pages/start.js';
import { Desk, inChromium } from './support/desk.js';

inChromium('the checklist', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk.close());

  it('leads from nothing to a token for CI, and goes on where it was left', async () => {
    const owner = await desk.world.given.tenant();
    const account = await desk.world.control.chromeAccount();
    const { itemId } = await desk.world.control.chromeItem({ publisherId: account.publisherId });
    const page = await desk.visit({ as: owner, path: '/start' });
    const start = new Start(page);
    await start.step('Register an extension');
    await start.register('Tab Counter');
    await start.step('Key of Chrome Web Store');
    await desk.look(page, 'checklist');

    await start.giveChromeKey({
      publisherId: account.publisherId,
      serviceAccount: { client_email: 'nobody@example.com', private_key: 'no key' },
    });
    await page.getByRole('alert').waitFor();
    await page.reload();
    await start.giveChromeKey(account);
    await page.getByText('accepted the key').waitFor();
    await start.step('Item at Chrome Web Store');
    await start.nameItem(`https://chromewebstore.google.com/detail/tab-counter/${itemId}`);
    await page.getByRole('link', { name: 'Push a version' }).waitFor();

    const { items } = (await desk.world.api.as(owner).get('/extensions')).body;
    const { targets } = (await desk.world.api.as(owner).get(`/extensions/${items[0].id}/targets`)).body;
    expect(targets).toContainEqual(expect.objectContaining({ store: 'chrome', storeItemId: itemId, enabled: true }));
  });

  it('is taken up from the home page while steps are open, and follows the extension that is furthest', async () => {
    const { given, api } = desk.world;
    const owner = await given.tenant();
    await given.extension(owner, 'Night Owl');
    const page = await desk.visit({ as: owner });
    // The extension, and the token that `given` made.
    const line = page.getByRole('link', { name: /^Get started/ });
    await line.getByText('Get started · 2 of 5 done').waitFor();
    await line.click();
    await new Start(page).step('Key of Chrome Web Store');

    const ready = await given.publishable({ published: '1.0.0' }, owner);
    expectStatus(await api.as(owner).patch(`/extensions/${ready.extensionId}`, { name: 'Barn Owl' }), 200);
    await given.pinned(ready, '1.1.0');
    // A newer extension brings no step back.
    const newer = await given.extension(owner, 'Snowy Owl');
    await page.goto('/start');
    await page.getByRole('heading', { name: 'Pushed 1.1.0' }).waitFor();
    await page.getByRole('heading', { name: 'Registered as Barn Owl' }).waitFor();
    await page.goto(`/start?extension=${newer}`);
    await page.getByRole('heading', { name: 'Registered as Snowy Owl' }).waitFor();
    await new Start(page).step('Item at Chrome Web Store');

    await page.goto('/');
    const extensions = page.getByRole('table', { name: 'Extensions' });
    await extensions.waitFor();
    await line.waitFor({ state: 'detached' });
    const viewer = await desk.visit({ as: await given.member(owner, 'viewer') });
    await viewer.getByRole('table', { name: 'Extensions' }).waitFor();
    expect(await viewer.getByRole('link', { name: /^Get started/ }).count()).toBe(0);
  });

  it('goes on to selling, from a plan to a license, for those who want to', async () => {
    const { given, api } = desk.world;
    const owner = await given.tenant();
    const extensionId = await given.extension(owner, 'Night Owl');
    const page = await desk.visit({ as: owner, path: '/start' });
    const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
    await page.getByRole('link', { name: 'Create a plan' }).click();
    await page.getByRole('heading', { name: 'Plans and payments' }).waitFor();
    const made = await api.as(owner).post('/plans', { extensionId, tier: 'pro' });
    const { id } = expectStatus(made, 201).body;
    await page.goto('/start');
    await heading('Sold as pro');
    await page.getByRole('link', { name: 'Connect a processor' }).waitFor();
    await desk.look(page, 'checklist-selling');
    const credentials = { webhookSecret: 'whsec_0123456789abcdef' };
    expectStatus(await api.as({ cookie: owner.cookie }).post('/credentials', { store: 'stripe', credentials }), 201);
    const products = [{ processor: 'stripe', productId: 'price_1' }];
    expectStatus(await api.as(owner).call('PUT', `/plans/${id}/products`, products), 200);
    await page.goto('/start');
    await heading('Hears of sales at Stripe');
    await heading('price_1 buys pro');
    await page.getByRole('link', { name: 'Issue a license' }).waitFor();
    expectStatus(await api.as(owner).post('/licenses', { planId: id, buyerEmail: 'ann@example.com' }), 201);
    await page.goto('/start');
    await heading('Has its first license');
  });

  it('shows those who may do nothing of it whose turn it is, and no form', async () => {
    const owner = await desk.world.given.tenant();
    const viewer = await desk.world.given.member(owner, 'viewer');
    const page = await desk.visit({ as: viewer, path: '/start' });
    await page.getByText('Ask an owner or admin').waitFor();
    expect(await page.getByRole('form').count()).toBe(0);
  });
});
