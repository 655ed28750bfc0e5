import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreStep, SubmitOptions } from '../../src/stores/index.js';
import { known, DEFAULT_SUBMIT_OPTIONS, UNKNOWN } from '../support/app.js';
import type { TestControl } from '../support/keys.js';
import { chromeBench } from './chrome-bench.js';
import type { StoreBench } from './store-bench.js';

describe('the Chrome Web Store beyond the contract', () => {
  let bench: StoreBench;
  let control: TestControl;
  beforeAll(async () => {
    ({ bench, control } = await chromeBench('service account'));
  });
  afterAll(() => bench.close());

  const begin = async (knobs: object, live = '1.0.0') => {
    const owner = await bench.owner();
    const item = await bench.item(owner, { live });
    await control.patch(item.storeItemId, knobs);
    return {
      id: item.storeItemId,
      observe: () => bench.store.observe(owner.credentials, item),
      carryOut: (step: StoreStep) => bench.store.carryOut(owner.credentials, item, step, 'key'),
      submit: (how: Partial<SubmitOptions>) =>
        bench.store.carryOut(
          owner.credentials,
          item,
          { step: 'submit', version: '1.1.0', ...DEFAULT_SUBMIT_OPTIONS, ...how },
          'key',
        ),
      fault: (operation: string) =>
        control.fault({ itemId: item.storeItemId, match: { operation }, kind: 'drop-after' }),
      counters: async () => (await control.state(item.storeItemId)).counters,
    };
  };

  it('starts with a share of users, which can only rise', async () => {
    const { id, submit, observe, carryOut, fault, counters } = await begin({ draft: '1.1.0', weeklyUsers: 20_000 });
    await submit({ rolloutPercent: 5 });
    await control.act(id, 'approve');
    expect(await observe()).toMatchObject({ live: known('1.1.0'), rolloutPercent: 5 });
    const to = (percent: number) => carryOut({ step: 'rollout', version: '1.1.0', percent });
    await fault('rollout');
    await expect(to(50)).rejects.toMatchObject({ kind: 'retry' });
    expect(await to(50)).toMatchObject({ outcome: 'done' });
    await expect(to(20)).rejects.toMatchObject({ kind: 'config' });
    await control.patch(id, { weeklyUsers: 9_999 });
    await expect(to(60)).rejects.toMatchObject({ kind: 'config', message: expect.stringContaining('10,000') });
    await control.patch(id, { weeklyUsers: 20_000 });
    expect(await to(100)).toMatchObject({ outcome: 'done' });
    expect(await observe()).toMatchObject({ rolloutPercent: null });
    expect((await counters()).rollouts).toBe(2);
  });

  it('skips the review of updates that qualify, and submits others for review', async () => {
    const quick = await begin({ draft: '1.1.0', skipReviewQualifies: true });
    await quick.submit({ skipReview: true });
    expect(await quick.observe()).toMatchObject({ live: known('1.1.0') });
    const slow = await begin({ draft: '1.1.0' });
    const { note } = await slow.submit({ skipReview: true });
    expect(note).toContain('does not qualify');
    expect(await slow.counters()).toMatchObject({ publishes: 1, submissions: 1, refused: 1 });
  });

  it('waits after its approval, and is released once', async () => {
    const { id, submit, observe, carryOut } = await begin({ draft: '1.1.0' });
    await submit({ staged: true });
    await control.act(id, 'approve');
    expect(await observe()).toMatchObject({
      live: known('1.0.0'),
      submission: known({ version: '1.1.0', state: 'approved' }),
    });
    await carryOut({ step: 'release', version: '1.1.0' });
    expect(await observe()).toMatchObject({ live: known('1.1.0') });
  });

  it('rolls back once, even when the answer is lost', async () => {
    const { id, observe, carryOut, counters } = await begin({ published: '1.1.0' });
    const back = () => carryOut({ step: 'rollback', version: '1.2.0', to: '1.0.0', reason: 'It broke.' });
    await control.fault({ itemId: id, match: { operation: 'rollback' }, kind: 'drop-after', skip: 1 });
    await expect(back()).rejects.toMatchObject({ kind: 'retry' });
    expect(await observe()).toMatchObject({ live: known('1.2.0') });
    expect(await back()).toMatchObject({ outcome: 'done' });
    expect((await counters()).rollbacks).toBe(1);
  });

  it.each(['absent', 'unimplemented'])('explains that the rollback method is %s', async (rollbackMethod) => {
    const { carryOut, counters } = await begin({ published: '1.1.0', rollbackMethod });
    const asked = carryOut({ step: 'rollback', version: '1.2.0', to: '1.0.0', reason: 'It broke.' });
    const message = expect.stringContaining('does not offer a rollback');
    await expect(asked).rejects.toMatchObject({ kind: 'config', message });
    expect((await counters()).rollbacks).toBe(0);
  });

  it('reads the live version from the update service', async () => {
    const { id, observe } = await begin({});
    const publishedItemRevisionStatus = { state: 'BEING_PONDERED', distributionChannels: [{ crxVersion: '1.0.0' }] };
    const body = { itemId: id, publishedItemRevisionStatus };
    await control.fault({ itemId: id, match: { operation: 'fetchStatus' }, kind: 'body', body, times: 2 });
    expect((await observe()).live).toEqual(known('1.0.0'));
    await control.patch(id, { visibility: 'private' });
    expect((await observe()).live).toEqual(UNKNOWN);
  });
});
