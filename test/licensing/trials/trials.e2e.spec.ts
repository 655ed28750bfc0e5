import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPublicKey } from 'node:crypto';
import { decodeJwt, jwtVerify } from 'jose';
import { everything } from '../delivery/codes.js';
import { DataSource, startWorld, TrialUpkeepService, type World } from '../../support/app.js';
import { DAY, HOUR } from '../../support/clock.js';
import { expectStatus } from '../../support/given.js';
import { StatementListener } from '../../support/statement-listener.js';
import { onServer, untilWaiting } from '../shop.js';
import { TrialOffer } from './trials.js';

describe('a trial', () => {
  let world: World;
  let limited: World;
  let offer: TrialOffer;
  beforeAll(async () => {
    world = await startWorld();
    limited = await startWorld({
      with: world,
      env: { RATE_LIMITS: 'on', TRUST_PROXY: '1', TRIALS_PER_ADDRESS: '2', TRIALS_PER_EXTENSION: '4' },
    });
  });
  afterAll(async () => {
    await limited.close();
    await world.close();
  });
  beforeEach(async () => {
    offer = await TrialOffer.open(world);
  });

  const ahead = (ms: number): string => new Date(world.clock.now().getTime() + ms).toISOString();

  it('starts at the first request, and is answered alike afterwards, also after a reinstall', async () => {
    const fingerprint = randomUUID();
    const nonce = 'a nonce';
    const { body } = expectStatus(
      await offer.ask(fingerprint, { nonce, deviceInfo: { label: "Ann's laptop" }, more: 1 }),
      200,
    );
    const end = ahead(14 * DAY);
    expect(body).toEqual({
      isActive: true,
      reason: 'trial_active',
      tier: 'pro',
      trialEndsAt: end,
      nextCheckAt: expect.any(String),
      lease: expect.any(String),
      entitlements: ['sync'],
    });
    const [key] = expectStatus(await world.api.get(`/licensing/keys/${offer.extensionId}`), 200).body.keys;
    const { payload } = await jwtVerify(body.lease, createPublicKey({ key, format: 'jwk' }), {
      currentDate: world.clock.now(),
    });
    expect(payload).toMatchObject({ act: true, rsn: 'trial_active', tier: 'pro', ent: ['sync'], trial: true, nonce });
    expect(payload).not.toHaveProperty('sub');
    await world.forward(13 * DAY + 12 * HOUR);
    const again = expectStatus(await offer.ask(fingerprint), 200).body;
    expect(again).toMatchObject({ isActive: true, trialEndsAt: end, nextCheckAt: end });
    expect(decodeJwt(again.lease).exp).toBe(Math.floor(Date.parse(end) / 1000));
    await world.forward(12 * HOUR);
    const ended = expectStatus(await offer.ask(fingerprint), 200).body;
    expect(ended).toMatchObject({ isActive: false, reason: 'trial_ended', tier: 'pro', trialEndsAt: end });
    expect(ended).not.toHaveProperty('entitlements');
    expect(decodeJwt(ended.lease)).toMatchObject({ act: false, rsn: 'trial_ended', trial: true });
    expect(await offer.trials()).toMatchObject([{ state: 'ended', label: "Ann's laptop", email: null, tier: 'pro' }]);
    expect(await everything(world)).not.toContain(fingerprint);
  });

  it('is one, however many requests for a device come at once, in two processes', async () => {
    const fingerprint = randomUUID();
    const body = { extensionId: offer.extensionId, fingerprint };
    const asked = Array.from({ length: 200 }, (_, at) => (at % 2 ? world : limited).api.post('/licensing/trial', body));
    const answers = (await Promise.all(asked)).filter(({ status }) => status !== 429);
    expect(answers.length).toBeGreaterThanOrEqual(100);
    for (const { status, body: answer } of answers) expect([status, answer.reason]).toEqual([200, 'trial_active']);
    expect(new Set(answers.map(({ body: answer }) => answer.trialEndsAt)).size).toBe(1);
    expect(await offer.trials()).toHaveLength(1);
    const sql = 'select begun, refused from trial_day where extension_id = $1';
    expect(await world.app.get(DataSource).query(sql, [offer.extensionId])).toEqual([{ begun: 1, refused: 0 }]);
  });

  it('becomes a license by a code on its device, also after its end, without another statement', async () => {
    const [running, over, other] = [await offer.tried(), await offer.tried(), await offer.tried()];
    const statements = StatementListener.of(world);
    const { answer, said } = await statements.during(() => offer.bought(running));
    expect(answer.answer.body).toMatchObject({ success: true, reason: 'active' });
    expect(said.filter((text) => /\btrial\b/.test(text))).toHaveLength(1);
    expect((await offer.ask(running)).body).toMatchObject({ isActive: false, reason: 'trial_converted' });
    await world.forward(15 * DAY);
    const { licenseId } = await offer.bought(over);
    expect((await offer.ask(over)).body).toMatchObject({ reason: 'trial_converted' });
    expect((await offer.ask(other)).body).toMatchObject({ reason: 'trial_ended' });
    expect(await offer.trials('&state=converted')).toMatchObject([{ licenseId }, { licenseId: answer.licenseId }]);
    expect(await offer.summary()).toEqual({ running: 0, converted: 2, ended: 1, refused: 0, conversion: 2 / 3 });
    // It never becomes the license of the next code.
    const first = (await offer.trials('&state=converted'))[1];
    await offer.bought(running);
    expect((await offer.trials('&state=converted'))[1]).toEqual(first);
  });

  // The embedded database has one session, which a lock would hold for all.
  (onServer ? it : it.skip)('becomes a license also where its device takes a seat while it begins', async () => {
    const fingerprint = randomUUID();
    await offer.tried();
    const { extensionId, planId } = offer;
    const wanted = { planId, buyerEmail: `${randomUUID()}@buyer.example` };
    const { code } = expectStatus(await offer.mine('POST', '/licenses', wanted), 201).body;
    const holding = world.app.get(DataSource).createQueryRunner();
    await holding.startTransaction();
    await holding.query('select from trial_day where extension_id = $1 for update', [offer.extensionId]);
    const asked = offer.ask(fingerprint);
    await untilWaiting(world, 1);
    const activated = world.api.post('/licensing/activate', { code, extensionId, fingerprint });
    await Promise.race([activated, untilWaiting(world, 2)]);
    await holding.commitTransaction();
    await holding.release();
    expect((await asked).body.reason).toBe('trial_active');
    expect((await activated).body).toMatchObject({ success: true });
    expect((await offer.ask(fingerprint)).body.reason).toBe('trial_converted');
  });

  it('is none for a device that holds a seat, also of a license that was revoked', async () => {
    const fingerprint = randomUUID();
    const { licenseId, code } = await offer.bought(fingerprint);
    const asked = (await offer.ask(fingerprint)).body;
    expect(asked).toMatchObject({ isActive: false, reason: 'trial_converted', trialEndsAt: null });
    expectStatus(await offer.mine('POST', `/licenses/${licenseId}/revoke`, {}), 200);
    expect((await offer.ask(fingerprint)).body.reason).toBe('trial_converted');
    expect(await offer.trials()).toEqual([]);
    const { extensionId } = offer;
    expectStatus(await world.api.post('/licensing/release', { code, extensionId, fingerprint }), 200);
    expect((await offer.ask(fingerprint)).body.reason).toBe('trial_active');
  });

  it('is offered by one plan at most, which can stop and leaves running trials as they are', async () => {
    const { extensionId, planId } = offer;
    const second = { extensionId, tier: 'team', trialDays: 7 };
    expect(await offer.mine('POST', '/plans', second)).toMatchObject({ status: 409, body: { code: 'trial_offered' } });
    const other = expectStatus(await offer.mine('POST', '/plans', { extensionId, tier: 'team' }), 201).body;
    expect(other).toMatchObject({ trialDays: null, trialNeedsEmail: false });
    const change = { trialDays: 7 };
    expect(await offer.mine('PATCH', `/plans/${other.id}`, change)).toMatchObject({
      status: 409,
      body: { code: 'trial_offered' },
    });
    expect(await offer.mine('PATCH', `/plans/${other.id}`, { trialNeedsEmail: true })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'trialNeedsEmail' }] },
    });
    for (const trialDays of [0, 366, 1.5, '7'])
      expect((await offer.mine('PATCH', `/plans/${planId}`, { trialDays })).body).toMatchObject({
        errors: [{ field: 'trialDays' }],
      });
    const running = await offer.tried();
    expectStatus(await offer.mine('PATCH', `/plans/${planId}`, { trialNeedsEmail: true }), 200);
    const none = expectStatus(await offer.mine('PATCH', `/plans/${planId}`, { trialDays: null }), 200).body;
    expect(none).toMatchObject({ trialDays: null, trialNeedsEmail: false });
    expectStatus(await offer.mine('PATCH', `/plans/${other.id}`, change), 200);
    expect((await offer.ask(running)).body).toMatchObject({ isActive: true, tier: 'pro' });
    expect((await offer.ask(randomUUID())).body).toMatchObject({ isActive: true, tier: 'team' });
    expectStatus(await offer.mine('DELETE', `/plans/${other.id}`), 204);
    expect((await offer.ask(randomUUID())).body).toMatchObject({
      isActive: false,
      reason: 'no_trial',
      tier: null,
      trialEndsAt: null,
    });
    expectStatus(await offer.mine('PATCH', `/extensions/${extensionId}`, { licensing: { enabled: false } }), 200);
    expect(await offer.ask(running)).toMatchObject({ status: 403, body: { code: 'licensing_not_enabled' } });
  });

  it('is refused to a network or an extension that has had enough of a day, which the seller sees', async () => {
    const ask = (fingerprint: string, from: string) =>
      limited.api.post(
        '/licensing/trial',
        { extensionId: offer.extensionId, fingerprint },
        { headers: { 'x-forwarded-for': from } },
      );
    const reasons = async (from: string, count: number): Promise<readonly string[]> => {
      const seen: string[] = [];
      for (let at = 0; at < count; at += 1) seen.push(expectStatus(await ask(`${from} ${at}`, from), 200).body.reason);
      return seen;
    };
    expect(await reasons('2001:db8:1:2::1', 3)).toEqual(['trial_active', 'trial_active', 'limit_reached']);
    // The same network, and then others.
    expect(await reasons('2001:db8:1:2:ffff::2', 1)).toEqual(['limit_reached']);
    expect(await reasons('192.0.2.1', 1)).toEqual(['trial_active']);
    expect(await reasons('192.0.2.2', 2)).toEqual(['trial_active', 'limit_reached']);
    expect(await reasons('2001:db8:1:2::1', 2)).toEqual(['trial_active', 'trial_active']);
    const other = await TrialOffer.open(world);
    const elsewhere = { extensionId: other.extensionId, fingerprint: 'one' };
    const headers = { 'x-forwarded-for': '2001:db8:1:2::1' };
    expect((await limited.api.post('/licensing/trial', elsewhere, { headers })).body.reason).toBe('trial_active');
    expect(await offer.summary()).toEqual({ running: 4, converted: 0, ended: 0, refused: 3, conversion: null });
    await world.forward(DAY);
    expect(await reasons('192.0.2.2', 2)).toEqual(['trial_active', 'trial_active']);
    await world.forward(40 * DAY);
    expect(await offer.summary()).toEqual({ running: 0, converted: 0, ended: 5, refused: 0, conversion: 0 });
  });

  it('is ended, prolonged, given again and deleted by the seller', async () => {
    const device = await offer.tried();
    const [tried] = await offer.trials();
    const id = tried?.id;
    const path = `/trials/${id}`;
    const until = async (endsAt: string): Promise<string> => {
      const { body } = expectStatus(await offer.mine('PATCH', path, { endsAt }), 200);
      expect((await offer.ask(device)).body.trialEndsAt).toBe(body.endsAt);
      return `${body.state} ${body.endsAt}`;
    };
    expect(await until(ahead(20 * DAY))).toBe(`running ${ahead(20 * DAY)}`);
    const now = ahead(0);
    expect(await until(ahead(-DAY))).toBe(`ended ${now}`);
    await world.forward(HOUR);
    expect(await until(ahead(-DAY))).toBe(`ended ${now}`);
    expect(await until(ahead(DAY))).toBe(`running ${ahead(DAY)}`);
    expect(await offer.mine('PATCH', path, { endsAt: ahead(366 * DAY) })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'endsAt' }] },
    });
    expect(await offer.trials('&state=running')).toMatchObject([{ id }]);
    expect(await offer.trials('&state=ended')).toEqual([]);
    expectStatus(await offer.mine('DELETE', path), 204);
    expect((await offer.mine('GET', path)).status).toBe(404);
    expect((await offer.ask(device)).body).toMatchObject({ isActive: true, trialEndsAt: ahead(14 * DAY) });
    await offer.bought(device);
    const [converted] = await offer.trials();
    expect(await offer.mine('PATCH', `/trials/${converted?.id}`, { endsAt: now })).toMatchObject({
      status: 409,
      body: { code: 'trial_converted' },
    });
    const { text } = await world.api.as({ cookie: offer.tenant.cookie }).get('/audit');
    expect(text).toContain('trial.updated');
    expect(text).toContain('trial.deleted');
  });

  it('loses label and address 90 days after its end, and still is the only one of its device', async () => {
    const device = await offer.tried({ deviceInfo: 'MARKED laptop' });
    const forget = () => world.app.get(TrialUpkeepService).forget();
    await world.forward(103 * DAY);
    await forget();
    expect(await offer.trials()).toMatchObject([{ label: 'MARKED laptop' }]);
    await world.forward(DAY);
    await forget();
    expect(await offer.trials()).toMatchObject([{ label: null, state: 'ended' }]);
    expect((await offer.ask(device)).body.reason).toBe('trial_ended');
  });
});
