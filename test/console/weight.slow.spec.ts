import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Request } from 'playwright-core';
import { Desk, inChromium } from './support/desk.js';

inChromium('a first visit', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk.close());

  /** Opens the console, and returns the bytes of its page, scripts and style sheets as they came over the line, and its calls in their order. */
  const open = async (as?: { readonly cookie: string }) => {
    const page = await desk.visit({ path: '/api/docs/problems', ...(as === undefined ? {} : { as }) });
    const requests: Request[] = [];
    page.on('requestfinished', (request) => requests.push(request));
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) calls.push(pathname.slice('/api/v1'.length));
    });
    await page.goto('/');
    await desk.settled(page);
    const files = requests.filter((request) => ['document', 'script', 'stylesheet'].includes(request.resourceType()));
    const sizes = await Promise.all(files.map((request) => request.sizes()));
    return { calls, bytes: sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0) };
  };

  it('transfers less than 80 kB for the log-in page', async () => {
    await desk.world.given.tenant();
    const { bytes, calls } = await open();
    expect(calls).toEqual(['/console/start', '/auth/methods']);
    expect(bytes).toBeGreaterThan(40_000);
    expect(bytes).toBeLessThan(80_000);
  });

  it('transfers less than 150 kB for the home page, whose first call answers what every page needs', async () => {
    const owner = await desk.world.given.publishable({ published: '1.0.0' });
    await desk.world.given.loggedIn(owner);
    const { bytes, calls } = await open(owner);
    expect(calls[0]).toBe('/console/start');
    expect(calls).not.toContain('/auth/token');
    expect(bytes).toBeGreaterThan(80_000);
    expect(bytes).toBeLessThan(150_000);
  });
});
