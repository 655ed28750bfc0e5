import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { SECOND } from '../support/clock.js';
import type { Answer } from '../support/api.js';
import { Author } from './author.js';

describe('a version that is submitted again', () => {
  let world: World;
  beforeAll(async () => (world = await startWorld()));
  afterAll(() => world.close());

  const resubmit = ({ mine }: Author): Promise<Answer> =>
    world.api.as(mine).post(`/extensions/${mine.extensionId}/targets/${mine.targetId}/resubmit`);
  const rejected = async (): Promise<Author> => {
    const author = await Author.in(world, { published: '0.9.0' });
    await author.push('1.0.0');
    await author.reconcile();
    await author.act('reject');
    await author.reconcile();
    expect(await author.status()).toMatchObject({
      phase: 'rejected',
      message: expect.stringContaining('or resubmit this one'),
    });
    await world.forward(SECOND);
    return author;
  };

  it('is the same package, reviewed once more, as often as it is asked for', async () => {
    const author = await rejected();
    const { submissions } = await author.counters();
    for (let time = 1; time <= 2; time += 1) {
      expect((await resubmit(author)).status).toBe(200);
      await author.reconcile();
      expect(await author.status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.0.0' });
      expect((await author.counters()).submissions).toBe(submissions + time);
      await author.act('reject');
      await world.forward(3600 * SECOND);
      await author.reconcile();
      expect(await author.status()).toMatchObject({ phase: 'rejected' });
      await world.forward(SECOND);
    }
    expect((await author.history()).filter((what) => what === 'resubmit_requested')).toHaveLength(2);
  });

  it('goes live once the store accepts it', async () => {
    const author = await rejected();
    await resubmit(author);
    await author.reconcile();
    await author.act('approve');
    await author.reconcile();
    expect(await author.status()).toMatchObject({ phase: 'live', liveVersion: '1.0.0' });
  });

  it('is refused while nothing has failed, and without a pinned version', async () => {
    const author = await Author.in(world, { published: '0.9.0' });
    const refusal = { status: 409, body: { code: 'nothing_to_resubmit' } };
    expect(await resubmit(author)).toMatchObject(refusal);
    await author.push('1.0.0');
    await author.reconcile();
    expect(await resubmit(author)).toMatchObject(refusal);
    expect((await author.counters()).submissions).toBe(1);
  });
});
