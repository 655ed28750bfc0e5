import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import { reviewedAtAppStore } from '../listings/reviewed.js';
import { expectStatus, Given } from '../support/given.js';
import { Machine } from './machine.js';

describe('an answer to a review whose process is killed', () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await Machine.start();
  });
  afterAll(() => machine.close());

  it.each([
    ['before the store hears of it', 'before', null],
    ['once the store has it', 'after', { text: 'Mended.', state: 'pending' }],
  ] as const)('%s is known as the store has it, and stands once when it is sent again', async (_, side, known) => {
    const { api, control, sandbox } = machine.world;
    const given = new Given(api, control);
    const owner = await given.tenant();
    const { reviewId, appId } = await reviewedAtAppStore({ api, given, sandbox }, owner);
    const path = `/reviews/${reviewId}`;
    const held = machine.gate.hold('/v1/customerReviewResponses', side);
    const lost = api
      .as(owner)
      .post(`${path}/answer`, { text: 'Mended.' })
      .catch(() => null);
    await (side === 'before' ? held.reached : held.acted);
    await machine.restart({ afterMinutes: 6 });
    await lost;
    const answer = async () => expectStatus(await machine.world.api.as(owner).get(path), 200).body.answer;
    let found = await answer();
    while (found?.state === 'sending') found = await answer();
    expect(found).toEqual(known);
    const again = await machine.world.api.as(owner).post(`${path}/answer`, { text: 'Mended.' });
    expect(expectStatus(again, 200).body.answer).toEqual({ text: 'Mended.', state: 'pending' });
    const { customerReviews } = await new SafariControl(sandbox.url).state(appId);
    expect(customerReviews[0]?.response).toMatchObject({ body: 'Mended.' });
    held.open();
  });
});
