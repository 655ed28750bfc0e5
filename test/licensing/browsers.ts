import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { it } from 'vitest';
import { CHROMIUM, chromiumWith } from '../support/chromium.js';
import { type Driven, Firefox, FIREFOX } from '../support/firefox.js';

export interface Opened {
  readonly page: Driven;
  /** Works in the tab that the page has opened, and closes it. */
  inNewTab(work: (page: Driven) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Chromium names an extension without a key by the folder that it was loaded from. */
const idOf = (folder: string): string =>
  createHash('sha256')
    .update(folder)
    .digest('hex')
    .slice(0, 32)
    .replaceAll(/./g, (digit) => 'abcdefghijklmnop'.charAt(parseInt(digit, 16)));

async function openInChromium(extension: string, profile: string): Promise<Opened> {
  const browser = await chromiumWith(extension, profile);
  const page = await browser.newPage();
  await page.goto(`chrome-extension://${idOf(extension)}/popup.html`);
  const known = new Set(browser.pages());
  const inNewTab = async (work: (page: Driven) => Promise<void>): Promise<void> => {
    const tab = browser.pages().find((one) => !known.has(one)) ?? (await browser.waitForEvent('page'));
    await work(tab);
    await tab.close();
  };
  return { page, inNewTab, close: () => browser.close() };
}

async function openInFirefox(extension: string, profile: string): Promise<Opened> {
  const page = await Firefox.open(extension, 'popup.html', profile);
  return { page, inNewTab: (work) => page.inNewTab(work), close: () => page.close() };
}

/** Opens `popup.html` of the extension in a folder, loaded unpacked, in a new profile. */
type Open = (extension: string, profile: string) => Promise<Opened>;

interface Browser {
  readonly open: Open;
  /** Jest's `it`, or the one that skips where the browser is missing. */
  readonly test: typeof it | typeof it.skip;
}

function browser(path: string, open: Open): Browser {
  const isInstalled = existsSync(path);
  if (!isInstalled) process.stderr.write(`Skipped: extensions in a real browser, because there is no ${path}.\n`);
  return { open, test: isInstalled ? it : it.skip };
}

export const BROWSERS = { Chromium: browser(CHROMIUM, openInChromium), Firefox: browser(FIREFOX, openInFirefox) };
