import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Locator, Page, Route } from 'playwright-core';
import { askedFor } from '../guard/every-resource.js';
import { expectStatus, type Publishable } from '../support/given.js';
import { oneOffSale } from '../support/purchases.js';
import { Seller } from '../webhooks/seller.js';
import { Desk, inChromium } from './support/desk.js';

const ROUTES = 'console/src/routes.tsx';
/** What a page without these would be is the page of log-in. */
const WHO = /\/api\/v1\/(auth\/(me|token|methods)|console\/start)$/;

type Outage = 'silent' | 'gone' | 'broken' | 'over';

/** What becomes of the questions that a page asks the service. */
class Weather {
  private outage: Outage = 'silent';
  private readonly held: Route[] = [];

  /** @param spared what is answered all the time */
  static async over(page: Page, spared: RegExp | null): Promise<Weather> {
    const weather = new Weather();
    await page.route(
      (url) => url.pathname.startsWith('/api/') && spared?.test(url.pathname) !== true,
      (route) => weather.meet(route),
    );
    return weather;
  }

  async turn(outage: Outage): Promise<void> {
    this.outage = outage;
    for (const route of this.held.splice(0)) await this.meet(route);
  }

  private async meet(route: Route): Promise<void> {
    // The page may have given up a question meanwhile.
    const ignore = (): void => undefined;
    if (this.outage === 'silent') this.held.push(route);
    else if (this.outage === 'gone') await route.abort('internetdisconnected').catch(ignore);
    else if (this.outage === 'broken') await route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }).catch(ignore);
    else await route.continue().catch(ignore);
  }
}

inChromium('an outage', () => {
  let desk: Desk;
  let owner: Publishable;
  let pathOf: (route: string) => string;
  beforeAll(async () => {
    desk = await Desk.open();
    owner = await desk.world.given.publishable({ published: '1.0.0' });
    const { extensionId: id, targetId } = owner;
    const { artifact } = (await desk.world.given.pinned(owner, '1.1.0')).body;
    const approvalId = await askedFor(desk.world, artifact.id);
    const { licenseId } = await desk.world.given.licensed({ extensionId: id }, owner);
    const hook = { kind: 'webhook', url: 'https://hook.example/', events: ['live'] };
    expectStatus(await desk.world.api.as(owner).post('/notifications/endpoints', hook), 201);
    const seller = await Seller.of(desk.world, 'stripe', owner, id);
    await seller.sendAll(oneOffSale('stripe', seller.sale()));
    const orderId: string = (await desk.world.api.as(owner).get('/orders')).body.items[0].id;
    const csv = { raw: 'Mail;Kind', headers: { 'content-type': 'text/csv' } };
    const sent = await desk.world.api.as(owner).post(`/license-imports?extension=${id}`, undefined, csv);
    const importId: string = expectStatus(sent, 201).body.id;
    pathOf = (route) =>
      route
        .replace('/imports/:id', `/imports/${importId}`)
        .replace('/approvals/:id', `/approvals/${approvalId}`)
        .replace(/^\/customers$/, '/customers?address=buyer%40buyer.example')
        .replace('/orders/:id', `/orders/${orderId}`)
        .replace('/licenses/:id', `/licenses/${licenseId}`)
        .replace(':id', id)
        .replace(':targetId', targetId)
        .replace(':version', '1.1.0');
  });
  afterAll(() => desk.close());

  const note = (page: Page, text: string): Locator =>
    page.getByRole('alert').filter({ hasText: text }).filter({ hasText: 'Try again' }).first();

  /** What somebody sees of a page from the first moment of an outage to its end. */
  const sitThrough = async (route: string): Promise<void> => {
    const page = await desk.visit({ as: owner, path: '/api/docs/problems' });
    const weather = await Weather.over(page, WHO);
    await page.goto(pathOf(route), { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1 }).or(page.locator('main [aria-busy=true]')).first().waitFor();
    expect([route, await page.getByRole('alert').count()]).toEqual([route, 0]);
    await weather.turn('gone');
    await note(page, 'No connection').waitFor();
    await weather.turn('broken');
    await note(page, 'No connection').getByRole('button', { name: 'Try again' }).click();
    await note(page, 'Unexpected answer').waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Nobody touches anything from here on.
    await weather.turn('over');
    await page.getByRole('alert').first().waitFor({ state: 'detached' });
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await page.close();
  };

  it.each(['/', '/licenses', '/extensions', '/settings'])(
    'shows on each page below %s that it loads, what went wrong and a way to try again, and ends by itself',
    async (part) => {
      const all = [...(await readFile(ROUTES, 'utf8')).matchAll(/\blazily\('(\/[^']*)'/g)].map(([, path = '']) => path);
      const parts = ['/licenses', '/extensions', '/settings'];
      const below = all.filter((path) => part === (parts.find((one) => path.startsWith(one)) ?? '/'));
      expect(below.length).toBeGreaterThan(1);
      // A few pages at a time: they mostly wait, but two cores cannot load a dozen at once.
      const left = below.values();
      const sitThroughRest = async (): Promise<void> => {
        for (const route of left) await sitThrough(route);
      };
      await Promise.all([sitThroughRest(), sitThroughRest(), sitThroughRest()]);
    },
  );

  it('that began before anybody came is shown, and ends by itself', async () => {
    const page = await desk.visit({ as: owner, path: '/api/docs/problems' });
    const weather = await Weather.over(page, null);
    await page.goto('/licenses', { waitUntil: 'commit' });
    await page.getByText('Loading: session').waitFor({ state: 'attached' });
    await page.clock.fastForward(6_000);
    await page.getByText('Still waiting for the service.').waitFor();
    await page.clock.fastForward(31_000);
    await note(page, 'No answer').waitFor();
    await weather.turn('over');
    await page.getByRole('heading', { level: 1, name: 'Licenses' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('in which a page is opened loads the page once it is over', async () => {
    const page = await desk.visit({ as: owner });
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    desk.line.cut();
    await page.getByText('No connection to the service.').waitFor();
    await page.getByRole('link', { name: 'Analytics' }).click();
    await note(page, 'Page not loaded').waitFor();
    await page.getByRole('heading', { level: 1, name: 'This page cannot be shown' }).waitFor();
    desk.line.mend();
    await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor();
  });
});
