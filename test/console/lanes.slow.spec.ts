import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHROME, pingAll, rollUp } from '../analytics/install.js';
import { DataSource } from '../support/app.js';
import { DAY, HOUR, SECOND } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { ExtensionPages } from './pages/extension.js';
import { Desk, inChromium } from './support/desk.js';
import { Keyboard } from './support/keyboard.js';
import { Studio, type Title } from './support/studio.js';

inChromium('the lanes of an extension', () => {
  let desk: Desk;
  let studio: Studio;
  let tabs: Title;
  let person: Tenant;
  /** Twenty installs ping, a quarter of which still have the first version. */
  const used = async (version: string): Promise<void> => {
    const pings = Array.from({ length: 20 }, (_, at) => ({
      extensionId: studio.first,
      installId: `install ${at}`.padEnd(16, '.'),
      version: at < 5 ? '1.0.0' : version,
      language: 'en',
      userAgent: CHROME,
    }));
    await pingAll(desk.world, pings);
    await rollUp(desk.world);
  };
  beforeAll(async () => {
    desk = await Desk.open({ DEFAULT_TENANT_QUOTA: 'unlimited' });
    // Versions go live after hours, and days are UTC days: at another time of the day it would be another day.
    const now = desk.world.clock.now();
    await desk.world.forward(Math.floor((new Date(now).setUTCHours(36, 0, 0, 0) - now.getTime()) / SECOND) * SECOND);
    studio = await Studio.of(desk.world, 1, 10);
    tabs = await studio.title('Tab Counter', ['chrome', 'firefox', 'edge'], studio.first);
    for (const [version, hours] of [
      ['1.0.0', 30],
      ['1.1.0', 60],
      ['1.2.0', 20],
      ['1.3.0', 44],
    ] as const) {
      for (const [store, one] of tabs.testStores) await one.review(hours * (store === 'chrome' ? 3600 : 600));
      await studio.push(tabs, version);
      for (let waited = 0; waited < 3 * DAY; waited += 6 * HOUR) {
        await desk.world.forward(6 * HOUR);
        await desk.world.tick();
      }
      await desk.world.forward(4 * DAY);
      await used(version);
    }
    await studio.holdReviews(tabs, ['chrome']);
    for (const store of ['firefox', 'edge'] as const) await tabs.testStores.get(store)?.review(0);
    await studio.push(tabs, '1.4.0');
    await studio.sell(tabs, 5);
    person = await desk.world.given.loggedIn({ email: 'ann@studio.example', password: 'correct horse battery staple' });
    const { targets } = expectStatus(await desk.world.api.as(person).get(`/extensions/${tabs.id}/targets`), 200).body;
    const sql = "insert into store_figure values ($1, $2, 'users', '', '', $3)";
    for (const { id, store } of targets)
      await desk.world.app
        .get(DataSource)
        .query(sql, [id, desk.world.clock.now(), store === 'chrome' ? 48_120 : store === 'edge' ? 1 : 3_204]);
  });
  afterAll(() => desk.close());

  it('show what waits, how long it usually takes, and each way in words and as a drawing', async () => {
    const page = await desk.visit({ as: person, path: `/extensions/${tabs.id}` });
    await page.getByText('51,325 users. Chrome reviews 1.4.0, which usually takes 1 day to 2 days.').waitFor();
    const lane = (store: string) => new ExtensionPages(page).stores.getByRole('listitem').filter({ hasText: store });
    await lane('Chrome').getByText('1.3.0 live · 48,120 users · reviews usually take 1 day to 2 days').waitFor();
    const words = (await lane('Chrome').textContent()) ?? '';
    expect(words).toMatch(/1\.4\.0: pushed [^.]+, in review since [^.]+\. /);
    expect(words).toMatch(/1\.1\.0: pushed [^.]+, reviewed in 2 days, live since [^.]+, superseded since [^.]+\. /);
    await lane('Edge')
      .getByText(/ · 1 user · |^1 user( · |$)/)
      .waitFor();
    await page.locator('main li').getByText('rejected', { exact: true }).waitFor();
    expect(await page.getByTitle(/^1\.4\.0 usual end of the review: /).count()).toBe(1);
    expect(await lane('Safari').getByRole('link', { name: 'Set up Safari' }).count()).toBe(1);
    for (const width of [320, 768, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    }
    await desk.look(page, 'lanes');
  });

  it('show how versions spread since each went live', async () => {
    const page = await desk.visit({ as: person, path: `/extensions/${tabs.id}` });
    const table = page.getByRole('table', { name: 'Adoption since release' });
    await page.getByText('Share of the installs that ping by version').waitFor();
    expect(await table.getByRole('row', { name: /^1\.3\.0/ }).textContent()).toMatch(/—75%$/);
    expect(await table.getByRole('row', { name: /^1\.0\.0/ }).textContent()).toMatch(/100%25%25%$/);
  });

  it('show who did what by day in the timeline, with licenses folded', async () => {
    const page = await desk.visit({ as: person, path: `/extensions/${tabs.id}/timeline` });
    const { timeline } = new ExtensionPages(page);
    const folded = timeline.getByRole('button', { name: /^\d+ license events$/ }).first();
    await folded.waitFor();
    const rows = timeline.getByRole('row');
    const before = await rows.count();
    const keys = new Keyboard(page);
    await keys.press(folded);
    expect(await rows.count()).toBe(before + Number.parseInt((await folded.textContent()) ?? '', 10));
    await desk.look(page, 'timeline');
    await keys.press(timeline.getByRole('link', { name: 'pinned' }).first());
    await page.waitForURL(/kind=pinned/);
    await folded.waitFor({ state: 'detached' });
    const pins = rows.filter({ hasText: 'was pinned' });
    await pins.nth(4).waitFor();
    expect(await pins.count()).toBe(5);
    await keys.press(pins.locator('a[href*="by="]').first());
    await page.waitForURL(/kind=pinned&by=/);
    await pins.nth(4).waitFor();
    await page.getByLabel('Person').fill('ann');
    await page.getByText('A person is found by the whole address').waitFor();
  });
});
