import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';

/** As Debian installs it. */
export const CHROMIUM = '/usr/bin/chromium';

/** Chromium without a window, which Debian packs apart: it draws a page with a third less of the processor. */
const HEADLESS = '/usr/bin/chromium-headless-shell';

/** Whether Chromium is installed. Says what is skipped where it is not. */
export function hasChromium(skipped: string): boolean {
  const isInstalled = existsSync(CHROMIUM);
  if (!isInstalled) process.stderr.write(`Skipped: ${skipped}, because there is no ${CHROMIUM}.\n`);
  return isInstalled;
}

let started: Promise<Browser> | undefined;

/** The Chromium of this process, which ends with it. */
export async function theChromium(): Promise<Browser> {
  const known = await started?.catch(() => undefined);
  if (known?.isConnected() === true) return known;
  const executablePath = existsSync(HEADLESS) ? HEADLESS : CHROMIUM;
  return (started = chromium.launch({ executablePath, args: ['--no-sandbox'] }));
}

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
