import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { DeliveryAttemptsService, startWorld, VERSION, type World } from '../support/app.js';
import { DAY, MINUTE } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { Receiver } from './receiver.js';
import { deliverWebhooks, Team } from './team.js';

describe('the attempts of a delivery', () => {
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

  const listening = async (wish: object = {}) => {
    const team = await Team.in(world, receiver);
    const { id } = await team.listen(wish);
    const test = (kind?: string): Promise<Answer> =>
      team.api.post(`/notifications/endpoints/${id}/test`, kind === undefined ? undefined : { kind });
    const attempts = async () => {
      const [{ id: delivery } = { id: '' }] = await team.deliveries();
      return expectStatus(await team.api.get(`/notifications/deliveries/${delivery}/attempts`), 200).body.items;
    };
    return { team, test, attempts };
  };

  it('have what was sent but the signature, what was answered, and how long it took', async () => {
    const { team, attempts } = await listening();
    team.answers(500, {}, 1);
    const began = world.clock.now().toISOString();
    await team.happens('phase_rejected', { version: '1.2.0' });
    await deliverWebhooks(world);
    await team.after(MINUTE);
    const [second, first, ...more] = await attempts();
    expect(more).toEqual([]);
    const [received] = team.received;
    expect(first).toEqual({
      id: expect.any(String),
      triedAt: began,
      durationMs: expect.any(Number),
      request: {
        url: receiver.url(team.path),
        headers: {
          'content-type': 'application/json',
          'user-agent': `Pierhead/${VERSION}`,
          'webhook-id': received?.id,
          'webhook-timestamp': received?.headers['webhook-timestamp'],
        },
        body: received?.raw,
      },
      status: 500,
      error: 'refused',
      answer: 'MARKED words of the receiver',
    });
    expect(second).toMatchObject({ status: 204, error: null, answer: null });
  });

  it('are those of one tenant, and kept for 14 days', async () => {
    const { team, test, attempts } = await listening();
    expectStatus(await test(), 201);
    await deliverWebhooks(world);
    expect(await attempts()).toHaveLength(1);
    const { id } = await team.delivery();
    const stranger = await Team.in(world, receiver);
    expectStatus(await stranger.api.get(`/notifications/deliveries/${id}/attempts`), 404);
    await world.forward(15 * DAY);
    await world.app.get(DeliveryAttemptsService).deleteOld();
    const again = await world.given.loggedIn(team.tenant);
    const path = `/notifications/deliveries/${id}/attempts`;
    expect(expectStatus(await world.api.as({ token: again.token }).get(path), 200).body.items).toEqual([]);
  });

  it('of a license name its buyer, so that who may not read licenses does not see them', async () => {
    const { team, test } = await listening();
    expectStatus(await test('license.issued'), 201);
    await deliverWebhooks(world);
    const { id } = await team.delivery();
    const publisher = await world.given.member(team.tenant, 'publisher');
    const path = `/notifications/deliveries/${id}/attempts`;
    expect(expectStatus(await world.api.as({ token: publisher.token }).get(path), 403).body.code).toBe(
      'role_not_allowed',
    );
  });

  it('name the host alone of a webhook to those who cannot change it', async () => {
    const { team, test } = await listening();
    expectStatus(await test(), 201);
    await deliverWebhooks(world);
    const { id } = await team.delivery();
    const viewer = await world.given.member(team.tenant, 'viewer');
    const seen = await world.api.as({ token: viewer.token }).get(`/notifications/deliveries/${id}/attempts`);
    const { origin } = new URL(receiver.url(team.path));
    expect(expectStatus(seen, 200).body.items).toMatchObject([{ request: { url: `${origin}/…` } }]);
    expect(seen.text).not.toContain(team.path);
  });

  it.each(['rejected', 'credential_expiring', 'license.issued', 'license.trial_started'])(
    'a test of %s has what such a notification has, and says that it is an example',
    async (kind) => {
      const { team, test } = await listening();
      expectStatus(await test(kind), 201);
      await deliverWebhooks(world);
      expect(team.received.map(({ body }) => body)).toMatchObject([
        { type: kind, data: { message: expect.stringMatching(/^Example: /), example: true } },
      ]);
      expect(await team.notifications()).toMatchObject([{ kind, example: true }]);
    },
  );

  it('a test of an unknown kind is refused', async () => {
    const { test } = await listening();
    expect(expectStatus(await test('nothing'), 400).body.errors).toMatchObject([{ field: 'kind' }]);
  });
});
