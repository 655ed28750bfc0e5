import { afterAll, beforeAll, expect, it } from '@jest/globals';
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

  it('shows those who may do nothing of it whose turn it is, and no form', async () => {
    const owner = await desk.world.given.tenant();
    const viewer = await desk.world.given.member(owner, 'viewer');
    const page = await desk.visit({ as: viewer, path: '/start' });
    await page.getByText('Ask an owner or admin').waitFor();
    expect(await page.getByRole('form').count()).toBe(0);
  });
});
