import { afterAll, beforeAll, expect, it } from 'vitest';
import { HostileReceiver } from '../notifications/hostile-receivers.js';
import { Receiver } from '../notifications/receiver.js';
import { Given, expectStatus, type Tenant } from '../support/given.js';
import { Machine } from './machine.js';

const RECEIVERS = 20;
const DELIVERED_WITHIN_MS = 5_000;
const ENDED_WITHIN_MS = 25_000;

let machine: Machine;
beforeAll(async () => {
  machine = await Machine.start();
});
afterAll(() => machine.close());

it('a service whose tenant has 20 receivers that switch protocols delivers to others within 5 s, and ends within 25 s', async () => {
  const [hostile, receiver] = await Promise.all([HostileReceiver.start('switches protocols'), Receiver.start()]);
  const { api, control } = machine.world;
  const given = new Given(api, control);
  const [tenant, other] = [await given.tenant(), await given.tenant()];
  /** Adds a webhook and sends a test to it. */
  const tell = async (whose: Tenant, url: string): Promise<void> => {
    const { id } = expectStatus(
      await api.as(whose).post('/notifications/endpoints', { kind: 'webhook', url }),
      201,
    ).body;
    expectStatus(await api.as(whose).post(`/notifications/endpoints/${id}/test`), 201);
  };
  for (let count = 0; count < RECEIVERS; count += 1) await tell(tenant, hostile.url());
  const tried = async (): Promise<number> =>
    (await api.as(tenant).get('/notifications/deliveries')).body.items.filter(
      ({ lastStatus }: { readonly lastStatus: number | null }) => lastStatus === 101,
    ).length;
  while ((await tried()) < RECEIVERS / 2);

  const arrived = receiver.next('/other');
  const toldAt = performance.now();
  await tell(other, receiver.url('/other'));
  await arrived;
  const delivery = performance.now() - toldAt;

  await machine.service.terminate();
  const terminatedAt = performance.now();
  expect(await machine.service.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  const ending = performance.now() - terminatedAt;
  expect(delivery).toBeLessThan(DELIVERED_WITHIN_MS);
  expect(ending).toBeLessThan(ENDED_WITHIN_MS);
  await Promise.all([hostile.close(), receiver.close()]);
});
