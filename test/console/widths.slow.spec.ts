import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { askedFor } from '../guard/every-resource.js';
import { expectStatus } from '../support/given.js';
import { DataSource } from '../support/app.js';
import { Desk, inChromium } from './support/desk.js';
import { beyondAt, WIDTHS } from './support/widths.js';

const LONG = 'Reader-Mode-for-Very-Long-Articles-and-Everything-That-Follows-Them-Without-Any-Space';
const RIGHT_TO_LEFT = 'قارئ المقالات الطويلة جدًا وكل ما يليها في المتصفح';
inChromium('every page, with long names and names from right to left,', () => {
  let desk: Desk;
  let page: Page;
  let paths: readonly string[];
  beforeAll(async () => {
    desk = await Desk.open({ DEFAULT_TENANT_QUOTA: 'unlimited' });
    const { world } = desk;
    const owner = await world.given.publishable({ published: '1.0.0' });
    const { extensionId: id, targetId } = owner;
    const api = world.api.as({ token: owner.token });
    expectStatus(await api.patch(`/extensions/${id}`, { name: LONG }), 200);
    await world.given.extension(owner, RIGHT_TO_LEFT);
    for (let at = 3; at <= 100; at += 1) await world.given.extension(owner, `${at} ${LONG.slice(0, 60)}`);
    const { artifact } = (await world.given.pinned(owner, '1.1.0')).body;
    const approvalId = await askedFor(world, artifact.id);
    const { licenseId } = await world.given.licensed({ extensionId: id }, owner);
    await world.app.get(DataSource).query(
      `insert into license select (json_populate_record(license, json_build_object('id', gen_random_uuid(), 'source', 'import:' || n,
         'buyer_email', n || repeat('-long', 11) || '@' || repeat('domain-', 20) || '.example', 'campaign', $2::text,
         'code_digest', '\\x' || encode(sha256(convert_to(n::text, 'UTF8')), 'hex')))).*
         from license, generate_series(1, 10000) n where id = $1`,
      [licenseId, RIGHT_TO_LEFT],
    );
    const csv = { raw: 'Mail;Kind', headers: { 'content-type': 'text/csv' } };
    const sent = await world.api.as(owner).post(`/license-imports?extension=${id}`, undefined, csv);
    const importId: string = expectStatus(sent, 201).body.id;
    await world.given.loggedIn(owner);
    const routes = [...(await readFile('console/src/routes.tsx', 'utf8')).matchAll(/\blazily\('(\/[^']*)'/g)];
    paths = routes
      .map(([, route = '']) =>
        route
          .replace('/imports/:id', `/imports/${importId}`)
          .replace('/approvals/:id', `/approvals/${approvalId}`)
          .replace('/licenses/:id', `/licenses/${licenseId}`)
          .replace(/^\/customers$/, '/customers?address=buyer%40buyer.example')
          .replace(':id', id)
          .replace(':targetId', targetId)
          .replace(':version', '1.1.0'),
      )
      // An order needs a sale, and is laid out as a license is.
      .filter((path) => !path.startsWith('/orders/'));
    page = await desk.visit({ as: owner });
  });
  afterAll(() => desk.close());

  it('is as wide as the screen, and scrolls down only', async () => {
    expect(paths.length).toBeGreaterThan(25);
    const wide: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      await desk.settled(page);
      for (const one of await beyondAt(page)) wide.push(`${path} ${one}`);
    }
    expect(wide).toEqual([]);
  });

  it('of ten thousand licenses is no wider', async () => {
    await page.goto('/licenses');
    await page.getByText('10,000+ licenses', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('checkbox').nth(99).click();
    await page.getByText('1 selected').waitFor();
    expect(await beyondAt(page)).toEqual([]);
  });

  it('is seen where something does reach beyond it, or beyond its dialog', async () => {
    // By properties: the policy of the pages refuses styles that are written inline.
    const widen = (selector: string) =>
      page.evaluate(`(() => {
        const wide = document.createElement('b');
        wide.textContent = 'wide';
        wide.style.display = 'block';
        wide.style.width = '3000px';
        document.querySelector('${selector}').append(wide);
      })()`);
    const all = (beyond: readonly string[]) =>
      WIDTHS.filter((width) => beyond.some((one) => one === `at ${width} px: B  wide`));
    await page.goto('/licenses');
    await desk.settled(page);
    await page.keyboard.press('/');
    await page.getByRole('dialog').waitFor();
    expect(await beyondAt(page)).toEqual([]);
    await widen('[role=dialog]');
    expect(all(await beyondAt(page))).toEqual(WIDTHS);
    await page.goto('/licenses');
    await desk.settled(page);
    await widen('body');
    expect(all(await beyondAt(page))).toEqual(WIDTHS);
  });
});
