import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium } from 'playwright-core';
import { startWorld, type World } from '../support/app.js';
import { type Driven, Firefox, FIREFOX } from '../support/firefox.js';
import { Line } from '../support/line.js';
import { run } from '../support/process.js';
import { Shop } from './shop.js';

const CHROMIUM = '/usr/bin/chromium';

interface Opened {
  readonly page: Driven;
  close(): Promise<void>;
}

async function openInChromium(extension: string, profile: string): Promise<Opened> {
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: false,
    args: [
      '--headless=new',
      '--no-sandbox',
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
    ],
  });
  const [worker = await browser.waitForEvent('serviceworker')] = browser.serviceWorkers();
  const page = await browser.newPage();
  await page.goto(new URL('popup.html', worker.url()).href);
  return { page, close: () => browser.close() };
}

async function openInFirefox(extension: string, profile: string): Promise<Opened> {
  const page = await Firefox.open(extension, 'licensed-counter@pierhead.example', 'popup.html', profile);
  return { page, close: () => page.close() };
}

const BROWSERS = [
  { name: 'Chromium', path: CHROMIUM, open: openInChromium },
  { name: 'Firefox', path: FIREFOX, open: openInFirefox },
];

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

  for (const { name, path, open } of BROWSERS) {
    const isInstalled = existsSync(path);
    if (!isInstalled) process.stderr.write(`Skipped: the example extension in ${name}, because there is no ${path}.\n`);

    (isInstalled ? it : it.skip)(
      `activates in ${name}, stays active while the server is down, and is inactive once its seat is freed`,
      async () => {
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
      },
    );
  }
});
