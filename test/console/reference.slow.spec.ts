import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { expectStatus } from '../support/given.js';
import { Desk, inChromium } from './support/desk.js';

inChromium('the reference of the API', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk.close());

  const operations = (page: Page): Locator => page.locator('.opblock');

  it('opens with its groups folded, finds an operation by words of it, and tries it with the session', async () => {
    const owner = await desk.world.given.tenant();
    const page = await desk.visit({ as: owner, path: '/api/docs' });
    // Swagger UI waits by the clock before it shows an operation.
    await page.clock.setSystemTime(desk.world.clock.now());
    await page.locator('.opblock-tag').first().waitFor();
    expect(await operations(page).count()).toBe(0);
    const search = page.getByPlaceholder('Filter by tag');
    await search.fill('post extensions reconcile');
    await operations(page).first().waitFor();
    expect(await operations(page).locator('.opblock-summary-path').allTextContents()).toEqual([
      expect.stringContaining('reconcile'),
    ]);
    await search.fill('creates an extension');
    const register = operations(page).filter({ hasText: 'with one disabled target per store' });
    await register.locator('.opblock-summary-control').click();
    await register.locator('textarea').fill('{"name": "Registered from the reference"}');
    await register.getByRole('button', { name: 'Execute' }).click();
    await register.locator('.live-responses-table .response-col_status').getByText('201').waitFor();
    const { items } = expectStatus(await desk.world.api.as(owner).get('/extensions'), 200).body;
    expect(items).toMatchObject([{ name: 'Registered from the reference' }]);
    await search.fill('nothing has these words');
    await operations(page).first().waitFor({ state: 'detached' });
  });
});
