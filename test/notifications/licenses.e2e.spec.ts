import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, formsOf } from '../licensing/buyer/buyer.js';
import { DataSource, LicenseExpiryService, type World, startWorld } from '../support/app.js';
import { DAY, HOUR, MINUTE, SECOND } from '../support/clock.js';
import { expectStatus, type Licensed } from '../support/given.js';
import { imported } from '../support/imported.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { fullRefund, oneOffSale, subscriptionLife } from '../support/purchases.js';
import { headerOf, partOf, type SmtpServer } from '../support/smtp-server.js';
import { StatementListener } from '../support/statement-listener.js';
import { downloaded, exported, rowsOf, unzipped } from '../tenant-data/tenant-fixture.js';
import { Seller } from '../webhooks/seller.js';
import { isSignedUnder, Receiver, type Received } from './receiver.js';
import { confirm, deliverWebhooks, post } from './team.js';

const KINDS = [
  'license.issued',
  'license.activated',
  'license.seat_refused',
  'license.seat_freed',
  'license.suspended',
  'license.reinstated',
  'license.revoked',
  'license.expiring',
  'license.expired',
  'license.renewed',
  'license.trial_started',
  'license.trial_ended',
  'license.code_resent',
];

interface Told {
  readonly eventId: string;
  readonly license: Readonly<Record<string, unknown>> & { readonly seats: { used: number; max: number } };
}
const toldIn = ({ body }: Received): Told => body.data as unknown as Told;

describe('what happens to a license', () => {
  let receiver: Receiver;
  let smtp: SmtpServer;
  let world: World;
  let other: World;
  beforeAll(async () => {
    receiver = await Receiver.start();
    ({ smtp, world } = await startMailingWorld());
    other = await startWorld({ with: world });
  });
  afterAll(async () => {
    await other.close();
    await world.close();
    await receiver.close();
  });

  /** Adds a webhook to a tenant. @returns what it has received so far */
  const listen = async (owner: { readonly token: string }, wish: object = {}) => {
    const path = `/${randomUUID()}`;
    const body = { kind: 'webhook', url: receiver.url(path), events: KINDS, ...wish };
    const endpoint = expectStatus(await world.api.as(owner).post('/notifications/endpoints', body), 201).body;
    const received = async (): Promise<readonly Received[]> => {
      await deliverWebhooks(world);
      return receiver.at(path);
    };
    const kinds = async (): Promise<readonly string[]> =>
      (await received())
        .toSorted((one, next) => (one.id < next.id ? -1 : 1))
        .map((one) => `${one.body.type.replace('license.', '')} ${String(toldIn(one).license['reason'])}`);
    return { endpoint, path, received, kinds };
  };
  const device = ({ code, extensionId }: Licensed, fingerprint: string = randomUUID()) => ({
    code,
    extensionId,
    fingerprint,
  });
  const activate = async (license: Licensed, fingerprint?: string) =>
    expectStatus(await world.api.post('/licensing/activate', device(license, fingerprint)), 200).body;
  const ahead = (ms: number): string => new Date(world.clock.now().getTime() + ms).toISOString();

  it('is told with what a program of the seller needs, signed, and without code or device', async () => {
    const tenant = await world.given.tenant();
    const extensionId = await world.given.extension(tenant, 'Night Owl');
    const { endpoint, received } = await listen(tenant);
    const license = await world.given.licensed({ extensionId, maxActivations: 2, expiresAt: ahead(90 * DAY) }, tenant);
    const fingerprint = `MARKED-${randomUUID()}`;
    const seat = { ...device(license, fingerprint), deviceInfo: "MARKED Ada's laptop" };
    expectStatus(await world.api.post('/licensing/activate', seat), 200);
    const [issued, activated, ...more] = await received();
    if (issued === undefined || activated === undefined) throw new Error('Nothing came');
    expect(more).toEqual([]);
    const shown = expectStatus(await world.api.as(tenant).get(`/licenses/${license.licenseId}`), 200).body;
    expect(activated.body).toEqual({
      type: 'license.activated',
      timestamp: world.clock.now().toISOString(),
      data: {
        message: `License …${shown.codeHint} (${shown.tier}) was activated on another device.`,
        extensionId,
        extensionName: 'Night Owl',
        targetId: null,
        version: null,
        credentialId: null,
        eventId: activated.id,
        license: {
          id: license.licenseId,
          planId: license.planId,
          tier: shown.tier,
          status: 'active',
          expiresAt: shown.expiresAt,
          renews: false,
          renewsAt: null,
          seats: { used: 1, max: 2 },
          buyerEmail: shown.buyerEmail,
          codeHint: shown.codeHint,
          source: 'manual',
          isTest: false,
          reason: null,
          orderId: null,
        },
      },
    });
    expect(isSignedUnder(activated, endpoint.secret)).toBe(true);
    const said = JSON.stringify([issued, activated]);
    expect(said).not.toContain(license.code);
    expect(said).not.toContain('MARKED');
    expect(expectStatus(await world.api.as(tenant).get('/notifications'), 200).body.items).toMatchObject([
      { kind: 'license.activated', licenseId: license.licenseId },
      { kind: 'license.issued', licenseId: license.licenseId },
    ]);
  });

  it('is told for each cause at the desk, on a device and by the buyer', async () => {
    const license = await world.given.licensed({ maxActivations: 2 });
    const { kinds } = await listen(license);
    const api = world.api.as(license);
    const path = `/licenses/${license.licenseId}`;
    expectStatus(await api.patch(path, { expiresAt: ahead(40 * DAY) }), 200);
    expectStatus(await api.patch(path, { expiresAt: ahead(50 * DAY) }), 200);
    expectStatus(await api.post(`${path}/suspend`), 200);
    expectStatus(await api.post(`${path}/suspend`), 200);
    expectStatus(await api.post(`${path}/reinstate`), 200);
    await activate(license, 'one');
    await activate(license, 'one');
    await activate(license, 'two');
    expect((await activate(license, 'three')).reason).toBe('seat_limit_reached');
    expectStatus(await world.api.post('/licensing/release', device(license, 'one')), 200);
    expectStatus(await world.api.post('/licensing/release', device(license, 'one')), 200);
    expectStatus(await api.post(`${path}/release`, { fingerprint: 'two' }), 200);
    const { code } = expectStatus(await api.post(`${path}/rotate`), 200).body;
    await activate({ ...license, code }, 'four');
    const { buyerEmail } = expectStatus(await api.get(path), 200).body;
    const buyer = new Browser(world, smtp);
    const page = await buyer.enter(buyerEmail);
    const release = formsOf(page).find(({ fields }) => fields['device'] !== undefined);
    if (release === undefined) throw new Error('The page has no device');
    expect((await buyer.send(release)).status).toBeLessThan(400);
    const resent = expectStatus(await api.post(`${path}/resend`), 200);
    expect(resent.body.id).toBe(license.licenseId);
    expectStatus(await api.post(`${path}/revoke`), 200);
    expect(await kinds()).toEqual([
      'renewed tenant',
      'suspended tenant',
      'reinstated tenant',
      'activated null',
      'activated null',
      'seat_refused null',
      'seat_freed device',
      'seat_freed tenant',
      'activated null',
      'seat_freed buyer',
      'code_resent null',
      'revoked tenant',
    ]);
  });

  it('is told of the seat that an idle device loses to another, with those taken afterwards', async () => {
    const license = await world.given.licensed({ maxActivations: 1 });
    const idle = 'update extension set seat_idle_days = 7 where id = $1';
    await world.app.get(DataSource).query(idle, [license.extensionId]);
    const { kinds, received } = await listen(license);
    await activate(license);
    await world.forward(8 * DAY);
    expect((await activate(license)).success).toBe(true);
    expect(await kinds()).toEqual(['activated null', 'seat_freed idle', 'activated null']);
    expect((await received()).map((one) => toldIn(one).license.seats)).toEqual([
      { used: 1, max: 1 },
      { used: 1, max: 1 },
      { used: 1, max: 1 },
    ]);
  });

  it('is told of a refused device once in an hour, for all devices of the license', async () => {
    await world.forward(2 * HOUR - ((Math.floor(world.clock.now().getTime() / SECOND) * SECOND) % HOUR));
    const license = await world.given.licensed({ maxActivations: 1 });
    const { kinds } = await listen(license, { events: ['license.seat_refused'] });
    await activate(license);
    for (const name of ['a', 'b', 'a']) await activate(license, name);
    await world.forward(50 * MINUTE);
    await activate(license, 'a');
    expect(await kinds()).toEqual(['seat_refused null']);
    await world.forward(20 * MINUTE);
    await Promise.all(['a', 'b', 'c'].map((name) => activate(license, name)));
    expect(await kinds()).toEqual(['seat_refused null', 'seat_refused null']);
  });

  it('makes as many events as seats, and no more, when fifty devices come at once', async () => {
    const license = await world.given.licensed({ maxActivations: 7 });
    const { kinds } = await listen(license);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.api.post('/licensing/activate', device(license))),
    );
    expect(answers.filter(({ body }) => body.success === true)).toHaveLength(7);
    const told = await kinds();
    expect(told.filter((kind) => kind === 'activated null')).toHaveLength(7);
    expect(told.filter((kind) => kind === 'seat_refused null').length).toBeLessThanOrEqual(1);
    expect(told.length).toBeLessThanOrEqual(8);
  });

  it('costs an activation one statement where somebody wants to know, and none elsewhere', async () => {
    const statements = StatementListener.of(world);
    const costs = async (license: Licensed): Promise<readonly number[]> => {
      const counts: number[] = [];
      // The first one makes the keys of the extension.
      await activate(license, 'zero');
      for (const name of ['one', 'one', 'two']) {
        counts.push((await statements.during(() => activate(license, name))).said.length);
      }
      const { said } = await statements.during(() => world.api.post('/licensing/check', device(license, 'one')));
      return [...counts, said.length];
    };
    const silent = await world.given.licensed({ maxActivations: 2 });
    const ofOthers = await world.given.licensed({ maxActivations: 2 });
    await listen(ofOthers, { events: ['live', 'license.revoked'] });
    const heard = await world.given.licensed({ maxActivations: 2 });
    await listen(heard);
    const [seated = 0, again = 0, refused = 0, check = 0] = await costs(silent);
    expect([seated, again, check]).toEqual([6, 1, 1]);
    expect(await costs(ofOthers)).toEqual([seated, again, refused, check]);
    expect(await costs(heard)).toEqual([seated + 1, again, refused + 1, check]);
  });

  it('goes only to endpoints that name its kind, and that its extension, plan and tier concern', async () => {
    const tenant = await world.given.tenant();
    const [one, two] = [await world.given.extension(tenant), await world.given.extension(tenant)];
    const first = await world.given.licensed({ extensionId: one }, tenant);
    const second = await world.given.licensed({ extensionId: two }, tenant);
    const { tier } = expectStatus(await world.api.as(tenant).get(`/plans/${second.planId}`), 200).body;
    const all = { kind: 'webhook', url: receiver.url(`/${randomUUID()}`) };
    const byDefault = expectStatus(await world.api.as(tenant).post('/notifications/endpoints', all), 201).body;
    expect(byDefault).toMatchObject({ extensionIds: null, planIds: null, tiers: null });
    expect(byDefault.events.filter((kind: string) => kind.startsWith('license.'))).toEqual([]);
    const byExtension = await listen(tenant, { extensionIds: [one] });
    const byPlan = await listen(tenant, { planIds: [second.planId] });
    const byTier = await listen(tenant, { tiers: [tier] });
    const byBoth = await listen(tenant, { extensionIds: [one], planIds: [second.planId] });
    for (const license of [first, second]) await activate(license);
    const ids = async ({ received }: typeof byPlan) => (await received()).map((each) => toldIn(each).license['id']);
    expect(await ids(byExtension)).toEqual([first.licenseId]);
    expect(await ids(byPlan)).toEqual([second.licenseId]);
    expect(await ids(byTier)).toEqual([second.licenseId]);
    expect(await ids(byBoth)).toEqual([]);
    const path = `/notifications/endpoints/${byBoth.endpoint.id}`;
    const same = { tiers: null, planIds: [second.planId] };
    expect(expectStatus(await world.api.as(tenant).patch(path, same), 400).body.code).toBe('nothing_to_update');
    expect(expectStatus(await world.api.as(tenant).patch(path, { planIds: null }), 200).body.planIds).toBeNull();
    await activate(first);
    expect(await ids(byBoth)).toEqual([first.licenseId]);
    const stranger = await world.given.licensed();
    for (const wish of [
      { extensionIds: [stranger.extensionId] },
      { planIds: [stranger.planId] },
      { tiers: ['none'] },
    ]) {
      const refused = await world.api.as(tenant).post('/notifications/endpoints', { ...all, ...wish });
      expect(expectStatus(refused, 400).body.errors).toMatchObject([{ field: Object.keys(wish)[0] }]);
    }
  });

  it('may be filtered by a plan that has been deleted since, but by no other that is not there', async () => {
    const owner = await world.given.tenant();
    const planId = await world.given.plan(owner, await world.given.extension(owner));
    const { endpoint } = await listen(owner, { planIds: [planId] });
    expectStatus(await world.api.as(owner).delete(`/plans/${planId}`), 204);
    const change = (fields: object) => world.api.as(owner).patch(`/notifications/endpoints/${endpoint.id}`, fields);
    expectStatus(await change({ planIds: [planId], url: receiver.url('/moved') }), 200);
    expectStatus(await change({ planIds: [planId, randomUUID()] }), 400);
  });

  it('is sent nowhere by who may not read licenses', async () => {
    const owner = await world.given.tenant();
    const publisher = await world.given.member(owner, 'publisher');
    const session = world.api.as(publisher);
    const body = { kind: 'webhook', url: receiver.url('/'), events: ['license.issued'] };
    expect(expectStatus(await session.post('/notifications/endpoints', body), 403).body.code).toBe('role_not_allowed');
    const token = await world.given.token(owner, ['extensions:write']);
    const refused = await world.api.as({ token }).post('/notifications/endpoints', body);
    expect(expectStatus(refused, 403).body.code).toBe('insufficient_scope');
    const { endpoint } = await listen(owner);
    const moved = await session.patch(`/notifications/endpoints/${endpoint.id}`, { url: receiver.url('/mine') });
    expect(expectStatus(moved, 403).body.code).toBe('role_not_allowed');
    const both = { url: receiver.url('/mine'), events: ['live'] };
    expectStatus(await session.patch(`/notifications/endpoints/${endpoint.id}`, both), 403);
  });

  it('is not sent again, nor what still waits, to where somebody leads it who may not read licenses', async () => {
    const license = await world.given.licensed();
    const { endpoint, path, received } = await listen(license, { events: ['license.activated'] });
    receiver.answer(path, 503, {}, 1);
    await activate(license);
    expect(await received()).toHaveLength(1);
    const api = world.api.as(license);
    const [delivery] = (await api.get(`/notifications/deliveries?endpoint=${endpoint.id}`)).body.items;
    const one = `/notifications/endpoints/${endpoint.id}`;
    expectStatus(await api.patch(one, { events: ['live'] }), 200);
    const session = world.api.as(await world.given.member(license, 'publisher'));
    const again = await session.post(`/notifications/deliveries/${delivery.id}/redeliver`);
    expect(expectStatus(again, 403).body.code).toBe('role_not_allowed');
    const elsewhere = `/mine-${endpoint.id}`;
    expectStatus(await session.patch(one, { url: receiver.url(elsewhere) }), 200);
    await world.forward(DAY);
    await received();
    expect(receiver.at(elsewhere)).toEqual([]);
    const [given] = (await api.get(`/notifications/deliveries?endpoint=${endpoint.id}`)).body.items;
    expect(given).toMatchObject({ id: delivery.id, status: 'given_up' });
    expectStatus(await api.post(`/notifications/deliveries/${delivery.id}/redeliver`), 200);
    await received();
    expect(receiver.at(elsewhere)).toHaveLength(1);
  });

  it('is told a week before its end and at its end, once each, whoever looks, and again after a renewal', async () => {
    const license = await world.given.licensed({ expiresAt: ahead(10 * DAY) });
    const short = await world.given.licensed({ expiresAt: ahead(2 * DAY) }, license);
    const { received } = await listen(license);
    const told = async (id: string) =>
      (await received()).flatMap((one) =>
        toldIn(one).license['id'] === id ? [`${one.body.type} ${String(toldIn(one).license['status'])}`] : [],
      );
    const days = async (count: number): Promise<void> => {
      for (let day = 0; day < count; day += 1) {
        await world.forward(DAY);
        await Promise.all([world, other].map(({ app }) => app.get(LicenseExpiryService).check()));
      }
    };
    await days(2);
    expect([await told(license.licenseId), await told(short.licenseId)]).toEqual([[], ['license.expired expired']]);
    await days(1);
    expect(await told(license.licenseId)).toEqual(['license.expiring active']);
    await days(10);
    const once = ['license.expiring active', 'license.expired expired'];
    expect(await told(license.licenseId)).toEqual(once);
    const api = world.api.as(license);
    expectStatus(await api.patch(`/licenses/${license.licenseId}`, { expiresAt: ahead(10 * DAY) }), 200);
    await days(12);
    expect(await told(license.licenseId)).toEqual([...once, 'license.renewed active', ...once]);
    expect(await told(short.licenseId)).toEqual(['license.expired expired']);
  });

  it('is told to an address in words', async () => {
    const license = await world.given.licensed();
    const address = `${randomUUID()}@seller.example`;
    const body = { kind: 'mail', address, events: ['license.activated'] };
    expectStatus(await world.api.as(license).post('/notifications/endpoints', body), 201);
    await confirm(world, smtp, address);
    await activate(license);
    await post(world);
    const mail = smtp.to(address).at(-1);
    if (mail === undefined) throw new Error('No mail came');
    expect(headerOf(mail, 'Subject')).toContain('A license was activated on a device');
    expect(partOf(mail, 'text/plain')).toMatch(/License …\w{5} \(tier \w+\) was activated on another device\./);
    expect(partOf(mail, 'text/plain')).toContain(`/licenses/${license.licenseId}\n`);
  });

  it('is told of imported licenses, of those that a processor sells, renews and refunds, once each, with the order', async () => {
    const seller = await Seller.in(world, 'stripe');
    const { kinds, received } = await listen(seller.tenant);
    const sale = seller.sale();
    const life = subscriptionLife('stripe', sale);
    await seller.sendAll([...life, ...life]);
    const bought = await kinds();
    expect(bought[0]).toBe('issued payment');
    expect(bought.filter((kind) => kind === 'issued payment')).toHaveLength(1);
    // Of three months; the failed payment between them only makes Pierhead wait.
    expect(bought.filter((kind) => kind === 'renewed payment')).toHaveLength(2);
    const [license] = await seller.licenses();
    const [first] = await received();
    if (first === undefined) throw new Error('Nothing came');
    const { source, orderId } = toldIn(first).license;
    expect(source).toBe(license.source);
    expect(String(source).endsWith(String(orderId))).toBe(true);
    expect(String(orderId)).not.toContain(':');
    const next = seller.sale();
    await seller.sendAll(oneOffSale('stripe', next));
    const refund = fullRefund('stripe', next);
    await seller.sendAll([...refund, ...refund]);
    expect((await kinds()).slice(bought.length)).toEqual(['issued payment', 'revoked refund']);
    const csv = 'email,tier,order\nada@buyer.example,TIER,77\n';
    const { tier } = expectStatus(await world.api.as(seller.tenant).get(`/plans/${seller.planId}`), 200).body;
    const made = await imported(world, seller.tenant, seller.extensionId, csv.replace('TIER', tier));
    expect(made.created).toBe(1);
    expect((await kinds()).at(-1)).toBe('issued import');
  });

  it('takes one statement for all licenses of a transaction', async () => {
    const seller = await Seller.in(world, 'paddle', { products: [] });
    await seller.sells(['pri_1'], seller.planId, 'license');
    const { kinds } = await listen(seller.tenant);
    const items = [{ price: 'pri_1', product: 'pro_1', quantity: 5 }];
    const { said } = await StatementListener.of(world).during(() =>
      seller.sendAll(FULL_SIZE.paddle.paidMonth(seller.sale(), 1, { items })),
    );
    expect(said.filter((text) => text.includes('insert into notification ('))).toHaveLength(1);
    expect(await kinds()).toEqual(Array.from({ length: 5 }, () => 'issued payment'));
  });

  it('of an erased buyer is told without the address, also what was waiting, with the seats that were lost', async () => {
    const license = await world.given.licensed();
    const { received, kinds, path } = await listen(license, { events: ['license.activated', 'license.seat_freed'] });
    receiver.answer(path, 503, {}, 1);
    const api = world.api.as(license);
    const { buyerEmail } = expectStatus(await api.get(`/licenses/${license.licenseId}`), 200).body;
    await activate(license);
    await activate(license);
    const [refused] = await received();
    expect(refused?.raw).toContain(buyerEmail);
    expectStatus(await api.post(`/licenses/${license.licenseId}/revoke`), 200);
    expectStatus(await api.delete(`/licenses/${license.licenseId}`), 204);
    const rows = await world.app.get(DataSource).query<object[]>('select * from notification');
    expect(JSON.stringify(rows)).not.toContain(buyerEmail);
    const before = receiver.at(path).length;
    await world.forward(DAY);
    const after = (await received()).slice(before);
    expect(after.map(({ id }) => id)).toContain(refused?.id);
    expect(after.map((one) => toldIn(one).license['buyerEmail'])).toEqual(after.map(() => null));
    expect((await kinds()).filter((kind) => kind === 'seat_freed erasure')).toHaveLength(1);
  });

  it('of a buyer who is erased while the receiver answers leaves nothing of that answer', async () => {
    const license = await world.given.licensed();
    const { endpoint, received, path } = await listen(license, { events: ['license.activated'] });
    const kept = async () => {
      const sql = `select answer from delivery_attempt where delivery_id in (select id from notification_delivery where endpoint_id = $1)`;
      const rows: readonly { readonly answer: string | null }[] = await world.app
        .get(DataSource)
        .query(sql, [endpoint.id]);
      return rows.map(({ answer }) => answer);
    };
    receiver.answer(path, 200, {}, 2);
    await activate(license);
    await received();
    expect(await kept()).toEqual(['MARKED words of the receiver']);
    const held = receiver.hold(path);
    await activate(license);
    const answered = received();
    await held.reached;
    const api = world.api.as(license);
    expectStatus(await api.post(`/licenses/${license.licenseId}/revoke`), 200);
    expectStatus(await api.delete(`/licenses/${license.licenseId}`), 204);
    held.open();
    await answered;
    expect(await kept()).toEqual([null, null]);
  });

  it('that is rolled back is not told', async () => {
    const license = await world.given.licensed();
    const { kinds } = await listen(license);
    await world.app
      .get(DataSource)
      .query(`alter table seat add constraint seat_refuses_test check (label is distinct from 'refuse me')`);
    const seat = { ...device(license), deviceInfo: 'refuse me' };
    expect((await world.api.post('/licensing/activate', seat)).status).toBe(500);
    await world.app.get(DataSource).query('alter table seat drop constraint seat_refuses_test');
    expect(await kinds()).toEqual([]);
  });

  it('is in the export of the tenant’s data, with what its endpoints are told of', async () => {
    const license = await world.given.licensed();
    const { endpoint } = await listen(license, { planIds: [license.planId], extensionIds: [license.extensionId] });
    await activate(license);
    const { buyerEmail } = expectStatus(await world.api.as(license).get(`/licenses/${license.licenseId}`), 200).body;
    const entries = await unzipped(await downloaded(world, license, await exported(world, license)));
    const files = [...entries.keys()].map((name) => name.replace('.ndjson', ''));
    const rows = files.filter((name) => name.startsWith('notification')).flatMap((name) => rowsOf(entries, name));
    expect(rows).toContainEqual(
      expect.objectContaining({
        kind: 'license.activated',
        licenseId: license.licenseId,
        license: expect.objectContaining({ buyerEmail, planId: license.planId }),
      }),
    );
    expect(rows).toContainEqual(
      expect.objectContaining({
        id: endpoint.id,
        planIds: [license.planId],
        extensionIds: [license.extensionId],
        tiers: null,
      }),
    );
  });
});
