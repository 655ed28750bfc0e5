import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { startWorld, type World } from '../support/app.js';
import { Line } from '../support/line.js';
import { run } from '../support/process.js';
import { Shop } from './shop.js';

const CHROMIUM = '/usr/bin/chromium';

const isInstalled = existsSync(CHROMIUM);
if (!isInstalled)
  process.stderr.write(`Skipped: the example extension in a real browser, because there is no ${CHROMIUM}.\n`);

(isInstalled ? describe : describe.skip)('the example extension in a real browser', () => {
  let world: World;
  let line: Line;
  let shop: Shop;
  let folder: string;
  let browser: BrowserContext;
  beforeAll(async () => {
    world = await startWorld();
    line = await Line.open();
    line.leadTo(world.url);
    shop = await Shop.open(world, { maxActivations: 1 });
    folder = await mkdtemp(join(tmpdir(), 'pierhead-browser-'));
  });
  afterAll(async () => {
    await browser?.close();
    await line.close();
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (): Promise<Page> => {
    const [worker = await browser.waitForEvent('serviceworker')] = browser.serviceWorkers();
    const page = await browser.newPage();
    await page.goto(new URL('popup.html', worker.url()).href);
    return page;
  };
  const shows = async (page: Page, state: string): Promise<void> => {
    await page.locator('#state', { hasText: new RegExp(`^${state}$`) }).waitFor({ timeout: 20_000 });
  };

  it('activates when loaded unpacked, stays active while the server is down, and is inactive once its seat is freed', async () => {
    const extension = join(folder, 'extension');
    const assembled = await run(['scripts/licensed-example.mjs', line.url, shop.extensionId, extension], {});
    expect(assembled).toMatchObject({ code: 0, stderr: '' });
    browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: CHROMIUM,
      headless: false,
      args: [
        '--headless=new',
        '--no-sandbox',
        `--disable-extensions-except=${extension}`,
        `--load-extension=${extension}`,
      ],
    });
    const page = await open();
    await shows(page, 'inactive');
    await page.locator('#code').fill('MISTYPED');
    await page.locator('#enter button').click();
    await page.locator('#state[data-reason="invalid_code"]').waitFor();
    await page.locator('#code').fill(shop.license.code.toLowerCase());
    await page.locator('#enter button').click();
    await shows(page, 'active');
    expect(await page.locator('#message').textContent()).toBe('1 of 1 devices');
    expect(await shop.used()).toBe(1);

    line.cut();
    await page.reload();
    await shows(page, 'active, offline');
    line.mend();
    await page.reload();
    await shows(page, 'active');

    await page.locator('#release').click();
    await shows(page, 'inactive');
    expect(await page.locator('#state').getAttribute('data-reason')).toBe('no_code');
    expect(await shop.used()).toBe(0);
    await page.reload();
    await shows(page, 'inactive');
  });
});
