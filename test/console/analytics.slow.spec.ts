import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { dayOf, FIREFOX, ping, pingAll } from '../analytics/install.js';
import { DataSource, EventsService } from '../support/app.js';
import type { Tenant } from '../support/given.js';
import { Analytics } from './pages/analytics.js';
import { Desk, inChromium } from './support/desk.js';

const HOSTILE = '<img src=x onerror=alert(1)>';

/** A year of closed days of an extension that grows: 12 versions a day, 60 countries, 40 languages, and values that nobody sends by chance. */
const YEAR = `
  with one as (select $2::date - n as day, 365 - n as age from generate_series(1, 365) as n),
  value as (
    select day, 'version' as dimension, '1.' || (age / 12 + v) || '.0' as value, (age * 30) / (v + 1) as installs from one, generate_series(0, 11) as v
    union all select day, 'version', '${HOSTILE}', 40 from one
    union all select day, 'browser', b, age * 20 from one, unnest(array['Chrome', 'Firefox', 'Edge', 'Safari', '']) as b
    union all select day, 'os', o, age * 20 from one, unnest(array['Windows', 'macOS', 'Linux', '']) as o
    union all select day, 'country', chr(65 + c / 8) || chr(65 + c % 26), age + c from one, generate_series(0, 59) as c
    union all select day, 'country', '', age * 9 from one
    union all select day, 'language', chr(97 + l / 4) || chr(97 + l % 26), age + l from one, generate_series(0, 39) as l
    union all select day, 'language', 'x"><script>', 900 from one
    union all select day, 'store', s, age * 20 from one, unnest(array['chrome', 'firefox', 'edge', '']) as s
    union all select day, 'licensed', l, age * 20 from one, unnest(array['licensed', 'free', '']) as l
  ), days as (
    insert into stat_day (extension_id, day, dimension, value, installs) select $1, day, dimension, value, installs from value
  ), months as (
    insert into stat_month (extension_id, month, dimension, value, installs)
    select $1, date_trunc('month', day::timestamp)::date, dimension, value, sum(installs) from value group by 2, 3, 4
  )
  insert into stat_total (extension_id, day, active, new, unique7, unique28)
  select $1, day, age * 90 - case when extract(isodow from day) > 5 then age * 25 else 0 end, 30 + age % 17, age * 130, age * 180 from one`;

/** Four weeks at two stores: Chrome tells no day of the second week, and Firefox began two weeks ago. */
const STORE_MONTH = `
  with one as (select $3::date - n as day, 27 - n as age from generate_series(0, 27) as n),
  figure as (
    select $1::uuid as target_id, day, 'users' as metric, '' as dimension, '' as value, 40000 + age * 120 as amount from one where age not between 7 and 13
    union all select $1, day, 'installs', '', '', 300 + age from one
    union all select $1, day, 'rating', '', '', 4.5 from one
    union all select $2, day, 'users', '', '', 1200 + age * 7 from one where age > 13
    union all select $1, day, 'users', 'version', '1.29.0', 41000 - age * 1200 from one
    union all select $1, day, 'users', 'version', '1.30.0', age * 1300 from one where age > 0
  )
  insert into store_figure (target_id, day, metric, dimension, value, amount) select * from figure`;

inChromium('the page of installs', () => {
  let desk: Desk;
  let owner: Tenant;
  let busy: string;
  beforeAll(async () => {
    desk = await Desk.open({ DEFAULT_TENANT_QUOTA: 'unlimited' });
    const { world } = desk;
    owner = await world.given.tenant();
    await world.given.extension(owner, `Quiet ${HOSTILE} ${'very long '.repeat(12)}`.slice(0, 80));
    busy = await world.given.extension(owner, 'Tab Counter');
    await world.app.get(DataSource).query(YEAR, [busy, dayOf(world)]);
    await ping(world, { extensionId: busy, version: '1.30.0', store: 'firefox', licensed: true });
    const { body } = await world.api.as(owner).get(`/extensions/${busy}/targets`);
    const { id: targetId } = body.targets[0];
    const live = { extensionId: busy, targetId, kind: 'phase_live', message: 'It is live.' };
    await world.app.get(EventsService).append({ ...live, version: '1.30.0' }, { ...live, version: HOSTILE });
  });
  afterAll(() => desk.close());

  /** How far what was there moved while the page was loading. */
  const shift = (page: Page): Promise<number> =>
    page.evaluate(`new Promise((done) => {
      let sum = 0;
      new PerformanceObserver((list) => { for (const one of list.getEntries()) sum += one.value; })
        .observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done(sum), 100);
    })`);

  it('shows a year of an extension: with a table, a file and a picture of each plot, by pointer and by keyboard', async () => {
    const page = await desk.visit({ as: owner, path: `/analytics?extension=${busy}&days=365` });
    const analytics = new Analytics(page);
    await analytics.drawn('Active installs', 'Versions');
    expect(await shift(page)).toBe(0);
    expect(await analytics.card('Active in 28 days').textContent()).toContain('65,520');
    await page.getByText(/They are final through .+; .+ is still counting/).waitFor();
    await desk.look(page, 'analytics-year');

    const days = analytics.days('Active installs');
    expect(await days.getAttribute('aria-valuenow')).toBe('363');
    await days.focus();
    await page.keyboard.press('End');
    expect(await days.getAttribute('aria-valuetext')).toMatch(
      /Active installs 1, still counting\. 1\.30\.0 at \w+, <img src=x onerror=alert\(1\)> at \w+ went live/,
    );
    await page.keyboard.press('Home');
    expect(await days.getAttribute('aria-valuenow')).toBe('0');
    await days.hover({ position: { x: 700, y: 100 } });
    await days.and(page.locator(':not([aria-valuenow="0"])')).waitFor();
    expect(Number(await days.getAttribute('aria-valuenow'))).toBeGreaterThan(100);

    await page.keyboard.press('t');
    const rows = analytics.table('Active installs').getByRole('row');
    await rows.nth(365).waitFor();
    expect(await rows.count()).toBe(366);
    expect(await rows.nth(1).textContent()).toContain('(still counting)1');
    await desk.look(page, 'analytics-table');

    const csv = await readFile(await (await analytics.saveCsv()).path(), 'utf8');
    expect(csv.split('\r\n')[0]).toBe('date,figure,value,number,share');
    const picture = await analytics.savePicture('Versions');
    expect((await readFile(await picture.path())).subarray(1, 4).toString()).toBe('PNG');

    expect(picture.suggestedFilename()).toBe('versions.png');
    await analytics.press('Unit', 'Installs');
    await analytics.days('Versions').and(page.locator('[aria-label="Versions, day by day, in installs"]')).waitFor();
    await analytics.press('Over time', 'Licensed and free');
    await analytics.drawn('Licensed and free');

    const languages = analytics.shares('Languages');
    await languages.getByRole('button', { name: 'Show all 42' }).click();
    await languages.getByText('x"><script>').waitFor();
    await analytics.shares('Countries').getByText('Unknown').waitFor();
  });

  it('compares a range with the days before: on cards that switch the plot, and for each day at the pointer', async () => {
    const page = await desk.visit({ as: owner, path: `/analytics?extension=${busy}&days=7` });
    const analytics = new Analytics(page);
    await analytics.drawn('Active installs');
    expect(await analytics.card('Active installs').getAttribute('aria-pressed')).toBe('true');
    expect(await analytics.card('Active installs').textContent()).toMatch(
      /^Active installs[\d,]+a day[+-]?\d+%before: [\d,]+$/,
    );
    await analytics.card('New installs').click();
    await page.waitForURL(`/analytics?extension=${busy}&days=7&metric=new`);
    await analytics.drawn('New installs');
    await page.goBack();
    await analytics.drawn('Active installs');
    await page.goForward();
    await analytics.drawn('New installs');

    const days = analytics.days('New installs');
    await days.focus();
    await page.keyboard.press('End');
    const tooltip = analytics.plot('New installs').getByText('still counting');
    await tooltip.waitFor();
    await analytics.plot('New installs').getByText('Went live: 1.30.0 at').waitFor();
    expect(await days.getAttribute('aria-valuetext')).toMatch(/: New installs 1, \d+ on .+, still counting\. 1\.30\.0/);
    await desk.look(page, 'analytics-tooltip');
    await page.keyboard.press('Tab');
    await tooltip.waitFor({ state: 'detached' });
    await page.reload();
    await analytics.drawn('New installs');
  });

  it('looks at some installs alone by a click on a row, which the address keeps and the keyboard reaches', async () => {
    const id = await desk.world.given.extension(owner, 'Night Shade');
    const sent = { extensionId: id, version: '2.0.0' };
    await pingAll(desk.world, [
      { ...sent, store: 'firefox', licensed: true },
      { ...sent, store: 'firefox', language: 'de-CH' },
      { ...sent, store: 'firefox', userAgent: FIREFOX },
      { ...sent, store: 'edge' },
    ]);
    const page = await desk.visit({ as: owner, path: `/analytics?extension=${id}` });
    const analytics = new Analytics(page);
    await analytics.row('Stores', 'Firefox').click();
    await page.waitForURL(`/analytics?extension=${id}&store=firefox`);
    await analytics.filters().getByRole('button', { name: 'Remove the filter Store Firefox' }).waitFor();
    await analytics.card('Active installs').getByText('75% of all').waitFor();
    expect(await analytics.card('Active in 28 days').count()).toBe(0);
    await analytics.row('Systems', 'Windows').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`/analytics?extension=${id}&store=firefox&os=Windows`);
    await analytics.row('Systems', 'Windows').and(page.locator('[aria-pressed=true]')).waitFor();
    await analytics.card('Active installs').getByText('50% of all').waitFor();
    expect(await analytics.card('New installs').count()).toBe(0);
    await analytics.drawn('Active installs');
    await desk.look(page, 'analytics-filters');
    const csv = await readFile(await (await analytics.saveCsv()).path(), 'utf8');
    expect(csv).toContain('segment.store,firefox,2,1');

    await page.goBack();
    await analytics.card('Active installs').getByText('75% of all').waitFor();
    await analytics.row('Countries', 'Unknown').click();
    await page.waitForURL(/country=unknown/);
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.waitForURL(`/analytics?extension=${id}`);
    await analytics.drawn('Versions');
    await page.goto(`/analytics?extension=${id}&days=90&store=firefox&os=Windows`);
    await page.getByText(/Several filters reach back to .+: pings are deleted after 35 days\./).waitFor();
    await analytics.filters().getByRole('button', { name: 'Remove the filter System Windows' }).click();
    await page.getByText(/The lists below reach back to/).waitFor();
  });

  it('shows what the stores count side by side, with gaps, and why a store tells nothing', async () => {
    const { targets } = (await desk.world.api.as(owner).get(`/extensions/${busy}/targets`)).body;
    const [chrome, firefox, edge] = targets.map(({ id }: { readonly id: string }) => id);
    const database = desk.world.app.get(DataSource);
    await database.query(`update target set store_item_id = id::text where id = any($1::uuid[])`, [
      [chrome, firefox, edge],
    ]);
    await database.query(STORE_MONTH, [chrome, firefox, dayOf(desk.world)]);
    const failure = 'addons.mozilla.org is in maintenance and accepts no changes.';
    await database.query(`update listing_reading set read_at = now() where target_id = $1`, [chrome]);
    await database.query(`update listing_reading set failure = $2 where target_id = $1`, [firefox, failure]);
    const page = await desk.visit({ as: owner, path: `/analytics?extension=${busy}` });
    const analytics = new Analytics(page);
    await analytics.drawn('Users at the stores', 'Versions at Chrome');
    const days = analytics.days('Users at the stores');
    await days.focus();
    await page.keyboard.press('Home');
    expect(await days.getAttribute('aria-valuetext')).toContain('Chrome 40,000, Firefox —');
    await page.keyboard.press('End');
    expect(await days.getAttribute('aria-valuetext')).toMatch(/Chrome 4\d,\d{3}, Firefox 1,\d{3}/);
    const readings = page.getByRole('region', { name: 'Counted by the stores' }).getByRole('listitem');
    await readings.filter({ hasText: 'Chrome was read' }).waitFor();
    await readings.filter({ hasText: `Firefox could not be read in full: ${failure}` }).waitFor();
    await readings.filter({ hasText: 'Edge tells no figures by its API.' }).waitFor();
    await desk.look(page, 'analytics-stores');
    await analytics.choose('Figure', 'Rating');
    await analytics.drawn('Rating at the stores');
    await analytics.days('Rating at the stores').hover({ position: { x: 700, y: 100 } });
    await analytics.plot('Rating at the stores').getByText('4.50').waitFor();
  });

  it('keeps extension and days in the address, and takes whatever stands there', async () => {
    const page = await desk.visit({ as: owner, path: '/analytics?days=now&from=x&extension=' });
    const analytics = new Analytics(page);
    await analytics.heading().waitFor();
    await page.goto('/analytics');
    await analytics.drawn('Active installs');
    expect(await shift(page)).toBe(0);
    await desk.look(page, 'analytics-all');
    await analytics.press('Days', '90 days');
    await page.waitForURL('/analytics?days=90');
    await page.getByRole('link', { name: 'Tab Counter' }).last().click();
    await page.waitForURL(`/analytics?days=90&extension=${busy}`);
    await analytics.drawn('Versions');
    await analytics.press('Days', 'Custom');
    const entries = await page.evaluate<number>('history.length');
    await page.getByLabel('From').fill('2001-01-01');
    await page.waitForURL(/from=2001-01-01/);
    await page.getByLabel('From').fill('2001-01-02');
    await page.waitForURL(/from=2001-01-02/);
    expect(await page.evaluate<number>('history.length')).toBe(entries);
    await analytics.plot('Versions').locator('[aria-valuemax="399"]').waitFor();
    await page.goBack();
    await analytics.choose('Extension', 'All extensions');
    await page.getByRole('heading', { name: 'Extensions' }).waitFor();
  });

  it('says what will stand there, what is wrong, and that there is no connection', async () => {
    const stranger = await desk.world.given.tenant();
    const empty = await desk.visit({ as: stranger, path: '/analytics' });
    await empty.getByRole('heading', { name: 'No installs reported on these days' }).waitFor();
    await desk.look(empty, 'analytics-empty');
    await ping(desk.world, { extensionId: await desk.world.given.extension(stranger), version: '1.0.0' });
    await empty.reload();
    const first = new Analytics(empty);
    for (const figure of ['New installs', 'Active in 7 days', 'Active in 28 days'])
      await first.card(figure).getByText('1', { exact: true }).waitFor();
    await empty.goto(`/analytics?extension=${busy}`);
    await empty.getByRole('alert').getByText('Extension not found').waitFor();

    const page = await desk.visit({ as: owner, path: '/' });
    await page.getByRole('link', { name: 'Analytics' }).waitFor();
    await page.route('**/api/v1/analytics/overview*', (route) => route.abort());
    await page.getByRole('link', { name: 'Analytics' }).click();
    const alert = page.getByRole('main').getByRole('alert');
    await alert.getByText('No connection').waitFor();
    await page.unroute('**/api/v1/analytics/overview*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await new Analytics(page).drawn('Active installs');
  });
});
