import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { Line } from '../support/line.js';
import { run } from '../support/process.js';
import { BROWSERS, type Opened } from './browsers.js';
import { Shop } from './shop.js';

describe('the example extension, loaded unpacked in a real browser', () => {
  let world: World;
  let line: Line;
  let folder: string;
  let opened: Opened | undefined;
  beforeAll(async () => {
    world = await startWorld();
    line = await Line.open();
    line.leadTo(world.url);
    folder = await mkdtemp(join(tmpdir(), 'pierhead-browser-'));
  });
  afterEach(() => opened?.close());
  afterAll(async () => {
    await line.close();
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const [name, { test, open }] of Object.entries(BROWSERS))
    test(`activates in ${name}, stays active while the server is down, and is inactive once its seat is freed`, async () => {
      const shop = await Shop.open(world, { maxActivations: 1 });
      const extension = join(folder, name);
      const assembled = await run(['scripts/licensed-example.mjs', line.url, shop.extensionId, extension], {});
      expect(assembled).toMatchObject({ code: 0, stderr: '' });
      opened = await open(extension, join(folder, `${name}-profile`));
      const { page } = opened;
      const shows = (state: string): Promise<void> => page.locator(`//*[@id="state"][.="${state}"]`).waitFor();

      await shows('inactive');
      await page.locator('#code').fill('MISTYPED');
      await page.locator('#enter button').click();
      await page.locator('#state[data-reason="invalid_code"]').waitFor();
      await page.locator('#code').fill(shop.license.code.toLowerCase());
      await page.locator('#enter button').click();
      await shows('active');
      await page.locator('//*[@id="message"][.="1 of 1 devices"]').waitFor();
      expect(await shop.used()).toBe(1);

      line.cut();
      await page.reload();
      await shows('active, offline');
      line.mend();
      await page.reload();
      await shows('active');

      await page.locator('#release').click();
      await page.locator('#state[data-reason="no_code"]').waitFor();
      expect(await shop.used()).toBe(0);
      await page.reload();
      await shows('inactive');
    });
});
