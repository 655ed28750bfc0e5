import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import { DataSource, ListingsWorker, startWorld, type World } from '../support/app.js';
import { HOUR } from '../support/clock.js';
import { expectStatus, type Publishable } from '../support/given.js';
import { reviewedAtAppStore } from './reviewed.js';

const isOnServer = (process.env['TEST_DATABASE_URL'] ?? '') !== '';
const onServer = isOnServer ? it : it.skip;

const review = (id: string, change: object = {}): object => ({
  name: `reviews/${id}`,
  rating: 1,
  comment: `Text of ${id}`,
  createTime: '2026-01-31T10:00:00Z',
  ...change,
});

describe('reviews', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const read = (of = world): Promise<void> => of.app.get(ListingsWorker).tick();
  const textsOf = async ({ token }: Publishable): Promise<readonly unknown[]> =>
    expectStatus(await world.api.as({ token }).get('/reviews'), 200).body.items.map(
      ({ text }: { readonly text: unknown }) => text,
    );
  const readingOf = async ({ token, extensionId }: Publishable) =>
    expectStatus(await world.api.as({ token }).get(`/reviews/summary?extension=${extensionId}`), 200).body.readings[0];
  const lowRatingsOf = async ({ token }: Publishable): Promise<number> =>
    expectStatus(await world.api.as({ token }).get('/notifications'), 200).body.items.filter(
      ({ kind }: { readonly kind: string }) => kind === 'low_rating',
    ).length;
  /** Chrome answers whatever this is, once. */
  const saying = async (owner: Publishable, body: unknown): Promise<void> => {
    const answer = { kind: 'body', status: 200, body, times: 1 } as const;
    await world.control.fault({ itemId: owner.itemId, match: { operation: 'fetchReviews' }, ...answer });
  };

  it.each<[string, unknown, readonly (string | null)[]]>([
    ['a list of anything', { reviews: [null, 7, 'text', [], { name: 7 }, review('a')] }, ['Text of a']],
    ['the same id twice', { reviews: [review('a'), review('a', { comment: 'Another' })] }, ['Text of a']],
    [
      'stars that nobody can give',
      { reviews: [review('a', { rating: 11 }), review('b'), review('c', { rating: '1' })] },
      ['Text of b'],
    ],
    [
      'times of no clock',
      { reviews: [review('a', { createTime: 'soon' }), review('b'), review('c', { createTime: 9e99 })] },
      ['Text of b'],
    ],
    ['a time to come', { reviews: [review('a', { createTime: '9999-12-31T00:00:00Z' })] }, ['Text of a']],
    ['a time before stores', { reviews: [review('a', { createTime: '0001-01-01T00:00:00Z' })] }, ['Text of a']],
    ['names that are objects', { reviews: [review('a', { authorInfo: { displayName: {} }, comment: [] })] }, [null]],
    ['half a character', { reviews: [review('a', { comment: 'a\u0000\ud83d' })] }, ['a\ufffd']],
    ['a long text', { reviews: [review('a', { comment: '👍'.repeat(40_000) })] }, [`${'👍'.repeat(9_999)}…`]],
  ])('are read from a store that says %s', async (_, body, texts) => {
    const owner = await world.given.publishable();
    await saying(owner, body);
    await read();
    expect(await textsOf(owner)).toEqual(texts);
    expect(await readingOf(owner)).toMatchObject({ failure: null });
  });

  it.each<[string, object]>([
    ['no JSON', { kind: 'body', status: 200, body: 'reviews' }],
    ['a list', { kind: 'body', status: 200, body: [] }],
    ['reviews of another form', { kind: 'body', status: 200, body: { reviews: [{ id: 'a', stars: 5 }] } }],
    ['no list of reviews', { kind: 'body', status: 200, body: { reviews: 'none' } }],
    ['ten megabytes', { kind: 'huge-body', megabytes: 10 }],
    ['nothing', { kind: 'drop-after' }],
    [
      'pages that do not end',
      { kind: 'body', status: 200, times: 'always', body: { reviews: [review('z')], nextPageToken: 'x' } },
    ],
  ])('stay as they are when a store says %s', async (_, fault) => {
    const owner = await world.given.publishable();
    await saying(owner, { reviews: [review('a', { rating: 5 })] });
    await read();
    const { id } = await world.control.fault({
      itemId: owner.itemId,
      match: { operation: 'fetchReviews' },
      times: 1,
      ...fault,
    } as never);
    await world.forward(23 * HOUR);
    await read();
    expect(await textsOf(owner)).toEqual(['Text of a']);
    expect(await readingOf(owner)).toMatchObject({ failure: expect.any(String) });
    await world.control.clearFaults({ itemId: owner.itemId }).catch(() => id);
    await world.forward(HOUR);
    await read();
    expect(await readingOf(owner)).toMatchObject({ failure: null });
  });

  onServer('are read, and notified of, once by two processes', async () => {
    const other = await startWorld({ with: world });
    const owner = await world.given.publishable({
      reviews: [{ id: 'a', rating: 5, createTime: '2026-01-31T10:00:00Z' }],
    });
    await read();
    const calls = async () =>
      (await world.control.requests({ operation: 'fetchReviews', itemId: owner.itemId })).length;
    const before = await calls();
    await world.control.patch(owner.itemId, {
      reviews: [{ id: 'b', rating: 1, createTime: '2026-02-01T10:00:00Z' }],
    });
    await world.forward(23 * HOUR);
    await Promise.all([read(), read(other), read(), read(other)]);
    expect((await calls()) - before).toBe(1);
    expect(await lowRatingsOf(owner)).toBe(1);
    await other.close();
  });

  it('that a worker read and could not write are read again, and notified of once', async () => {
    const owner = await world.given.publishable({
      reviews: [{ id: 'a', rating: 5, createTime: '2026-01-31T10:00:00Z' }],
    });
    await read();
    await world.control.patch(owner.itemId, { reviews: [{ id: 'b', rating: 1, createTime: '2026-02-01T10:00:00Z' }] });
    await world.forward(23 * HOUR);
    const source = world.app.get(DataSource);
    // Between the answer of the store and the commit, the database refuses.
    await source.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`,
    );
    await source.query(
      `create trigger refuse before insert on event for each row when (new.kind = 'low_rating') execute function refuse()`,
    );
    await read();
    expect([await lowRatingsOf(owner), await readingOf(owner)]).toMatchObject([
      0,
      { failure: expect.stringContaining('log') },
    ]);
    expect(await textsOf(owner)).toEqual([null]);
    await source.query('drop trigger refuse on event');
    await world.forward(HOUR);
    await read();
    expect(await lowRatingsOf(owner)).toBe(1);
  });

  it('of an item that a target leaves while it is read are not written under the new one', async () => {
    const owner = await world.given.publishable({
      reviews: [{ id: 'old', rating: 5, createTime: '2026-01-31T10:00:00Z' }],
    });
    const { itemId } = await world.control.chromeItem({ publisherId: owner.publisherId });
    await world.control.fault({
      itemId: owner.itemId,
      match: { operation: 'fetchReviews' },
      kind: 'delay-after',
      ms: 1500,
      times: 1,
    });
    const asked = async () => world.control.requests({ operation: 'fetchReviews', itemId: owner.itemId });
    const reading = read();
    while ((await asked()).length === 0) await Promise.race([reading, world.api.get('/stores')]);
    const path = `/extensions/${owner.extensionId}/targets/${owner.targetId}`;
    expectStatus(await world.api.as(owner).patch(path, { storeItemId: itemId }), 200);
    await reading;
    expect(await textsOf(owner)).toEqual([]);
    await read();
    expect(await textsOf(owner)).toEqual([]);
    expect(await readingOf(owner)).toMatchObject({ readAt: expect.any(String) });
  });

  it('keep an answer that was sent while they were read', async () => {
    const owner = await world.given.publishable();
    const { appId, reviewId } = await reviewedAtAppStore(world, owner);
    const api = world.api.as(owner);
    await world.control.fault({
      itemId: appId,
      match: { operation: 'customerReviews' },
      kind: 'delay-after',
      ms: 1500,
      times: 1,
    });
    await world.forward(23 * HOUR);
    const asked = async () => world.control.requests({ operation: 'customerReviews', itemId: appId });
    const before = (await asked()).length;
    const reading = read();
    while ((await asked()).length === before) await Promise.race([reading, world.api.get('/stores')]);
    expectStatus(await api.post(`/reviews/${reviewId}/answer`, { text: 'Mended.' }), 200);
    await reading;
    expect(expectStatus(await api.get(`/reviews/${reviewId}`), 200).body.answer).toMatchObject({ text: 'Mended.' });
    const state = await new SafariControl(world.sandbox.url).state(appId);
    expect(state.customerReviews[0]?.response?.body).toBe('Mended.');
  });
});
