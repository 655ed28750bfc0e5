import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FirefoxControl } from '../../sandbox/firefox/firefox-control.js';
import { ListingsWorker, startWorld, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus, type Publishable } from '../support/given.js';

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
/** What no store told. */
const NOTHING = {
  users: null,
  disabled: null,
  installs: null,
  uninstalls: null,
  weeklyDownloads: null,
  rating: null,
  ratings: null,
};

describe('figures of stores', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const read = (): Promise<void> => world.app.get(ListingsWorker).tick();
  const daysAgo = (days: number): string => dayOf(new Date(world.clock.now().getTime() - days * DAY));
  const counted = (days: number, users: number, more: object = {}): object => ({
    date: daysAgo(days),
    metrics: { users, installs: users / 10, uninstalls: users / 20 },
    users: { enabled: { true: users - 3, false: 3 } },
    ...more,
  });
  const reportOf = async ({ token, extensionId }: Pick<Publishable, 'token' | 'extensionId'>, query = '') =>
    expectStatus(await world.api.as({ token }).get(`/analytics/stores?extension=${extensionId}${query}`), 200).body;
  const chromeOf = async (owner: Publishable, query = '') => (await reportOf(owner, query)).stores[0];
  const onDay = async (owner: Publishable, day: string) =>
    (await chromeOf(owner)).days.find(({ date }: { readonly date: string }) => date === day);

  it('are read from Chrome by day, version, country and language, and a day that it does not tell is a gap', async () => {
    const owner = await world.given.publishable({
      stars: [1, 0, 0, 0, 3],
      days: [
        counted(3, 100, { users: { 'app-version': { '1.0.0': 100 } } }),
        counted(1, 200, {
          users: {
            enabled: { true: 190, false: 10 },
            'app-version': { '1.0.0': 50, '1.1.0': 150 },
            country: { CH: 120, DE: 80 },
            language: { de: 150, fr: 50 },
          },
        }),
      ],
    });
    await read();
    const chrome = await chromeOf(owner, `&from=${daysAgo(3)}`);
    expect(chrome).toMatchObject({
      targetId: owner.targetId,
      store: 'chrome',
      channel: null,
      metrics: ['users', 'disabled', 'installs', 'uninstalls', 'rating', 'ratings'],
      readAt: world.clock.now().toISOString(),
      failure: null,
    });
    expect(chrome.days).toEqual([
      { ...NOTHING, date: daysAgo(3), users: 100, installs: 10, uninstalls: 5 },
      { ...NOTHING, date: daysAgo(2) },
      { ...NOTHING, date: daysAgo(1), users: 200, disabled: 10, installs: 20, uninstalls: 10 },
      { ...NOTHING, date: daysAgo(0), rating: 4, ratings: 4 },
    ]);
    expect(chrome.versions).toEqual({
      versions: ['1.0.0', '1.1.0'],
      points: [
        { date: daysAgo(3), users: [100, 0] },
        { date: daysAgo(1), users: [50, 150] },
      ],
    });
    expect(chrome.countries).toEqual([
      { value: 'CH', users: 120 },
      { value: 'DE', users: 80 },
    ]);
    expect(chrome.languages).toEqual([
      { value: 'de', users: 150 },
      { value: 'fr', users: 50 },
    ]);
  });

  it('are as the store revised them, and what it no longer tells of a day is gone', async () => {
    const owner = await world.given.publishable({
      days: [counted(2, 100, { users: { country: { CH: 60, AT: 40 } } }), counted(1, 140)],
    });
    await read();
    const day = daysAgo(1);
    expect(await onDay(owner, day)).toMatchObject({ users: 140, disabled: 3 });
    await world.control.patch(owner.itemId, {
      days: [counted(2, 100, { users: { country: { CH: 99 } } }), counted(1, 160)],
    });
    await world.forward(23 * HOUR);
    await read();
    expect(await onDay(owner, day)).toMatchObject({ users: 160 });
    const chrome = await chromeOf(owner);
    expect(chrome.countries).toEqual([{ value: 'CH', users: 99 }]);
  });

  it('are read however late the store tells them', async () => {
    const owner = await world.given.publishable({ days: [counted(12, 100)] });
    await read();
    await world.control.patch(owner.itemId, { days: [counted(12, 100), counted(11, 120), counted(10, 140)] });
    await world.forward(23 * HOUR);
    await read();
    const told = (await chromeOf(owner)).days.flatMap(({ users }: { readonly users: number | null }) => users ?? []);
    expect(told).toEqual([100, 120, 140]);
  });

  it('are complete over more rows than a page has', async () => {
    const countries = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`C${at}`, at + 1]));
    const days = Array.from({ length: 12 }, (_, at) => counted(12 - at, 100, { users: { country: countries } }));
    const owner = await world.given.publishable({ days });
    await read();
    const { countries: shown } = await chromeOf(owner);
    expect(shown).toHaveLength(21);
    expect(shown[0]).toEqual({ value: 'C199', users: 200 });
    // 1 to 180.
    expect(shown.at(-1)).toEqual({ value: 'other', users: (180 * 181) / 2 });
  });

  it('are read as soon as a target is complete, however long it was not', async () => {
    const tenant = await world.given.tenant();
    const extensionId = await world.given.extension(tenant);
    expect((await reportOf({ ...tenant, extensionId })).stores).toEqual([]);
    const owner = await world.given.publishable({ days: [counted(1, 100)] }, tenant);
    const api = world.api.as(owner);
    const path = `/extensions/${owner.extensionId}/targets/${owner.targetId}`;
    expectStatus(await api.patch(path, { enabled: false }), 200);
    await read();
    expect((await chromeOf(owner)).readAt).toBeNull();
    expectStatus(await api.patch(path, { enabled: true }), 200);
    await read();
    expect(await onDay(owner, daysAgo(1))).toMatchObject({ users: 100 });
  });

  it('are asked for once a day', async () => {
    const owner = await world.given.publishable({ days: [counted(1, 100)] });
    const callsOf = async (): Promise<number> =>
      (await world.control.requests({ operation: 'ratingSummary', itemId: owner.itemId })).length;
    await read();
    await read();
    expect(await callsOf()).toBe(1);
    await world.forward(22 * HOUR);
    await read();
    expect(await callsOf()).toBe(1);
    await world.forward(HOUR);
    await read();
    expect(await callsOf()).toBe(2);
  });

  it('say why they are missing, and come again once the store answers', async () => {
    const owner = await world.given.publishable({ days: [counted(1, 100)] });
    await world.control.account(owner.clientEmail, 'detach');
    await read();
    expect(await chromeOf(owner)).toMatchObject({ readAt: null, failure: expect.stringMatching(/permission/i) });
    await world.control.account(owner.clientEmail, 'attach');
    await world.forward(6 * HOUR);
    await read();
    expect(await chromeOf(owner)).toMatchObject({ readAt: world.clock.now().toISOString(), failure: null });
  });

  it.each([
    ['the queries', 'queryMetrics', { users: null, rating: 5 }],
    ['the ratings', 'ratingSummary', { users: 100, rating: null }],
  ])('come from the other calls while %s fail, and from all an hour later', async (_, operation, told) => {
    const owner = await world.given.publishable({ stars: [0, 0, 0, 0, 1], days: [counted(0, 100)] });
    await world.control.fault({ itemId: owner.itemId, match: { operation }, kind: 'status', status: 500, times: 1 });
    await read();
    expect(await chromeOf(owner)).toMatchObject({
      readAt: world.clock.now().toISOString(),
      failure: expect.any(String),
    });
    expect(await onDay(owner, daysAgo(0))).toMatchObject(told);
    const day = daysAgo(0);
    await world.forward(HOUR);
    await read();
    const { failure, days } = await chromeOf(owner);
    expect(failure).toBeNull();
    expect(days.find(({ date }: { readonly date: string }) => date === day)).toMatchObject({ users: 100 });
    expect(await onDay(owner, daysAgo(0))).toMatchObject({ rating: 5 });
  });

  it('of another item do not stand under a target that was pointed at a new one', async () => {
    const owner = await world.given.publishable({ stars: [0, 0, 0, 0, 1], days: [counted(1, 100), counted(30, 80)] });
    await read();
    const { itemId } = await world.control.chromeItem({
      publisherId: owner.publisherId,
      published: '1.0.0',
      days: [counted(1, 20)],
    });
    const path = `/extensions/${owner.extensionId}/targets/${owner.targetId}`;
    expectStatus(await world.api.as(owner).patch(path, { storeItemId: itemId }), 200);
    expect(await chromeOf(owner)).toMatchObject({ readAt: null });
    await world.forward(HOUR);
    await read();
    const { days } = await chromeOf(owner, `&from=${daysAgo(40)}`);
    expect(days.flatMap(({ users }: { readonly users: number | null }) => users ?? [])).toEqual([20]);
    expect(await onDay(owner, daysAgo(0))).toMatchObject({ rating: null, ratings: 0 });
  });

  it('are read from Firefox as they are on the day, so that each day of reading has one', async () => {
    const owner = await world.given.publishable();
    const firefox = new FirefoxControl(world.sandbox.url);
    const credentials = await firefox.firefoxAccount();
    const { guid } = await firefox.addon({
      issuer: credentials.issuer,
      live: '1.0.0',
      averageDailyUsers: 1200,
      weeklyDownloads: 90,
      stars: [0, 0, 1, 1, 0],
    });
    const api = world.api.as(owner);
    const made = expectStatus(await api.post('/credentials', { store: 'firefox', label: 'main', credentials }), 201);
    const targetId = await world.given.targetOf(owner, owner.extensionId, 'firefox');
    const settings = { storeItemId: guid, credentialId: made.body.id, enabled: true };
    expectStatus(await api.patch(`/extensions/${owner.extensionId}/targets/${targetId}`, settings), 200);
    await read();
    await firefox.patchAddon(guid, { averageDailyUsers: 1300 });
    await world.forward(DAY);
    await read();
    const { stores } = await reportOf(owner, `&from=${daysAgo(1)}`);
    expect(stores.map(({ store }: { readonly store: string }) => store)).toEqual(['chrome', 'firefox']);
    expect(stores[1]).toMatchObject({
      channel: 'listed',
      days: [
        { users: 1200, weeklyDownloads: 90, rating: 3.5, ratings: 2, installs: null },
        { users: 1300, weeklyDownloads: 90 },
      ],
      versions: { versions: [], points: [] },
    });
  });

  it('are a table of one figure per line for a spreadsheet', async () => {
    const owner = await world.given.publishable({ days: [counted(1, 100, { users: { country: { CH: 100 } } })] });
    await read();
    const { text } = expectStatus(
      await world.api.as(owner).get(`/analytics/stores?extension=${owner.extensionId}&from=${daysAgo(1)}`, {
        headers: { accept: 'text/csv' },
      }),
      200,
    );
    expect(text.split('\r\n')).toEqual(
      expect.arrayContaining([
        'date,store,channel,figure,value,number',
        `${daysAgo(1)},chrome,,users,,100`,
        `${daysAgo(0)},chrome,,country,CH,100`,
      ]),
    );
  });

  it('of another tenant are not found', async () => {
    const owner = await world.given.publishable();
    const other = await world.given.tenant();
    const answer = await world.api.as(other).get(`/analytics/stores?extension=${owner.extensionId}`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'extension_not_found' } });
  });
});
