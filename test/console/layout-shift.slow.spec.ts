import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Desk, inChromium } from './support/desk.js';

/** How long a slow service takes for each answer. */
const SLOW_MS = 300;
/** Of layout shift: a page above it moves under the reader's finger. */
const MOST_SHIFT = 0.05;

inChromium('a page', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk.close());

  it.each(['/plans', '/settings/account', '/settings/members'])(
    'stays where it is while %s arrives piece by piece',
    async (path) => {
      const owner = await desk.world.given.publishable();
      await desk.world.given.licensed({ extensionId: owner.extensionId }, owner);
      await desk.world.given.loggedIn(owner);
      const page = await desk.visit({ as: owner, path: '/api/docs/problems' });
      let asked = 0;
      await page.route('**/api/v1/**', async (route) => {
        // Each is later than the one before, so that no two arrive together.
        asked += 1;
        await delay(SLOW_MS + 50 * (asked % 5));
        await route.continue();
      });
      await page.goto(path);
      await desk.settled(page);
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      const shift = await page.evaluate<number>(`new Promise((done) => {
      const shifts = [];
      new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done(shifts.reduce((sum, { value }) => sum + value, 0)), 500);
    })`);
      expect(shift).toBeLessThan(MOST_SHIFT);
    },
  );
});
