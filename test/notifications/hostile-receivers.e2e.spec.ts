import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { HABITS, HostileReceiver } from './hostile-receivers.js';
import { Receiver } from './receiver.js';
import { deliverWebhooks, Team } from './team.js';

/** As many as a tenant may have. */
const RECEIVERS = 20;

describe('a receiver of webhooks that', () => {
  let receiver: Receiver;
  let world: World;
  beforeAll(async () => {
    receiver = await Receiver.start();
    world = await startWorld();
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  it.each(Object.keys(HABITS) as (keyof typeof HABITS)[])(
    '%s delays no other receiver, and is retried',
    async (habit) => {
      const hostile = await HostileReceiver.start(habit);
      const [tenant, other] = [await Team.in(world, receiver), await Team.in(world, receiver)];
      for (let count = 0; count < RECEIVERS; count += 1) await tenant.listen({ url: hostile.url() });
      await tenant.happens('phase_rejected');
      await other.listen();
      await other.happens('phase_rejected');
      await deliverWebhooks(world);
      expect(other.received).toHaveLength(1);
      const deliveries = await tenant.deliveries();
      expect(deliveries).toHaveLength(RECEIVERS);
      const outcome =
        habit === 'switches protocols'
          ? { lastStatus: 101, lastError: 'refused' }
          : { lastStatus: null, lastError: 'network' };
      for (const delivery of deliveries) expect(delivery).toMatchObject({ status: 'waiting', attempts: 1, ...outcome });
      await hostile.close();
    },
  );

  it('never answers delays no other receiver, however many of them a tenant has', async () => {
    const hostile = await HostileReceiver.start('silent');
    const [tenant, other] = [await Team.in(world, receiver), await Team.in(world, receiver)];
    for (let count = 0; count < RECEIVERS; count += 1) await tenant.listen({ url: hostile.url() });
    await tenant.happens('phase_rejected');
    await other.listen();
    await other.happens('phase_rejected');
    const arrived = receiver.next(other.path);
    const delivering = deliverWebhooks(world);
    await arrived;
    expect(other.received).toHaveLength(1);
    expect(hostile.held).toBeLessThanOrEqual(4);
    expect(await tenant.deliveries('?status=waiting')).toHaveLength(RECEIVERS);
    await hostile.close();
    await delivering;
  });
});
