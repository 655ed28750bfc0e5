import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { ping, rollUp } from '../analytics/install.js';
import { expectStatus } from '../support/given.js';
import { Analytics } from './pages/analytics.js';
import { ExtensionPages } from './pages/extension.js';
import { Home } from './pages/home.js';
import { Licenses } from './pages/licenses.js';
import { Notifications } from './pages/notifications.js';
import { Settings } from './pages/settings.js';
import { SignIn } from './pages/sign-in.js';
import { Desk, inChromium } from './support/desk.js';

const NAME = 'Tab Counter';
const WEBHOOK = 'https://hooks.example/pierhead';
/** What a page says of a value that it has not. */
const LEAKED = /\bundefined\b|\bNaN\b|\[object|Invalid Date/;

inChromium('somebody who logs in to the console', () => {
  let desk: Desk;
  let page: Page;
  const failed: string[] = [];
  beforeAll(async () => {
    desk = await Desk.open();
    const { world } = desk;
    const owner = await world.given.publishable({ published: '1.0.0' });
    const { extensionId } = owner;
    const api = world.api.as({ token: owner.token });
    expectStatus(await api.patch(`/extensions/${extensionId}`, { name: NAME }), 200);
    await world.given.pinned(owner, '1.1.0');
    await world.tick();
    await world.given.licensed({ extensionId }, owner);
    expectStatus(await api.post('/notifications/endpoints', { kind: 'webhook', url: WEBHOOK, events: ['live'] }), 201);
    expectStatus(await ping(world, { extensionId, version: '1.0.0' }), 202);
    await rollUp(world);
    page = await desk.visit();
    await new SignIn(page).logIn(owner);
    await new Home(page).row(NAME).waitFor();
    page.on('requestfailed', (request) => failed.push(`${request.url()}: ${request.failure()?.errorText}`));
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.url()}: ${response.status()}`);
    });
  });
  afterAll(() => desk.close());

  const rail = (link: string): Promise<void> =>
    page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: link, exact: true }).click();

  it.each<[name: string, heading: string, link: string, content: () => Locator]>([
    ['what is live and on its way', 'Home', 'Home', () => new Home(page).row(NAME).getByText('1.0.0')],
    ['an extension', NAME, NAME, () => new ExtensionPages(page).stores.getByRole('link', { name: 'Chrome' })],
    ['licenses', 'Licenses', 'Licenses', () => new Licenses(page).row('@buyer.example').getByText('active')],
    ['installs', 'Analytics', 'Analytics', () => new Analytics(page).days('Active installs').locator('canvas')],
    ['notifications', 'Notifications', 'Notifications', () => new Notifications(page).endpoint(WEBHOOK)],
    ['settings', 'Account', 'Settings', () => new Settings(page).row('Sessions', 'This session')],
  ])('sees %s', async (_, heading, link, content) => {
    await rail(link);
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await content().waitFor();
    await desk.settled(page);
    expect(await page.locator('body').innerText()).not.toMatch(LEAKED);
    expect(failed).toEqual([]);
  });
});
