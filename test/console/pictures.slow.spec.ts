import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import type { Page } from 'playwright-core';
import { Desk, inChromium } from './support/desk.js';
import { Studio, type Title } from './support/studio.js';

/** Where `npm run screenshots` wants the pictures of the documents; a test takes none. */
const IMAGES = process.env['CONSOLE_IMAGES'];

inChromium('a studio with five extensions', () => {
  let desk: Desk;
  let studio: Studio;
  let tabs: Title;
  beforeAll(async () => {
    desk = await Desk.open({ DEFAULT_TENANT_QUOTA: 'unlimited' });
    studio = await Studio.of(desk.world, 30, 60);
    tabs = await studio.title('Tab Counter', undefined, studio.first);
    await studio.deliver(tabs, '1.3.2');
    await studio.push(tabs, '1.3.2');
    const shade = await studio.title('Night Shade', ['chrome', 'firefox']);
    await studio.push(shade, '2.0.0');
    await studio.count(shade, 'chrome', 48_000);
    await studio.set(shade, 'chrome', { rolloutPercent: 10 });
    await studio.push(shade, '2.1.0');
    await studio.title('Reader Mode for Very Long Articles and Everything That Follows Them');
    const quiet = await studio.title('Quiet Inbox', ['firefox', 'edge']);
    await studio.push(quiet, '0.9.0');
    await studio.sell(tabs, 24);
    await studio.holdReviews(quiet, ['firefox']);
    await studio.push(quiet, '0.9.1');
    await studio.refuse(quiet);
    await studio.lapse(tabs, 'edge', 9);
    await studio.holdReviews(tabs, ['chrome', 'edge']);
    await studio.push(tabs, '1.4.0');
  });
  afterAll(() => desk.close());

  const shoot = async (page: Page, name: string, schemes: readonly ('light' | 'dark')[] = ['light']): Promise<void> => {
    if (IMAGES === undefined) return;
    await mkdir(IMAGES, { recursive: true });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
      await page.screenshot({ path: join(IMAGES, schemes.length > 1 ? `${name}-${colorScheme}.png` : `${name}.png`) });
    }
  };

  it.each([
    ['home', '/', ['light', 'dark']],
    ['version', () => `/extensions/${tabs.id}/versions/1.4.0`, ['light']],
    ['licenses', '/licenses', ['light']],
    ['analytics', '/analytics', ['light']],
  ] as const)('is shown by the page %s, in every look', async (name, path, schemes) => {
    const page = await desk.visit({ as: studio.owner, path: typeof path === 'string' ? path : path() });
    await desk.settled(page);
    await shoot(page, name, schemes);
    if (IMAGES === undefined) await desk.look(page, `studio-${name}`);
  });

  it('is shown on a phone', async () => {
    const page = await desk.visit({ as: studio.owner, width: 360 });
    await desk.settled(page);
    await shoot(page, 'phone');
  });
});
