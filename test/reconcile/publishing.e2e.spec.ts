import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/app.js';
import { MINUTE } from '../support/clock.js';
import type { Publishable } from '../support/given.js';

describe('publishing to the Chrome Web Store', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const reconcile = async ({ token, extensionId }: Publishable) =>
    (await world.api.as({ token }).post(`/extensions/${extensionId}/reconcile`)).body.targets[0];

  it('drives a pushed version through the review to live', async () => {
    const mine = await world.given.publishable({ published: '1.0.0' });
    await world.given.pinned(mine, '1.1.0');

    const sent = await reconcile(mine);
    expect(sent.steps.map(({ step }: { step: string }) => step)).toEqual(['upload', 'submit', 'wait']);
    expect(sent).toMatchObject({ phase: 'in_review' });

    await world.control.act(mine.itemId, 'approve');
    await world.forward(15 * MINUTE);
    await world.tick();
    const { body } = await world.api.as(mine).get(`/extensions/${mine.extensionId}/targets/${mine.targetId}`);
    expect(body.status).toMatchObject({
      phase: 'live',
      desiredVersion: '1.1.0',
      liveVersion: '1.1.0',
      submittedVersion: null,
    });
    expect((await world.control.state(mine.itemId)).counters).toMatchObject({ uploads: 1, publishes: 1 });
  });
});
