import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ping } from '../analytics/install.js';
import { packageOf } from '../support/packages.js';
import { Analytics } from './pages/analytics.js';
import { ExtensionPages } from './pages/extension.js';
import { SignIn } from './pages/sign-in.js';
import { Start } from './pages/start.js';
import { Desk, inChromium } from './support/desk.js';
import { Studio } from './support/studio.js';

const OWNER = { team: 'Studio Ann', email: 'ann@studio.example', password: 'correct horse battery staple' };
const VERSION = '1.4.0';

inChromium('an empty service', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk.close());

  it('comes to a version that is live at four stores, and an install that counts', async () => {
    const { world } = desk;
    const account = await world.control.chromeAccount();
    const { itemId } = await world.control.chromeItem({ publisherId: account.publisherId, approveAfterSeconds: 0 });
    const page = await desk.visit();
    const start = new Start(page);
    await new SignIn(page).createOwner(OWNER);
    await start.register('Tab Counter');
    await start.giveChromeKey(account);
    await start.nameItem(itemId);
    await page.getByRole('link', { name: 'Push a version' }).waitFor();

    // The other three stores, as the first.
    const owner = await world.given.loggedIn(OWNER);
    const [{ id }] = (await world.api.as(owner).get('/extensions')).body.items;
    const studio = await Studio.around(world, owner, id);
    const title = await studio.title('Tab Counter', ['firefox', 'edge', 'safari'], id);
    await studio.deliver(title, VERSION);

    await page.getByRole('link', { name: 'Push a version' }).click();
    const pages = new ExtensionPages(page);
    const gecko = { id: title.guid, data_collection_permissions: { required: ['none'] } };
    await pages.package(VERSION, await packageOf(VERSION, { browser_specific_settings: { gecko } }));
    await page.getByRole('button', { name: `Push ${VERSION}` }).click();
    await pages.title(VERSION).waitFor();
    await studio.work();
    // The page follows by itself.
    for (const store of ['Chrome', 'Firefox', 'Edge', 'Safari'])
      await pages.way(store).getByText('live', { exact: true }).first().waitFor();

    await ping(world, { extensionId: id, version: VERSION });
    await page.getByRole('link', { name: 'Analytics' }).click();
    const installs = new Analytics(page).figure('New in the days shown');
    await installs.waitFor();
    expect(await installs.textContent()).toBe('1');
  });
});
