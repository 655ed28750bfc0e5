import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import { ListingsWorker, startWorld, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

describe('figures of the App Store', () => {
  let world: World;
  let control: SafariControl;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    control = new SafariControl(world.sandbox.url);
    tenant = await world.given.tenant();
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
  const published = async (role = 'ADMIN') => {
    const { teamId, ...credentials } = await control.key({ role });
    const { appId } = await control.app({ issuerId: teamId });
    const api = world.api.as(tenant);
    const made = await api.post('/credentials', { store: 'safari', credentials });
    const credentialId: string = expectStatus(made, 201).body.id;
    const extension = await world.given.extension(tenant);
    const targetId = await world.given.targetOf(tenant, extension, 'safari');
    const path = `/extensions/${extension}/targets/${targetId}`;
    expectStatus(await api.patch(path, { storeItemId: appId, credentialId, enabled: true }), 200);
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
    return { appId, teamId, report, days };
  };

  it('are asked for once, and read by day as soon as Apple reports', async () => {
    const { appId, report, days } = await published();
    await read();
    expect(await report()).toMatchObject({ metrics: ['installs', 'uninstalls'], failure: null });
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
});
