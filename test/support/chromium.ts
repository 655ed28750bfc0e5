import { chromium, type BrowserContext } from 'playwright-core';

/** As Debian installs it. */
export const CHROMIUM = '/usr/bin/chromium';

/** Starts Chromium with the extension in a folder, loaded unpacked. */
export const chromiumWith = (extension: string, profile: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: false,
    args: [
      '--headless=new',
      '--no-sandbox',
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
    ],
  });
