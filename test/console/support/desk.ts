import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { startWorld, type World } from '../../support/app.js';
import { Line } from '../../support/line.js';
import { run } from '../../support/process.js';

const CHROMIUM = '/usr/bin/chromium';
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Where `look` leaves pictures, for those who want to see the pages; none without it. */
const PICTURES = process.env['CONSOLE_PICTURES'];

/** The looks that every page must have: both colour schemes, a phone and a desk. */
const LOOKS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 360 },
] as const;

const isInstalled = existsSync(CHROMIUM);
if (!isInstalled) process.stderr.write(`Skipped: the console in a real browser, because there is no ${CHROMIUM}.\n`);

/** `describe` for what needs a real browser. */
export const inChromium: typeof describe | typeof describe.skip = isInstalled ? describe : describe.skip;

interface Visit {
  /** Logged in as this person; nobody by default. */
  readonly as?: { readonly cookie: string };
  readonly path?: string;
  readonly width?: number;
}

/** A service with its console, and a real browser in front of it. Whatever the console complains about fails the test at `close`. */
export class Desk {
  private readonly faults: string[] = [];
  private readonly contexts: BrowserContext[] = [];

  private constructor(
    readonly world: World,
    readonly line: Line,
    private readonly browser: Browser,
    private readonly axe: string,
  ) {}

  static async open(env: Readonly<Record<string, string>> = {}): Promise<Desk> {
    const build = `import('./scripts/built.mjs').then(({ ensureConsoleBuilt }) => ensureConsoleBuilt())`;
    expect(await run(['-e', build], {})).toMatchObject({ code: 0 });
    const line = await Line.open();
    const world = await startWorld({ env: { PUBLIC_URL: line.url, ...env } });
    line.leadTo(world.url);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    return new Desk(world, line, browser, await readFile(AXE, 'utf8'));
  }

  /** Opens the console in a browser of its own: its cookies, storage and cache are nobody else's. */
  async visit({ as, path = '/', width = 1280 }: Visit = {}): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: { width, height: 800 },
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      baseURL: this.line.url,
    });
    this.contexts.push(context);
    context.setDefaultTimeout(10_000);
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
      if (!request.url().startsWith(`${this.line.url}/`)) this.faults.push(`${page.url()} asked ${request.url()}`);
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
   */
  async look(page: Page, name: string): Promise<void> {
    const before = page.viewportSize() ?? { width: 1280, height: 800 };
    for (const { colorScheme, width } of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
      const where = `${name}, ${colorScheme}, ${width} px`;
      if (PICTURES !== undefined) {
        await mkdir(PICTURES, { recursive: true });
        await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      }
      expect([where, await this.hindrances(page)]).toEqual([where, []]);
      const wide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect([where, 'wider than the screen by', wide]).toEqual([
        where,
        'wider than the screen by',
        expect.any(Number),
      ]);
      expect(Number(wide)).toBeLessThanOrEqual(0);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(before);
  }

  private async hindrances(page: Page): Promise<readonly string[]> {
    await page.evaluate(this.axe);
    const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }

  /** Ends browser and service. @throws Error with what the console complained about */
  async close(): Promise<void> {
    for (const context of this.contexts) await context.close();
    await this.browser.close();
    await this.world.close();
    await this.line.close();
    expect(this.faults).toEqual([]);
  }
}
