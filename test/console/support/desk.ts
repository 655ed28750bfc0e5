import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startWorld, type World } from '../../support/app.js';
import { hasChromium, theChromium } from '../../support/chromium.js';
import { Line } from '../../support/line.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Where `look` leaves pictures, for those who want to see the pages; none without it. */
const PICTURES = process.env['CONSOLE_PICTURES'];

interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

/** The looks that are checked: each colour scheme and each width once, since neither changes what the other does. */
const LOOKS: readonly Look[] = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 360 },
];
/** The looks that pictures are taken of. */
const PICTURED: readonly Look[] = [
  ...LOOKS,
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 360 },
];

/** Leads to the service of those who want no settings: it knows itself by this address. */
let plainLine: Promise<Line> | undefined;

/** Browsers of the test that runs. */
const opened: BrowserContext[] = [];
let isInTest = false;

/**
 * `describe` for what needs a real browser. What a test opens is closed with it: a page that stays open is live, and reads again whatever
 * later tests change.
 */
export function inChromium(name: string, tests: () => void): void {
  (hasChromium('the console in a real browser') ? describe : describe.skip)(name, () => {
    beforeEach(() => {
      isInTest = true;
    });
    afterEach(async () => {
      isInTest = false;
      for (const context of opened.splice(0)) await context.close();
    });
    tests();
  });
}

/**
 * Keeps a page from asking for news, so that what somebody does is the first to find out that the session has ended.
 * @returns lets it ask again
 */
export async function hush(page: Page): Promise<() => Promise<void>> {
  const isNews = ({ pathname }: URL): boolean => pathname.startsWith('/api/v1/') && pathname !== '/api/v1/auth/methods';
  await page.route(isNews, (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
  return () => page.unroute(isNews);
}

type Env = Readonly<Record<string, string>>;

interface Visit {
  /** Logged in as this person; nobody by default. */
  readonly as?: { readonly cookie: string };
  readonly path?: string;
  readonly width?: number;
  /** Where the reader is. */
  readonly timezoneId?: string;
}

/** A service with its console, and a real browser in front of it. Whatever the console complains about fails the test at `close`. */
export class Desk {
  /** Where a page may go besides the service, such as to an identity provider. */
  readonly elsewhere: string[] = [];
  private readonly faults: string[] = [];
  private readonly contexts: BrowserContext[] = [];

  private constructor(
    readonly world: World,
    readonly line: Line,
    private readonly browser: Browser,
    private readonly axe: string,
  ) {}

  /** @param settings of the service; those that depend on its address are made of it */
  static async open(settings: Env | ((url: string) => Promise<Env>) = {}): Promise<Desk> {
    const isPlain = Object.keys(settings).length === 0 && typeof settings !== 'function';
    const line = isPlain ? await (plainLine ??= Line.open()) : await Line.open();
    const env = typeof settings === 'function' ? await settings(line.url) : settings;
    const shared = isPlain ? { shared: 'console' } : {};
    const world = await startWorld({ env: { PUBLIC_URL: line.url, ...env }, ...shared });
    line.leadTo(world.url);
    return new Desk(world, line, await theChromium(), await readFile(AXE, 'utf8'));
  }

  /** Opens the console in a browser of its own: its cookies, storage and cache are nobody else's. */
  async visit({ as, path = '/', width = 1280, timezoneId = 'UTC' }: Visit = {}): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: { width, height: 800 },
      locale: 'en-US',
      timezoneId,
      reducedMotion: 'reduce',
      baseURL: this.line.url,
      // A browser with a window grants it to the page that is looked at.
      permissions: ['clipboard-write'],
    });
    (isInTest ? opened : this.contexts).push(context);
    // A page asks a silent service again every five seconds, and a machine may be slow.
    context.setDefaultTimeout(60_000);
    // What pages elsewhere load from yet other places stays unloaded.
    if (this.elsewhere.length > 0)
      await context.route(
        ({ hostname }) => hostname !== '127.0.0.1',
        (route) => route.abort(),
      );
    if (as !== undefined) {
      const [name = '', value = ''] = as.cookie.split('=', 2);
      await context.addCookies([{ name, value, url: this.line.url, httpOnly: true, sameSite: 'Lax' }]);
    }
    const page = await context.newPage();
    this.watch(page);
    // It is as late for the browser as for the service.
    await page.clock.setFixedTime(this.world.clock.now());
    await page.goto(path);
    return page;
  }

  /** A page that says nothing wrong, loads nothing from elsewhere and breaks no policy. */
  private watch(page: Page): void {
    page.on('pageerror', (error) => this.faults.push(`${page.url()}: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      // A refusal is an answer like any other; the browser reports all of them.
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !isRefusal)
        this.faults.push(`${page.url()}: ${message.text()}`);
    });
    page.on('request', (request) => {
      const isElsewhere = this.elsewhere.some((one) => [page.url(), request.url()].some((url) => url.startsWith(one)));
      if (!request.url().startsWith(`${this.line.url}/`) && !isElsewhere)
        this.faults.push(`${page.url()} asked ${request.url()}`);
    });
  }

  /** Waits until a page shows everything that it has asked for. */
  async settled(page: Page): Promise<void> {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  }

  /**
   * Checks a page in each look: nothing that hinders people with disabilities as far as axe finds it, and nothing that is wider than the
   * screen.
   * @param name of the picture
   * @param scheme what shows that the page has the scheme: the console's own pages choose it by a script
   */
  async look(page: Page, name: string, scheme = (one: string): string => `html[data-scheme=${one}]`): Promise<void> {
    await this.check(page, name, 'html', scheme);
  }

  /** Checks the dialog that is on top of a page in each look, as `look` does; the page below it is checked for itself. */
  async lookAtDialog(page: Page, name: string): Promise<void> {
    await this.check(page, name, '[role=dialog], [role=alertdialog]', (one) => `html[data-scheme=${one}]`);
  }

  private async check(page: Page, name: string, part: string, scheme: (one: string) => string): Promise<void> {
    // What holds the place of something that is loading; a button may be busy for longer.
    await page.locator('[role=status][aria-busy=true]').first().waitFor({ state: 'detached' });
    const before = page.viewportSize() ?? { width: 1280, height: 800 };
    const wear = async ({ colorScheme, width }: Look): Promise<void> => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.locator(scheme(colorScheme)).waitFor({ state: 'attached' });
    };
    for (const look of LOOKS) {
      await wear(look);
      const where = `${name}, ${look.colorScheme}, ${look.width} px`;
      expect([where, await this.hindrances(page, part)]).toEqual([where, []]);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      expect([where, 'wider than the screen', wide > 0]).toEqual([where, 'wider than the screen', false]);
    }
    if (PICTURES !== undefined) {
      await mkdir(PICTURES, { recursive: true });
      for (const look of PICTURED) {
        await wear(look);
        const path = join(PICTURES, `${name}-${look.width}-${look.colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(before);
  }

  private async hindrances(page: Page, part: string): Promise<readonly string[]> {
    if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(this.axe);
    const { violations } = await page.evaluate<AxeResults>(
      `axe.run(${JSON.stringify(part)}, { resultTypes: ['violations'] })`,
    );
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }

  /** Ends what the browser shows, and the service. @throws Error with what the console complained about */
  async close(): Promise<void> {
    for (const context of this.contexts) await context.close();
    await this.world.close();
    if (this.line === (await plainLine)) this.line.mend();
    else await this.line.close();
    expect(this.faults).toEqual([]);
  }
}
