import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { startWorld, type World, DataSource, EventsService } from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { dayOf, nextDay, ping, pingAll, rollUp } from './install.js';

interface Counted {
  readonly day: string;
  readonly installId: string;
  readonly version: string;
}

const daysApart = (one: string, other: string): number => (Date.parse(other) - Date.parse(one)) / DAY;

/** The figures of a day, counted anew from everything that ever came. */
function recount(pings: readonly Counted[], day: string) {
  const within = (days: number) =>
    new Set(pings.filter((one) => one.day <= day && daysApart(one.day, day) < days).map(({ installId }) => installId))
      .size;
  const own = pings.filter((one) => one.day === day);
  const seenBefore = new Set(
    pings.filter((one) => one.day < day && daysApart(one.day, day) <= 28).map(({ installId }) => installId),
  );
  const now = new Set(own.map(({ installId }) => installId));
  const lastSeen = new Set(
    pings.filter((one) => daysApart(one.day, day) === 28 && !now.has(one.installId)).map(({ installId }) => installId),
  );
  for (const one of pings) if (one.day < day && daysApart(one.day, day) < 28) lastSeen.delete(one.installId);
  return {
    date: day,
    active: own.length,
    new: own.filter(({ installId }) => !seenBefore.has(installId)).length,
    unique7: within(7),
    unique28: within(28),
    lapsed: lastSeen.size,
  };
}

describe('the figures', () => {
  let world: World;
  let other: World;
  let owner: Tenant;
  beforeAll(async () => {
    const env = { DEFAULT_TENANT_QUOTA: 'unlimited' };
    world = await startWorld({ env });
    other = await startWorld({ with: world, env });
    owner = await world.given.tenant();
  });
  afterAll(async () => {
    await other.close();
    await world.close();
  });

  const report = async (extensionId: string, query = '') =>
    expectStatus(await world.api.as(owner).get(`/extensions/${extensionId}/analytics${query}`), 200).body;
  interface Counts {
    readonly value: string | null;
    readonly installs: number;
  }
  const newExtension = () => world.given.extension(owner, `Counted ${randomUUID()}`);
  const remove = (extensionId: string) => world.api.as(owner).delete(`/extensions/${extensionId}`);

  const targetAt = async (extensionId: string, store: string): Promise<string> => {
    const { body } = await world.api.as(owner).get(`/extensions/${extensionId}/targets`);
    return body.targets.find((target: { readonly store: string }) => target.store === store).id;
  };
  /** What the timeline says when a target has become live. */
  const goesLive = (extensionId: string, targetId: string, version: string): Promise<void> =>
    world.app.get(EventsService).append({ extensionId, targetId, version, kind: 'phase_live', message: 'It is live.' });

  type Action =
    | { readonly kind: 'ping'; readonly install: number; readonly version: number }
    | { readonly kind: 'later'; readonly days: number }
    | { readonly kind: 'rollUp'; readonly by: 'one' | 'both' | 'restarted' };

  const actions = fc.array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({ kind: fc.constant('ping' as const), install: fc.nat(8), version: fc.nat(3) }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('later' as const),
          days: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 25, max: 31 })),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('rollUp' as const),
          by: fc.constantFrom('one' as const, 'both' as const, 'restarted' as const),
        }),
      },
    ),
    { minLength: 10, maxLength: 40 },
  );

  it('equal a naive recount, for any order of pings and any number of roll-ups', async () => {
    const check = async (extensionId: string, pings: readonly Counted[]): Promise<void> => {
      const { days, shares, adoption } = await report(extensionId, `?from=${dayOf(world, -120)}`);
      for (const line of days) expect(line).toEqual(recount(pings, line.date));
      const shown = Object.fromEntries(
        shares.version.map(({ value, installs }: { readonly value: string; readonly installs: number }) => [
          value,
          installs,
        ]),
      );
      const inRange = pings.filter(({ day }) => day >= dayOf(world, -120));
      const versions = [...new Set(inRange.map(({ version }) => version))];
      const installsOf = (version: string) => inRange.filter((one) => one.version === version).length;
      expect(shown).toEqual(Object.fromEntries(versions.map((version) => [version, installsOf(version)])));
      for (const { date, installs } of adoption.points)
        for (const [at, version] of adoption.versions.entries())
          expect(installs[at]).toBe(pings.filter((one) => one.day === date && one.version === version).length);
    };
    await fc.assert(
      fc.asyncProperty(actions, async (plan: readonly Action[]) => {
        const extensionId = await newExtension();
        const pings: Counted[] = [];
        for (const action of plan) {
          if (action.kind === 'later') nextDay(world, (action.days - 1) * DAY + HOUR);
          else if (action.kind === 'ping') {
            const one = { day: dayOf(world), installId: `i${action.install}`, version: `1.${action.version}` };
            expectStatus(await ping(world, { extensionId, installId: one.installId, version: one.version }), 202);
            if (!pings.some(({ day, installId }) => day === one.day && installId === one.installId)) pings.push(one);
          } else if (action.by === 'one') await rollUp(world);
          else if (action.by === 'both') await Promise.all([rollUp(world), rollUp(other), rollUp(world)]);
          else {
            // A watermark that is behind is what a crash between two statements of older backups would leave.
            await world.app.get(DataSource).query('update analytics_day set watermark = 0 where closed_at is null');
            await rollUp(other);
          }
          if (action.kind !== 'ping') await check(extensionId, pings);
        }
        await check(extensionId, pings);
        await remove(extensionId);
      }),
      { numRuns: 8 },
    );
  }, 180_000);

  it('compare the final days of a range with those as many days earlier', async () => {
    const extensionId = await newExtension();
    for (const installs of [['a', 'b'], [], ['a', 'c', 'd'], ['e']]) {
      await pingAll(
        world,
        installs.map((installId) => ({ extensionId, installId })),
      );
      nextDay(world, HOUR);
      await rollUp(world);
    }
    await ping(world, { extensionId, installId: 'f' });
    const { previous, changes, days } = await report(extensionId, `?from=${dayOf(world, -1)}`);
    expect(changes).toEqual({
      from: dayOf(world, -1),
      to: dayOf(world, -1),
      beforeFrom: dayOf(world, -3),
      beforeTo: dayOf(world, -3),
      active: { value: 1, before: 0, change: null },
      new: { value: 1, before: 0, change: null },
      lapsed: { value: 0, before: 0, change: null },
      unique7: { value: 5, before: 2, change: 1.5 },
      unique28: { value: 5, before: 2, change: 1.5 },
    });
    expect(previous.map((line: { readonly active: number }) => line.active)).toEqual([0, 3]);
    expect(days.map((line: { readonly active: number }) => line.active)).toEqual([1, 1]);
    const { changes: all, extensions } = (await world.api.as(owner).get(`/analytics/overview?from=${dayOf(world, -1)}`))
      .body;
    expect(all.active.value).toBeGreaterThan(0);
    expect(extensions.find((one: { readonly extensionId: string }) => one.extensionId === extensionId).change).toBe(
      1.5,
    );
  });

  it('of the installs with one property are those of the figures, for good; new ones too', async () => {
    const extensionId = await newExtension();
    await pingAll(world, [
      { extensionId, installId: 'a', store: 'firefox', licensed: true },
      { extensionId, installId: 'b', store: 'firefox' },
      { extensionId, installId: 'c', store: 'edge', licensed: true },
    ]);
    const first = dayOf(world);
    const { segment: open, changes } = await report(extensionId, '?store=firefox');
    expect([changes.to, changes.new.value, open.changes.new.value]).toEqual([first, 3, 2]);
    expect(open.days.at(-1)).toEqual({ date: first, active: 2, new: 2 });
    nextDay(world, HOUR);
    await rollUp(world);
    await pingAll(world, [
      { extensionId, installId: 'a', store: 'firefox', licensed: true },
      { extensionId, installId: 'd', store: 'firefox', licensed: false },
    ]);
    const expected = [
      { date: first, active: 2, new: 2 },
      { date: dayOf(world), active: 2, new: 1 },
    ];
    const { segment, shares } = await report(extensionId, `?from=${first}&store=firefox`);
    expect(segment).toMatchObject({
      filters: [{ dimension: 'store', value: 'firefox' }],
      pingsFrom: first,
      sample: 1,
      days: expected,
      changes: { from: first, to: first, active: { value: 2, before: 0, change: null } },
    });
    expect(segment.previous).toHaveLength(2);
    const counts = (all: readonly Counts[]) => all.map(({ value, installs }) => [value, installs]);
    expect(counts(segment.shares.licensed)).toEqual([
      ['licensed', 2],
      [null, 1],
      ['free', 1],
    ]);
    expect(counts(shares.store)).toEqual([
      ['firefox', 4],
      ['edge', 1],
    ]);
    await rollUp(world);
    expect((await report(extensionId, `?from=${first}&store=firefox`)).segment).toEqual(segment);

    world.clock.forward(40 * DAY);
    await rollUp(world);
    const late = (await report(extensionId, `?from=${first}&store=firefox`)).segment;
    expect(late.days.slice(0, 2)).toEqual(expected);
    expect(late.pingsFrom).toBe(dayOf(world, -35));
    expect(late.shares.licensed).toEqual([]);
    expect((await report(extensionId, `?from=${first}&to=${first}&store=firefox`)).segment.days).toEqual([expected[0]]);
  });

  it('of the installs with one property compare today with a yesterday that is open yet', async () => {
    const extensionId = await newExtension();
    const firefox = (installId: string) => ({ extensionId, installId, store: 'firefox' });
    await pingAll(world, [firefox('a'), firefox('b'), { extensionId, store: 'edge' }]);
    nextDay(world, HOUR);
    await ping(world, firefox('a'));
    const today = dayOf(world);
    const { segment, shares } = await report(extensionId, `?from=${today}&to=${today}&store=firefox`);
    expect(segment.changes.active).toEqual({ value: 1, before: 2, change: -0.5 });
    expect(segment.previous).toEqual([{ date: dayOf(world, -1), active: 2, new: 2 }]);
    expect(shares.store.map(({ value, installs }: Counts) => [value, installs])).toEqual([['firefox', 1]]);
  });

  it('of the installs with several properties are a recount of their pings, as far back as those are kept', async () => {
    const extensionId = await newExtension();
    const first = dayOf(world);
    await pingAll(world, [
      { extensionId, version: '1.0', store: 'firefox', licensed: true },
      { extensionId, version: '1.1', store: 'firefox', licensed: true },
      { extensionId, version: '1.1', store: 'firefox', licensed: false },
      { extensionId, version: '1.1', store: 'edge' },
    ]);
    nextDay(world, HOUR);
    await rollUp(world);
    await ping(world, { extensionId, version: '1.1', store: 'firefox', licensed: true });
    const query = `?from=${first}&store=firefox&licensed=licensed`;
    const { segment } = await report(extensionId, query);
    expect(segment.days).toEqual([
      { date: first, active: 2, new: null },
      { date: dayOf(world), active: 1, new: null },
    ]);
    expect(segment.shares.version).toEqual([
      { value: '1.1', installs: 2, share: 0.666667 },
      { value: '1.0', installs: 1, share: 0.333333 },
    ]);
    expect(segment.changes).toMatchObject({ active: { value: 2, before: 0, change: null }, new: null });
    const unknown = (await report(extensionId, `?from=${first}&licensed=unknown&version=1.1`)).segment;
    expect(unknown.filters).toEqual([
      { dimension: 'version', value: '1.1' },
      { dimension: 'licensed', value: null },
    ]);
    expect(unknown.days.map((day: { readonly active: number }) => day.active)).toEqual([1, 0]);
    const wide = (await report(extensionId, `?from=${dayOf(world, -59)}&store=firefox&licensed=licensed`)).segment;
    expect(wide).toMatchObject({
      pingsFrom: dayOf(world, -35),
      previous: [],
      changes: { active: { value: 2, before: null, change: null } },
    });
    expect(wide.days).toHaveLength(36);
    const weeks = (await report(extensionId, `${query}&granularity=month`)).segment;
    expect(weeks.days[0].date).toBe(first);

    const csv = await world.api
      .as(owner)
      .get(`/extensions/${extensionId}/analytics${query}`, { headers: { accept: 'text/csv' } });
    expect(csv.text).toContain(`${first},segmentActive,,2,\r\n`);
    expect(csv.text).toContain(`${first},segment.version,1.1,2,0.666667\r\n`);
  });

  it('of a property that is folded, or none, are refused', async () => {
    const extensionId = await newExtension();
    for (const [query, field] of [
      ['version=other', 'version'],
      ['country=', 'country'],
      [`language=${'x'.repeat(65)}`, 'language'],
      ['os=Linux&os=Windows', 'os'],
    ] as const)
      expect(await world.api.as(owner).get(`/extensions/${extensionId}/analytics?${query}`)).toMatchObject({
        status: 400,
        body: { errors: [{ field }] },
      });
    expect((await report(extensionId, "?country=%27;--&browser='")).segment.shares.country).toEqual([]);
  });

  it('catch up after days without a roll-up, and days without pings', async () => {
    const extensionId = await newExtension();
    const pings: Counted[] = [];
    for (const [days, installId] of [
      [0, 'a'],
      [1, 'b'],
      [1, 'a'],
      [12, 'c'],
    ] as const) {
      if (days > 0) nextDay(world, (days - 1) * DAY + HOUR);
      await ping(world, { extensionId, installId });
      pings.push({ day: dayOf(world), installId, version: '1.0.0' });
    }
    const before = await report(extensionId);
    await rollUp(other);
    const after = await report(extensionId);
    expect(after).toEqual({ ...before, closedThrough: dayOf(world, -1), changes: after.changes });
    for (const line of before.days) expect(line).toEqual(recount(pings, line.date));
    const rows = await world.app
      .get(DataSource)
      .query('select count(*)::int as open from analytics_day where closed_at is null and day < $1', [dayOf(world)]);
    expect(rows).toEqual([{ open: 0 }]);
  });

  it('separate 200 versions, and fold the rest in the same way before and after the day is closed', async () => {
    const extensionId = await newExtension();
    const versions = Array.from({ length: 230 }, (_, at) => `1.${at}`);
    await pingAll(world, [
      ...versions.map((version) => ({ extensionId, version })),
      ...versions.slice(100).map((version) => ({ extensionId, version })),
      { extensionId, version: 'no version' },
    ]);
    const open = await report(extensionId);
    expect(open.shares.version).toHaveLength(201);
    expect(open.shares.version.find(({ value }: { readonly value: string }) => value === 'other').installs).toBe(31);
    await rollUp(world);
    expect(await report(extensionId)).toEqual(open);
    const day = dayOf(world);
    nextDay(world, HOUR);
    await rollUp(world);
    expect((await report(extensionId, `?from=${day}&to=${day}`)).shares).toEqual(open.shares);
    expect((await report(extensionId)).adoption.versions).toHaveLength(21);
  });

  it('of a week or a month are the mean of the active, the sum of the new and the uniques at its end', async () => {
    const extensionId = await newExtension();
    const start = dayOf(world);
    for (const installs of [['a', 'b', 'c'], ['a'], ['d', 'e']]) {
      await pingAll(
        world,
        installs.map((installId) => ({ extensionId, installId })),
      );
      nextDay(world, HOUR);
    }
    await rollUp(world);
    const to = dayOf(world);
    for (const granularity of ['week', 'month'] as const) {
      const { days, adoption } = await report(extensionId, `?from=${start}&to=${to}&granularity=${granularity}`);
      expect(days.reduce((sum: number, line: { readonly new: number }) => sum + line.new, 0)).toBe(5);
      expect(days.at(-1)).toMatchObject({ unique28: 5 });
      expect(days[0].date).toBe(start);
      expect(adoption.versions).toEqual(['1.0.0']);
      expect(adoption.points.map(({ date }: { readonly date: string }) => date)).toEqual(
        days.map(({ date }: { readonly date: string }) => date),
      );
    }
  });

  it('cover 28 days by default, and refuse an invalid range', async () => {
    const extensionId = await newExtension();
    const { from, to, days, granularity } = await report(extensionId);
    expect({ from, to, granularity }).toEqual({ from: dayOf(world, -27), to: dayOf(world), granularity: 'day' });
    expect(days).toHaveLength(28);
    for (const [query, field] of [
      ['from=2030-02-30', 'from'],
      ['to=tomorrow', 'to'],
      [`to=${dayOf(world, 1)}`, 'to'],
      [`from=${dayOf(world)}&to=${dayOf(world, -1)}`, 'from'],
      [`from=${dayOf(world, -400)}`, 'from'],
      ['granularity=hour', 'granularity'],
      ['cursor=x', 'cursor'],
    ] as const)
      expect(await world.api.as(owner).get(`/extensions/${extensionId}/analytics?${query}`)).toMatchObject({
        status: 400,
        body: { errors: [{ field }] },
      });
    expect((await report(extensionId, `?from=${dayOf(world, -399)}`)).days).toHaveLength(400);
  });

  it('are CSV when the caller prefers it', async () => {
    const name = `=cmd|"calc", ${randomUUID()}`;
    const extensionId = await world.given.extension(owner, name);
    await ping(world, { extensionId, version: '1.2.3', store: 'firefox', licensed: false });
    await goesLive(extensionId, await targetAt(extensionId, 'firefox'), '=1+1');
    const csv = { headers: { accept: 'text/csv' } };
    const { status, headers, text } = await world.api
      .as(owner)
      .get(`/extensions/${extensionId}/analytics?from=${dayOf(world)}`, csv);
    expect({ status, type: headers.get('content-type'), vary: headers.get('vary') }).toEqual({
      status: 200,
      type: 'text/csv; charset=utf-8',
      vary: expect.stringContaining('Accept'),
    });
    const day = dayOf(world);
    expect(text.split('\r\n')).toEqual([
      'date,figure,value,number,share',
      `${day},active,,1,`,
      `${day},new,,1,`,
      `${day},unique7,,1,`,
      `${day},unique28,,1,`,
      `${day},lapsed,,0,`,
      `${day},version,1.2.3,1,1`,
      `${day},browser,Chrome,1,1`,
      `${day},browserVersion,Chrome 131,1,1`,
      `${day},os,Windows,1,1`,
      `${day},country,,1,1`,
      `${day},language,,1,1`,
      `${day},store,firefox,1,1`,
      `${day},licensed,free,1,1`,
      `${day},adoption,1.2.3,1,`,
      `${day},storeOverTime,firefox,1,`,
      `${day},licensedOverTime,free,1,`,
      `${day},live,'=1+1 firefox,,`,
      '',
    ]);
    const overview = await world.api.as(owner).get('/analytics/overview', csv);
    expect(overview.text).toContain(`${day},${extensionId},"'${name.replaceAll('"', '""')}",1,1,1,1\r\n`);
  });

  it('compare stores, and licensed with free installs, as installs say and without ever refusing what they say', async () => {
    const extensionId = await newExtension();
    const first = dayOf(world);
    await pingAll(world, [
      { extensionId, store: 'chrome', licensed: true },
      { extensionId, store: ' Chrome ', licensed: false },
      { extensionId, store: 'edge', licensed: false },
      { extensionId, store: 'my own', licensed: 'yes' },
      { extensionId, store: 7, licensed: null },
      { extensionId },
    ]);
    const open = await report(extensionId, `?from=${first}`);
    nextDay(world, HOUR);
    await rollUp(world);
    await ping(world, { extensionId, store: 'edge', licensed: true });
    const { shares, stores, licensed, closedThrough } = await report(extensionId, `?from=${first}`);
    expect(closedThrough).toBe(first);
    expect(open.closedThrough < first).toBe(true);
    expect(open.stores).toEqual({
      values: [null, 'chrome', 'edge', 'other'],
      points: [{ date: first, installs: [2, 2, 1, 1] }],
    });
    expect(shares.store.map(({ value, installs }: Counts) => [value, installs])).toEqual([
      [null, 2],
      ['chrome', 2],
      ['edge', 2],
      ['other', 1],
    ]);
    expect(stores.points.map(({ installs }: { readonly installs: readonly number[] }) => installs)).toEqual([
      [2, 2, 1, 1],
      [0, 0, 1, 0],
    ]);
    expect(licensed).toEqual({
      values: [null, 'free', 'licensed'],
      points: [
        { date: first, installs: [3, 2, 1] },
        { date: dayOf(world), installs: [0, 0, 1] },
      ],
    });
  });

  it('name each version that went live at a store in the range, once', async () => {
    const extensionId = await newExtension();
    const chrome = await targetAt(extensionId, 'chrome');
    const firefox = await targetAt(extensionId, 'firefox');
    await goesLive(extensionId, chrome, '1.0');
    nextDay(world, HOUR);
    const from = dayOf(world);
    await goesLive(extensionId, chrome, '1.1');
    await goesLive(extensionId, firefox, '1.1');
    await goesLive(extensionId, chrome, '1.1');
    world.clock.forward(HOUR);
    await goesLive(extensionId, chrome, '1.0');
    const at = world.clock.now();
    const live = async () => (await report(extensionId, `?from=${from}`)).live;
    expect(await live()).toEqual([
      { at: expect.any(String), date: from, version: '1.1', store: 'chrome' },
      { at: expect.any(String), date: from, version: '1.1', store: 'firefox' },
      { at: at.toISOString(), date: from, version: '1.0', store: 'chrome' },
    ]);
    await world.app.get(DataSource).query('delete from target where id = $1', [firefox]);
    expect((await live()).map(({ store }: { readonly store: string | null }) => store)).toContain(null);
  });

  it.each([
    [28, 0],
    [29, 1],
  ])(
    'count an install that comes back after %i days as %i new, before and after the day is summed up',
    async (days, isNew) => {
      const extensionId = await newExtension();
      await pingAll(world, [{ extensionId, installId: 'back' }]);
      nextDay(world, HOUR);
      await rollUp(world);
      nextDay(world, (days - 2) * DAY + HOUR);
      await pingAll(world, [{ extensionId, installId: 'back' }]);
      const today = dayOf(world);
      const figures = async () => {
        const found = (await report(extensionId)).days.find(({ date }: { readonly date: string }) => date === today);
        return [found.active, found.new];
      };
      expect(await figures()).toEqual([1, isNew]);
      nextDay(world, HOUR);
      await rollUp(world);
      expect(await figures()).toEqual([1, isNew]);
      await remove(extensionId);
    },
  );

  it('of all extensions of a tenant are one report, without those of other tenants', async () => {
    const mine = await world.given.tenant();
    const [one, two] = [await world.given.extension(mine, 'One'), await world.given.extension(mine, 'Two')];
    await pingAll(world, [
      { extensionId: one, installId: 'x' },
      { extensionId: one },
      { extensionId: two, installId: 'x' },
    ]);
    nextDay(world, HOUR);
    await rollUp(world);
    await pingAll(world, [{ extensionId: two, installId: 'x' }, { extensionId: two }]);
    const { status, body } = await world.api.as(mine).get('/analytics/overview');
    expect(status).toBe(200);
    expect(body.days.slice(-2)).toEqual([
      { date: dayOf(world, -1), active: 3, new: 3, unique7: 3, unique28: 3, lapsed: 0 },
      { date: dayOf(world), active: 2, new: 1, unique7: 4, unique28: 4, lapsed: 0 },
    ]);
    expect(
      body.extensions.map(({ name, active, unique28 }: Record<string, unknown>) => [name, active, unique28]),
    ).toEqual([
      ['One', 0, 2],
      ['Two', 2, 2],
    ]);
    const nobody = await world.given.tenant();
    expect((await world.api.as(nobody).get('/analytics/overview')).body.extensions).toEqual([]);
  });

  it('are deleted with their extension, pings that arrive meanwhile included', async () => {
    const extensionId = await newExtension();
    await pingAll(
      world,
      Array.from({ length: 20 }, () => ({ extensionId })),
    );
    await rollUp(world);
    nextDay(world, HOUR);
    await rollUp(world);
    await pingAll(
      world,
      Array.from({ length: 20 }, () => ({ extensionId })),
    );
    const racing = pingAll(
      world,
      Array.from({ length: 300 }, () => ({ extensionId })),
    );
    const rolling = rollUp(other);
    expect((await remove(extensionId)).status).toBe(204);
    await Promise.all([racing, rolling]);
    await rollUp(world);
    for (const table of ['install_day', 'install_seen', 'install_last_day', 'stat_total', 'stat_day', 'stat_month'])
      expect([
        table,
        await world.app
          .get(DataSource)
          .query(`select count(*)::int as rows from ${table} where extension_id = $1`, [extensionId]),
      ]).toEqual([table, [{ rows: 0 }]]);
  });

  it('outlive the pings, which are deleted after 35 days, and coming days have partitions', async () => {
    const extensionId = await newExtension();
    await pingAll(
      world,
      Array.from({ length: 3 }, () => ({ extensionId })),
    );
    const day = dayOf(world);
    await rollUp(world);
    world.clock.forward(37 * DAY + 11 * MINUTE);
    await rollUp(world);
    const source = world.app.get(DataSource);
    const partitions: { name: string }[] = await source.query(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'install_day'::regclass order by 1`,
    );
    const nameOf = (days: number) => `install_day_${dayOf(world, days).replaceAll('-', '')}`;
    expect(partitions.every(({ name }) => name >= nameOf(-35))).toBe(true);
    expect(partitions.slice(-4).map(({ name }) => name)).toEqual([0, 1, 2, 3].map(nameOf));
    expect(await source.query('select 1 from install_seen where extension_id = $1', [extensionId])).toEqual([]);
    const kept = await report(extensionId, `?from=${day}&to=${day}`);
    expect(kept.days).toEqual([{ date: day, active: 3, new: 3, unique7: 3, unique28: 3, lapsed: 0 }]);
  });
});
