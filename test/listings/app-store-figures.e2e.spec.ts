import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import { ListingsWorker, startWorld, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';

interface Options {
  readonly app?: object;
  readonly settings?: object;
  readonly idOf?: 'appId' | 'bundleId';
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

describe('figures of the App Store', () => {
  let world: World;
  let control: SafariControl;
  let tenant: Tenant;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    world = await startWorld();
    control = new SafariControl(world.sandbox.url);
  });
  beforeEach(async () => {
    tenant = await world.given.tenant();
  });
  // The lookup counts the calls of all.
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  afterAll(() => world.close());

  const read = (): Promise<void> => world.app.get(ListingsWorker).tick();
  const daysAgo = (days: number): string => dayOf(new Date(world.clock.now().getTime() - days * DAY));
  const row = (date: string, event: string, counts: number, downloadType = 'First-time download') => ({
    date,
    event,
    downloadType,
    counts,
  });

  /** An extension at the App Store. */
  const published = async (role = 'ADMIN', { app = {}, settings = {}, idOf = 'appId' }: Options = {}) => {
    const { teamId, ...credentials } = await control.key({ role });
    const versions = [{ version: '1.0', state: 'READY_FOR_DISTRIBUTION' }];
    const made = await control.app({ issuerId: teamId, versions, ...app });
    const { appId } = made;
    const api = world.api.as(tenant);
    const saved = await api.post('/credentials', { store: 'safari', credentials });
    const credentialId: string = expectStatus(saved, 201).body.id;
    const extension = await world.given.extension(tenant);
    const targetId = await world.given.targetOf(tenant, extension, 'safari');
    const path = `/extensions/${extension}/targets/${targetId}`;
    const change = async (input: object): Promise<void> => void expectStatus(await api.patch(path, input), 200);
    ends.push(() => change({ enabled: false }));
    await change({ storeItemId: made[idOf], credentialId, enabled: true, ...settings });
    const report = async () => {
      const answer = expectStatus(await api.get(`/analytics/stores?extension=${extension}`), 200);
      return answer.body.stores.find(({ store }: { readonly store: string }) => store === 'safari');
    };
    const days = async (): Promise<object> =>
      Object.fromEntries(
        (await report()).days
          .filter(({ installs }: { readonly installs: number | null }) => installs !== null)
          .map(({ date, installs, uninstalls }: Readonly<Record<string, unknown>>) => [date, [installs, uninstalls]]),
      );
    const ratings = async (): Promise<object> =>
      Object.fromEntries(
        (await report()).days
          .filter(({ rating, ratings: count }: Readonly<Record<string, unknown>>) => rating !== null || count !== null)
          .map(({ date, rating, ratings: count }: Readonly<Record<string, unknown>>) => [date, [rating, count]]),
      );
    return { appId, teamId, extension, path, change, report, days, ratings };
  };

  it('are asked for once, and read by day as soon as Apple reports', async () => {
    const { appId, report, days } = await published();
    await read();
    expect(await report()).toMatchObject({ metrics: ['installs', 'uninstalls', 'rating', 'ratings'], failure: null });
    expect(await days()).toEqual({});
    expect((await control.state(appId)).counters.writes).toBe(1);
    const [first, second] = [daysAgo(1), daysAgo(0)];
    await world.forward(2 * DAY);
    await control.patch(appId, {
      installReports: [
        {
          processingDate: daysAgo(1),
          parts: [
            [row(first, 'Install', 9), row(first, 'Install', 70, 'Auto-update')],
            [row(first, 'Install', 6, 'Redownload'), row(first, 'Delete', 5)],
          ],
        },
        { processingDate: daysAgo(0), parts: [[row(second, 'Install', 8)]] },
      ],
    });
    await read();
    expect(await days()).toEqual({ [first]: [15, 5], [second]: [8, 0] });
    expect((await control.state(appId)).counters.writes).toBe(1);
  });

  it('are as the newest report has them', async () => {
    const { appId, days } = await published();
    await read();
    const day = daysAgo(0);
    await world.forward(2 * DAY);
    const early = { processingDate: daysAgo(1), parts: [[row(day, 'Install', 5)]] };
    await control.patch(appId, { installReports: [early] });
    await read();
    expect(await days()).toEqual({ [day]: [5, 0] });
    await world.forward(2 * DAY);
    const late = { processingDate: daysAgo(0), parts: [[row(day, 'Install', 7), row(day, 'Delete', 6)]] };
    await control.patch(appId, { installReports: [early, late] });
    await read();
    expect(await days()).toEqual({ [day]: [7, 6] });
  });

  it.each(['cut', 'changed'] as const)('are not taken from a part that arrives %s', async (partDamage) => {
    const { appId, report, days } = await published();
    await read();
    const day = daysAgo(0);
    await world.forward(DAY);
    const reports = [{ processingDate: daysAgo(0), parts: [[row(day, 'Install', 5)]] }];
    await control.patch(appId, { installReports: reports, partDamage });
    await read();
    expect((await report()).failure).toMatch(/arrived damaged/);
    expect(await days()).toEqual({});
    await control.patch(appId, { partDamage: null });
    await world.forward(HOUR);
    await read();
    expect(await days()).toEqual({ [day]: [5, 0] });
    expect(await report()).toMatchObject({ failure: null });
  });

  it('say which key is missing, and show nobody the signed address of a part', async () => {
    const { appId, teamId, report } = await published('APP_MANAGER');
    const missing = /keys with the role Admin, Sales and Reports, or Finance/;
    await read();
    expect((await report()).failure).toMatch(missing);
    await control.changeKey(teamId, { role: 'SALES_AND_REPORTS' });
    await world.forward(DAY);
    await read();
    expect((await report()).failure).toMatch(missing);
    await control.changeKey(teamId, { role: 'ADMIN' });
    await world.forward(DAY);
    await read();
    await control.changeKey(teamId, { role: 'FINANCE' });
    const day = daysAgo(0);
    await world.forward(DAY);
    await control.patch(appId, {
      installReports: [{ processingDate: daysAgo(0), parts: [[row(day, 'Install', 5)]] }],
    });
    await world.control.fault({
      itemId: appId,
      match: { operation: 'reportFile' },
      kind: 'status',
      status: 403,
      times: 1,
    });
    await read();
    const { failure } = await report();
    expect(failure).toMatch(/answered 403/);
    expect(failure).not.toContain('marked-signature');
    await world.forward(HOUR);
    await read();
    expect(await report()).toMatchObject({ failure: null });
  });

  it('are asked for once, also when the answer was lost', async () => {
    const { appId, report } = await published();
    await world.control.fault({ itemId: appId, match: { operation: 'requestReports' }, kind: 'drop-after', times: 1 });
    await read();
    expect((await report()).failure).toMatch(/could not be reached/);
    await world.forward(HOUR);
    await read();
    expect((await report()).failure).toBeNull();
    expect((await control.state(appId)).counters.writes).toBe(1);
  });

  describe('ratings', () => {
    const STARS = { us: [1, 0, 0, 0, 3], ch: [0, 0, 0, 2, 0] };

    it('are those of the storefront as they are on the day, asked for without a key', async () => {
      const { appId, ratings } = await published('ADMIN', { app: { storefronts: STARS } });
      await read();
      const first = daysAgo(0);
      expect(await ratings()).toEqual({ [first]: [4, 4] });
      await control.patch(appId, { storefronts: { us: [0, 0, 0, 0, 9] } });
      await world.forward(DAY);
      await read();
      expect(await ratings()).toEqual({ [first]: [4, 4], [daysAgo(0)]: [5, 9] });
      const asked = await world.control.requests({ operation: 'lookup', itemId: appId });
      expect(asked).toHaveLength(2);
      for (const { headers, query } of asked) {
        expect(headers).not.toHaveProperty('authorization');
        expect(query).toEqual({ id: appId, country: 'us' });
      }
    });

    it('are found for an app that is named by its bundle id', async () => {
      const { ratings } = await published('ADMIN', { app: { storefronts: STARS }, idOf: 'bundleId' });
      await read();
      expect(await ratings()).toEqual({ [daysAgo(0)]: [4, 4] });
    });

    it('are a gap where the storefront does not have the app, and have no mean before somebody rated it', async () => {
      const absent = await published('ADMIN', { app: { storefronts: STARS }, settings: { storefront: 'de' } });
      const unrated = await published();
      const unpublished = await published('ADMIN', { app: { versions: [] } });
      await read();
      expect(await absent.ratings()).toEqual({});
      expect(await absent.report()).toMatchObject({ failure: null });
      expect(await unrated.ratings()).toEqual({ [daysAgo(0)]: [null, 0] });
      expect(await unpublished.ratings()).toEqual({});
    });

    it('come even where the key may not read reports', async () => {
      const { ratings, report, days } = await published('APP_MANAGER', { app: { storefronts: STARS } });
      await read();
      expect(await ratings()).toEqual({ [daysAgo(0)]: [4, 4] });
      expect(await report()).toMatchObject({
        readAt: world.clock.now().toISOString(),
        failure: expect.stringMatching(/keys with the role Admin/),
      });
      expect(await days()).toEqual({});
    });

    it.each([
      ['refuses', { kind: 'status', status: 403 }, /answered 403 .*20 calls a minute/],
      ['is down', { kind: 'status', status: 503 }, /answered 503/],
      ['drops the call', { kind: 'drop-before' }, /could not be reached/],
      [
        'talks of something else',
        { kind: 'status', status: 200, body: '<html>Not today</html>' },
        /answered 200 .*does not document/,
      ],
      [
        'lists nothing',
        { kind: 'status', status: 200, body: '{"resultCount":1,"results":"app"}' },
        /does not document/,
      ],
    ] as const)('leave the other figures as they are while the lookup %s', async (_, fault, why) => {
      const { appId, ratings, report, days } = await published('ADMIN', { app: { storefronts: STARS } });
      await read();
      const day = daysAgo(0);
      await world.forward(DAY);
      await control.patch(appId, {
        installReports: [{ processingDate: daysAgo(0), parts: [[row(day, 'Install', 5)]] }],
      });
      await world.control.fault({ itemId: appId, match: { operation: 'lookup' }, times: 1, ...fault });
      await read();
      expect(await days()).toEqual({ [day]: [5, 0] });
      expect((await report()).failure).toMatch(why);
      expect(await ratings()).toEqual({ [day]: [4, 4] });
      await world.forward(HOUR);
      await read();
      expect((await report()).failure).toBeNull();
      expect(await ratings()).toEqual({ [day]: [4, 4], [daysAgo(0)]: [4, 4] });
    });

    it('come an hour later where the calls of the minute are used up', async () => {
      const { ratings, report } = await published('ADMIN', { app: { storefronts: STARS } });
      await world.forward(HOUR);
      for (let calls = 0; calls < 20; calls += 1)
        expect((await fetch(`${world.sandbox.url}/lookup?id=1`)).status).toBe(200);
      await read();
      expect((await report()).failure).toMatch(/answered 403 .*20 calls a minute/);
      expect(await ratings()).toEqual({});
      await world.forward(HOUR);
      await read();
      expect(await ratings()).toEqual({ [daysAgo(0)]: [4, 4] });
    });

    it('of another storefront begin anew', async () => {
      const { ratings, change, days, appId } = await published('ADMIN', { app: { storefronts: STARS } });
      await read();
      const day = daysAgo(0);
      await world.forward(DAY);
      await control.patch(appId, {
        installReports: [{ processingDate: daysAgo(0), parts: [[row(day, 'Install', 5)]] }],
      });
      await read();
      await change({ storefront: 'ch' });
      expect(await ratings()).toEqual({});
      expect(await days()).toEqual({ [day]: [5, 0] });
      await world.forward(HOUR);
      await read();
      expect(await ratings()).toEqual({ [daysAgo(0)]: [4, 2] });
    });

    it('say that Apple has no such storefront, and read the rest', async () => {
      const { report, ratings, change } = await published('ADMIN', {
        app: { storefronts: STARS },
        settings: { storefront: 'uk' },
      });
      await read();
      expect((await report()).failure).toMatch(/storefront uk\. It has no such storefront/);
      await change({ storefront: 'us' });
      await world.forward(HOUR);
      await read();
      expect(await report()).toMatchObject({ failure: null });
      expect(await ratings()).toEqual({ [daysAgo(0)]: [4, 4] });
    });

    it.each(['US', 'usa', 'u', '', null, 7, '../'])('take no storefront %j', async (storefront) => {
      const { path } = await published();
      const { body } = expectStatus(await world.api.as(tenant).patch(path, { storefront }), 400);
      expect(body.errors).toEqual([expect.objectContaining({ field: 'storefront' })]);
    });

    it.each(['chrome', 'firefox', 'edge'])('have no storefront at %s', async (store) => {
      const extension = await world.given.extension(tenant);
      const path = `/extensions/${extension}/targets/${await world.given.targetOf(tenant, extension, store)}`;
      const { body } = expectStatus(await world.api.as(tenant).patch(path, { storefront: 'us' }), 400);
      expect(body.errors).toEqual([
        { field: 'storefront', message: expect.stringMatching(/the same ratings in every country/) },
      ]);
    });

    it('are in the table for a spreadsheet', async () => {
      const { extension } = await published('ADMIN', { app: { storefronts: STARS } });
      await read();
      const { text } = expectStatus(
        await world.api.as(tenant).get(`/analytics/stores?extension=${extension}`, { headers: { accept: 'text/csv' } }),
        200,
      );
      const lines = text.split('\r\n').filter((line: string) => line.includes('rating'));
      expect(lines).toEqual([`${daysAgo(0)},safari,,rating,,4`, `${daysAgo(0)},safari,,ratings,,4`]);
    });
  });
});
