import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TrialOffer } from '../licensing/trials/trials.js';
import { DataSource, startWorld, TrialUpkeepService, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { Receiver, type Received } from './receiver.js';
import { deliverWebhooks } from './team.js';

const KINDS = ['license.trial_started', 'license.trial_ended'];

describe('what happens to a trial', () => {
  let receiver: Receiver;
  let world: World;
  let other: World;
  beforeAll(async () => {
    receiver = await Receiver.start();
    world = await startWorld();
    other = await startWorld({ with: world });
  });
  afterAll(async () => {
    await other.close();
    await world.close();
    await receiver.close();
  });

  const trialIn = ({ body }: Received) => (body.data as unknown as { trial: Record<string, unknown> }).trial;
  const listen = async (offer: TrialOffer, wish: object = {}) => {
    const path = `/${randomUUID()}`;
    const body = { kind: 'webhook', url: receiver.url(path), events: KINDS, ...wish };
    expectStatus(await offer.mine('POST', '/notifications/endpoints', body), 201);
    const received = async (): Promise<readonly Received[]> => {
      await deliverWebhooks(world);
      return receiver.at(path).toSorted((one, next) => (one.id < next.id ? -1 : 1));
    };
    const kinds = async (): Promise<readonly string[]> =>
      (await received()).map((one) => `${one.body.type.slice(14)} ${String(trialIn(one)['reason'])}`);
    return { received, kinds };
  };
  /** Two processes look for ended trials at once, and again. */
  const look = async (): Promise<void> => {
    for (const _ of [1, 2]) await Promise.all([world, other].map(({ app }) => app.get(TrialUpkeepService).tellEnded()));
  };

  it('is told when it begins, and once when its time is over, without a device', async () => {
    const offer = await TrialOffer.open(world);
    const { received, kinds } = await listen(offer);
    const fingerprint = await offer.tried({ deviceInfo: 'MARKED laptop' });
    expectStatus(await offer.ask(fingerprint), 200);
    const [started] = await received();
    const [trial] = await offer.trials();
    const shown = { id: trial?.id, startedAt: trial?.startedAt, endsAt: trial?.endsAt };
    expect(started?.body).toMatchObject({
      type: 'license.trial_started',
      data: { message: 'Trial (pro) has begun on a device.' },
    });
    expect(started?.body.data).not.toHaveProperty('license');
    expect(trialIn(started as Received)).toEqual({
      ...shown,
      planId: offer.planId,
      tier: 'pro',
      email: null,
      licenseId: null,
      reason: null,
    });
    await look();
    await world.forward(14 * DAY);
    await look();
    expect(await kinds()).toEqual(['started null', 'ended time']);
    const said = JSON.stringify(await received());
    expect(said).not.toContain(fingerprint);
    expect(said).not.toContain('MARKED');
    const { items } = expectStatus(await offer.mine('GET', '/notifications'), 200).body;
    expect(items).toMatchObject([{ trialId: shown.id, licenseId: null }, { trialId: shown.id }]);
  });

  it('is told once when a code, the seller or a deletion ends it', async () => {
    const offer = await TrialOffer.open(world);
    const { kinds, received } = await listen(offer);
    const device = await offer.tried();
    const { licenseId } = await offer.bought(device);
    expect(await kinds()).toEqual(['started null', 'ended converted']);
    expect(trialIn((await received())[1] as Received)['licenseId']).toBe(licenseId);
    await offer.tried();
    const [second] = await offer.trials();
    const path = `/trials/${second?.id}`;
    const until = async (ms: number) => {
      const endsAt = new Date(world.clock.now().getTime() + ms).toISOString();
      expectStatus(await offer.mine('PATCH', path, { endsAt }), 200);
    };
    await until(-1);
    await until(-1);
    await until(DAY);
    await world.forward(2 * DAY);
    await look();
    await until(DAY);
    expectStatus(await offer.mine('DELETE', path), 204);
    await world.forward(20 * DAY);
    await look();
    expect((await kinds()).slice(2)).toEqual(['started null', 'ended tenant', 'ended time', 'ended erasure']);
  });

  it('goes to endpoints that its extension and plan concern, and leaves nothing where nobody listens', async () => {
    const offer = await TrialOffer.open(world);
    const second = await TrialOffer.open(world, { tier: 'team' }, offer.tenant);
    const byPlan = await listen(offer, { planIds: [second.planId] });
    const byTier = await listen(offer, { tiers: ['pro'] });
    const silent = await TrialOffer.open(world);
    for (const each of [offer, second, silent]) await each.tried();
    expect((await byPlan.received()).map((one) => trialIn(one)['planId'])).toEqual([second.planId]);
    expect((await byTier.received()).map((one) => trialIn(one)['planId'])).toEqual([offer.planId]);
    const text = 'select id from notification where tenant_id = $1';
    expect(await world.app.get(DataSource).query(text, [silent.tenant.tenantId])).toEqual([]);
  });
});
