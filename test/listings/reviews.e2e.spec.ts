import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FirefoxControl } from '../../sandbox/firefox/firefox-control.js';
import { DataSource, ListingsWorker, ReviewsReader, startWorld, type World } from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { expectStatus, type Publishable } from '../support/given.js';
import { SafariControl } from '../../sandbox/safari/safari-control.js';

const byText = (one: string, other: string): number => (one < other ? -1 : 1);

type Owner = Pick<Publishable, 'token' | 'extensionId'>;
interface Shown {
  readonly id: string;
  readonly text: string | null;
  readonly [member: string]: unknown;
}

describe('reviews', () => {
  let world: World;
  let safari: SafariControl;
  let firefox: FirefoxControl;
  beforeAll(async () => {
    world = await startWorld();
    safari = new SafariControl(world.sandbox.url);
    firefox = new FirefoxControl(world.sandbox.url);
  });
  afterAll(() => world.close());

  const read = (): Promise<void> => world.app.get(ListingsWorker).tick();
  const readNextDay = async (): Promise<void> => {
    await world.forward(23 * HOUR);
    await read();
  };
  const ago = (ms: number): string => new Date(world.clock.now().getTime() - ms).toISOString();
  const written = (id: string, rating: number, more: object = {}): object => ({
    id,
    rating,
    comment: `Text of ${id}`,
    author: `Author of ${id}`,
    createTime: ago(HOUR),
    ...more,
  });
  const listOf = async ({ token }: Pick<Owner, 'token'>, query = ''): Promise<readonly Shown[]> =>
    expectStatus(await world.api.as({ token }).get(`/reviews${query}`), 200).body.items;
  const summaryOf = async ({ token, extensionId }: Owner) =>
    expectStatus(await world.api.as({ token }).get(`/reviews/summary?extension=${extensionId}`), 200).body;
  const notesOf = async ({ token }: Pick<Owner, 'token'>): Promise<readonly { kind: string; message: string }[]> =>
    expectStatus(await world.api.as({ token }).get('/notifications'), 200).body.items.filter(
      ({ kind }: { readonly kind: string }) => kind === 'low_rating',
    );

  /** A target at another store than Chrome, complete. */
  const targetAt = async (owner: Publishable, store: string, storeItemId: string, credentials: object, more = {}) => {
    const api = world.api.as(owner);
    const { id: credentialId } = expectStatus(await api.post('/credentials', { store, credentials }), 201).body;
    const targetId = await world.given.targetOf(owner, owner.extensionId, store);
    const path = `/extensions/${owner.extensionId}/targets/${targetId}`;
    expectStatus(await api.patch(path, { storeItemId, credentialId, enabled: true, ...more }), 200);
    return { targetId, path };
  };
  const atSafari = async (customerReviews: readonly object[], options: object = {}) => {
    const owner = await world.given.publishable();
    const { teamId: _team, ...credentials } = await safari.key(options);
    const { appId } = await safari.app({ issuerId: credentials.issuerId ?? '', customerReviews });
    const target = await targetAt(owner, 'safari', appId, credentials);
    await read();
    return { owner, appId, keyId: credentials.keyId, ...target, api: world.api.as(owner) };
  };
  /** No two apps have a review of the same id. */
  const apple = (id: string, rating: number, more: object = {}): object => ({
    id: randomUUID(),
    rating,
    title: `Title of ${id}`,
    body: `Text of ${id}`,
    nickname: 'Ann',
    territory: 'CHE',
    createdDate: ago(HOUR),
    ...more,
  });

  it('are read from Chrome, newest first, with what it tells of each', async () => {
    const owner = await world.given.publishable({
      reviews: [
        written('old', 5, { createTime: ago(3 * DAY) }),
        written('new', 1),
        { id: 'bare', rating: 3, createTime: ago(DAY) },
      ],
    });
    await read();
    const items = await listOf(owner);
    expect(items.map(({ text }) => text)).toEqual(['Text of new', null, 'Text of old']);
    expect(items[0]).toMatchObject({
      extensionId: owner.extensionId,
      targetId: owner.targetId,
      store: 'chrome',
      stars: 1,
      title: null,
      author: 'Author of new',
      version: null,
      territory: null,
      writtenAt: ago(HOUR),
      editedAt: null,
      readAt: null,
      answer: null,
      isAnswerable: false,
      listingUrl: expect.stringContaining(owner.itemId),
      answerUrl: expect.stringContaining(owner.itemId),
    });
    expect(await summaryOf(owner)).toEqual({
      unread: 3,
      unreadLow: 1,
      readings: [
        {
          targetId: owner.targetId,
          extensionId: owner.extensionId,
          store: 'chrome',
          isTold: true,
          readAt: world.clock.now().toISOString(),
          failure: null,
        },
      ],
    });
  });

  it('are read from Firefox without a key, with their versions and answers', async () => {
    const owner = await world.given.publishable();
    const credentials = await firefox.firefoxAccount();
    const ratings = [
      { id: 11, score: 4, body: 'Good', user: 'Ben', version: '1.0.0', created: ago(HOUR), reply: 'Thanks' },
      { id: 12, score: 2, body: null, created: ago(2 * HOUR) },
    ];
    const { guid } = await firefox.addon({ issuer: credentials.issuer, live: '1.0.0', ratings } as never);
    await targetAt(owner, 'firefox', guid, credentials);
    await read();
    const items = await listOf(owner);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      store: 'firefox',
      stars: 4,
      text: 'Good',
      author: 'Ben',
      version: '1.0.0',
      answer: { text: 'Thanks', state: 'published' },
      answerUrl: `https://addons.mozilla.org/addon/${encodeURIComponent(guid)}/reviews/11/`,
    });
    const [call] = await world.control.requests({ operation: 'ratings', itemId: guid });
    expect(JSON.stringify(call)).not.toContain(credentials.issuer);
  });

  it('of self-distributed versions do not exist, and nobody is asked', async () => {
    const owner = await world.given.publishable();
    const credentials = await firefox.firefoxAccount();
    const ratings = [{ id: 21, score: 4, body: 'Good', created: ago(HOUR) }];
    const { guid } = await firefox.addon({ issuer: credentials.issuer, live: '1.0.0', ratings } as never);
    await targetAt(owner, 'firefox', guid, credentials);
    await read();
    expect(await listOf(owner)).toHaveLength(1);
    const { targets } = expectStatus(
      await world.api.as(owner).get(`/extensions/${owner.extensionId}/targets`),
      200,
    ).body;
    const { id } = targets.find(({ store }: { readonly store: string }) => store === 'firefox');
    const path = `/extensions/${owner.extensionId}/targets/${id}`;
    expectStatus(await world.api.as(owner).patch(path, { channel: 'unlisted' }), 200);
    await read();
    expect(await listOf(owner)).toEqual([]);
    expect(await world.control.requests({ operation: 'ratings', itemId: guid })).toHaveLength(1);
  });

  it('of an add-on that is not public yet are unknown, and nothing fails', async () => {
    const owner = await world.given.publishable();
    const credentials = await firefox.firefoxAccount();
    const { guid } = await firefox.addon({ issuer: credentials.issuer });
    const { targetId } = await targetAt(owner, 'firefox', guid, credentials);
    await read();
    const { readings } = await summaryOf(owner);
    expect(readings.find((one: { readonly targetId: string }) => one.targetId === targetId)).toMatchObject({
      readAt: null,
      failure: null,
    });
  });

  it('of an app are those of all platforms, with their answers', async () => {
    const response = { body: 'Thanks', state: 'PENDING_PUBLISH' };
    const { owner } = await atSafari([apple('a1', 2, { response }), apple('a2', 5)]);
    const items = await listOf(owner);
    expect(items).toHaveLength(2);
    expect(items.find(({ text }) => text === 'Text of a1')).toMatchObject({
      store: 'safari',
      title: 'Title of a1',
      author: 'Ann',
      territory: 'CHE',
      answer: { text: 'Thanks', state: 'pending' },
      isAnswerable: true,
    });
  });

  it('come in pages, of which the newest thousand are kept', async () => {
    const reviews = Array.from({ length: 1010 }, (_, at) =>
      written(`r${at}`, 4, { createTime: ago(DAY + at * MINUTE) }),
    );
    const owner = await world.given.publishable({ reviews });
    await read();
    expect((await summaryOf(owner)).unread).toBe(1000);
    const first = expectStatus(await world.api.as(owner).get('/reviews?limit=2'), 200).body;
    const second = expectStatus(await world.api.as(owner).get(`/reviews?limit=2&cursor=${first.nextCursor}`), 200).body;
    expect([...first.items, ...second.items].map(({ text }: Shown) => text)).toEqual(
      ['r0', 'r1', 'r2', 'r3'].map((id) => `Text of ${id}`),
    );
    // A newer one displaces the oldest, of which nobody knows any more whether it stands.
    await world.control.patch(owner.itemId, { reviews: [...reviews, written('newest', 5)] });
    await readNextDay();
    expect((await summaryOf(owner)).unread).toBe(1000);
    expect((await listOf(owner, '?limit=1'))[0]).toMatchObject({ text: 'Text of newest' });
    // One that comes back into view because another went is no news.
    await world.control.patch(owner.itemId, {
      reviews: reviews.slice(2).map((one) => ({ ...one, rating: 1 })),
    });
    const before = (await notesOf(owner)).length;
    await readNextDay();
    expect((await notesOf(owner)).length - before).toBe(1);
  }, 60_000);

  it('can be filtered, counted and marked as read', async () => {
    const owner = await world.given.publishable({ reviews: [written('a', 1), written('b', 2), written('c', 5)] });
    const other = await world.given.publishable({ reviews: [written('d', 1)] }, owner);
    await read();
    const api = world.api.as(owner);
    const texts = async (query: string) =>
      (await listOf(owner, query)).map(({ text }) => String(text).slice(-1)).toSorted(byText);
    expect(await texts('')).toEqual(['a', 'b', 'c', 'd']);
    expect(await texts(`?extension=${owner.extensionId}`)).toEqual(['a', 'b', 'c']);
    expect(await texts(`?extension=${owner.extensionId}&maxStars=2`)).toEqual(['a', 'b']);
    expect(await texts('?store=firefox')).toEqual([]);
    expect(await texts('?answered=true')).toEqual([]);
    expect(await texts('?answered=false')).toEqual(['a', 'b', 'c', 'd']);
    const [first] = await listOf(owner, `?extension=${owner.extensionId}&maxStars=1`);
    const marked = expectStatus(await api.post(`/reviews/${first?.id}/read`), 200).body;
    expect(marked.readAt).toBe(world.clock.now().toISOString());
    expect(expectStatus(await api.post(`/reviews/${first?.id}/read`), 200).body).toEqual(marked);
    expect(await texts('?unread=true')).toEqual(['b', 'c', 'd']);
    expect(await texts('?unread=false')).toEqual(['a']);
    expect(await summaryOf(owner)).toMatchObject({ unread: 2, unreadLow: 1 });
    expectStatus(await api.post(`/reviews/${first?.id}/unread`), 200);
    expect(expectStatus(await api.post('/reviews/read', { extensionId: owner.extensionId }), 200).body).toEqual({
      count: 3,
    });
    expect(await texts('?unread=true')).toEqual(['d']);
    expect((await summaryOf(other)).unread).toBe(1);
    expect(expectStatus(await api.post('/reviews/read', { store: 'chrome' }), 200).body).toEqual({ count: 1 });
  });

  it('that their users edit are updated, and unread again; what else changes is not news', async () => {
    const owner = await world.given.publishable({ reviews: [written('a', 5), written('b', 5)] });
    await read();
    expectStatus(await world.api.as(owner).post('/reviews/read'), 200);
    const [createTime] = [ago(HOUR)];
    await world.control.patch(owner.itemId, {
      reviews: [
        written('a', 4, { comment: 'Worse now', createTime }),
        written('b', 5, { author: 'Renamed', createTime }),
      ],
    });
    await readNextDay();
    const items = await listOf(owner);
    expect(items.find(({ text }) => text === 'Worse now')).toMatchObject({
      stars: 4,
      readAt: null,
      editedAt: world.clock.now().toISOString(),
    });
    expect(items.find(({ text }) => text === 'Text of b')).toMatchObject({
      author: 'Renamed',
      readAt: expect.any(String),
      editedAt: null,
    });
  });

  it('that the store no longer lists are gone with what people wrote, and are recognized when they come back', async () => {
    const [kept, gone] = [written('kept', 5), written('gone', 1)];
    const owner = await world.given.publishable({ reviews: [kept, gone] });
    await read();
    expectStatus(await world.api.as(owner).post('/reviews/read'), 200);
    const [{ id } = { id: '' }] = await listOf(owner, '?maxStars=1');
    await world.control.patch(owner.itemId, { reviews: [kept] });
    await readNextDay();
    expect((await listOf(owner)).map(({ text }) => text)).toEqual(['Text of kept']);
    expect(await world.api.as(owner).get(`/reviews/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'review_not_found' },
    });
    const rowOf = async () =>
      (await world.app.get(DataSource).query('select * from store_review where id = $1', [id]))[0];
    expect(await rowOf()).toMatchObject({ title: null, text: null, author: null, answer: null });
    await world.control.patch(owner.itemId, { reviews: [kept, gone] });
    await readNextDay();
    expect((await listOf(owner, '?maxStars=1'))[0]).toMatchObject({
      id,
      text: 'Text of gone',
      readAt: expect.any(String),
    });
    expect(await notesOf(owner)).toEqual([]);
    await world.control.patch(owner.itemId, { reviews: [] });
    await readNextDay();
    await world.forward(91 * DAY);
    await world.app.get(ReviewsReader).deleteOld();
    expect(await rowOf()).toBeUndefined();
  });

  it('of an item that is no longer read are gone after a month, and begin anew', async () => {
    const owner = await world.given.publishable({ reviews: [written('a', 1)] });
    await read();
    expectStatus(
      await world.api.as(owner).patch(`/extensions/${owner.extensionId}/targets/${owner.targetId}`, { enabled: false }),
      200,
    );
    await world.forward(29 * DAY);
    await world.app.get(ReviewsReader).deleteOld();
    expect(await listOf(owner)).toHaveLength(1);
    await world.forward(2 * DAY);
    await world.app.get(ReviewsReader).deleteOld();
    expect(await listOf(owner)).toEqual([]);
    expectStatus(
      await world.api.as(owner).patch(`/extensions/${owner.extensionId}/targets/${owner.targetId}`, { enabled: true }),
      200,
    );
    await read();
    expect(await listOf(owner)).toHaveLength(1);
    expect(await notesOf(owner)).toEqual([]);
  });

  it('of another item do not stand under a target that was pointed at a new one', async () => {
    const owner = await world.given.publishable({ reviews: [written('old', 5)] });
    await read();
    const { itemId } = await world.control.chromeItem({
      publisherId: owner.publisherId,
      reviews: [written('old', 1, { comment: 'Of the other item' })],
    });
    const path = `/extensions/${owner.extensionId}/targets/${owner.targetId}`;
    expectStatus(await world.api.as(owner).patch(path, { storeItemId: itemId }), 200);
    expect(await listOf(owner)).toEqual([]);
    await read();
    expect((await listOf(owner)).map(({ text }) => text)).toEqual(['Of the other item']);
    expect(await notesOf(owner)).toEqual([]);
  });

  it('say why they are missing', async () => {
    const owner = await world.given.publishable({ reviews: [written('a', 1)] });
    await world.control.fault({
      itemId: owner.itemId,
      match: { operation: 'fetchReviews' },
      kind: 'status',
      status: 403,
      times: 1,
    });
    await read();
    expect((await summaryOf(owner)).readings[0]).toMatchObject({
      readAt: null,
      failure: expect.stringMatching(/permission/i),
    });
    await world.forward(6 * HOUR);
    await read();
    expect((await summaryOf(owner)).readings[0]).toMatchObject({ failure: null });
  });

  describe('with two stars or fewer', () => {
    it('are delivered, and stand in the timeline, with none of what was written', async () => {
      const owner = await world.given.publishable({ reviews: [written('a', 5)] });
      const hook = await world.api.as(owner).post('/notifications/endpoints', {
        kind: 'webhook',
        url: 'http://127.0.0.1:9/',
        events: ['low_rating'],
      });
      expectStatus(hook, 201);
      await read();
      await world.control.patch(owner.itemId, { reviews: [written('b', 1)] });
      await readNextDay();
      const { items } = expectStatus(await world.api.as(owner).get('/notifications/deliveries'), 200).body;
      expect(items).toMatchObject([{ kind: 'low_rating' }]);
      const events = expectStatus(await world.api.as(owner).get(`/extensions/${owner.extensionId}/events`), 200).body
        .items;
      const told = events.filter(({ kind }: { readonly kind: string }) => kind === 'low_rating');
      expect(told).toMatchObject([{ targetId: owner.targetId, data: { stars: [1] } }]);
      expect(JSON.stringify(told)).not.toMatch(/Author of|Text of/);
    });

    it('are notified once, several of one reading together, and none of the first', async () => {
      const first = [written('a', 1)];
      const owner = await world.given.publishable({ reviews: first });
      await read();
      expect(await notesOf(owner)).toEqual([]);
      const more = [...first, written('b', 2), written('c', 1), written('d', 3)];
      await world.control.patch(owner.itemId, { reviews: more });
      await readNextDay();
      await readNextDay();
      const notes = await notesOf(owner);
      expect(notes.map(({ message }) => message)).toEqual(['Chrome Web Store: 2 new reviews have two stars or fewer.']);
      expect(JSON.stringify(notes)).not.toMatch(/Author of|Text of/);
    });

    it('are notified when somebody takes stars away', async () => {
      const owner = await world.given.publishable({ reviews: [written('a', 5)] });
      await read();
      await world.control.patch(owner.itemId, { reviews: [written('a', 1)] });
      await readNextDay();
      expect(await notesOf(owner)).toMatchObject([{ message: 'Chrome Web Store: a new review has one star.' }]);
    });
  });

  describe('are answered', () => {
    const theReview = async (owner: Owner) => (await listOf(owner))[0] ?? { id: '', text: '' };

    it('at the App Store, once however often it is asked', async () => {
      const { owner, api, appId } = await atSafari([apple('a', 2)]);
      const { id } = await theReview(owner);
      const answers = await Promise.all([1, 2].map(() => api.post(`/reviews/${id}/answer`, { text: 'Mended.' })));
      for (const answer of answers) expectStatus(answer, 200);
      const shown = expectStatus(await api.post(`/reviews/${id}/answer`, { text: 'Mended.' }), 200).body;
      expect(shown.answer).toEqual({ text: 'Mended.', state: 'pending' });
      const state = await safari.state(appId);
      expect(state.customerReviews[0]?.response).toMatchObject({ body: 'Mended.' });
      expect(state.counters.responses).toBeLessThanOrEqual(2);
      expect(await listOf(owner, '?answered=true')).toHaveLength(1);
      // It is read again soon, not only the next day.
      await safari.act(appId, 'publish-responses');
      await world.forward(5 * MINUTE);
      await read();
      expect((await theReview(owner)).answer).toEqual({ text: 'Mended.', state: 'published' });
      const replaced = expectStatus(await api.post(`/reviews/${id}/answer`, { text: 'Mended in 1.1.' }), 200).body;
      expect(replaced.answer).toEqual({ text: 'Mended in 1.1.', state: 'pending' });
      expectStatus(await api.delete(`/reviews/${id}/answer`), 204);
      expectStatus(await api.delete(`/reviews/${id}/answer`), 204);
      expect((await theReview(owner)).answer).toBeNull();
      expect((await safari.state(appId)).customerReviews[0]?.response).toBeNull();
    });

    it('though the reply of the store is lost: the answer stands once, and Pierhead finds it', async () => {
      const { owner, api, appId } = await atSafari([apple('a', 2)]);
      const { id } = await theReview(owner);
      await world.control.fault({ itemId: appId, match: { operation: 'respond' }, kind: 'drop-after', times: 1 });
      expect(await api.post(`/reviews/${id}/answer`, { text: 'Mended.' })).toMatchObject({
        status: 503,
        body: { code: 'review_answer_unconfirmed' },
      });
      expect((await theReview(owner)).answer).toEqual({ text: 'Mended.', state: 'sending' });
      await world.forward(5 * MINUTE);
      await read();
      expect((await theReview(owner)).answer).toEqual({ text: 'Mended.', state: 'pending' });
      await world.control.fault({
        itemId: appId,
        match: { operation: 'deleteResponse' },
        kind: 'drop-after',
        times: 1,
      });
      expectStatus(await api.delete(`/reviews/${id}/answer`), 503);
      expect((await theReview(owner)).answer).toMatchObject({ state: 'withdrawing' });
      expectStatus(await api.delete(`/reviews/${id}/answer`), 204);
      expect((await theReview(owner)).answer).toBeNull();
    });

    it('and one that never arrived is not shown as if it had', async () => {
      const { owner, api, appId } = await atSafari([apple('a', 2)]);
      const { id } = await theReview(owner);
      await world.control.fault({ itemId: appId, match: { operation: 'respond' }, kind: 'drop-before', times: 1 });
      expectStatus(await api.post(`/reviews/${id}/answer`, { text: 'Mended.' }), 503);
      await world.forward(5 * MINUTE);
      await read();
      expect((await theReview(owner)).answer).toBeNull();
    });

    it('unless the store refuses, and then what was there remains', async () => {
      const { owner, api } = await atSafari([apple('a', 2, { response: { body: 'First' } })], { role: 'DEVELOPER' });
      const { id } = await theReview(owner);
      expect(await api.post(`/reviews/${id}/answer`, { text: 'Second' })).toMatchObject({
        status: 422,
        body: { code: 'review_answer_refused' },
      });
      expect((await theReview(owner)).answer).toEqual({ text: 'First', state: 'published' });
      expect(await api.post(`/reviews/${id}/answer`, { text: 'x'.repeat(5971) })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'text' }] },
      });
    });

    it('elsewhere by people alone, who are told where', async () => {
      const owner = await world.given.publishable({ reviews: [written('a', 1)] });
      await read();
      const { id, answerUrl } = await theReview(owner);
      const api = world.api.as(owner);
      const refusal = { status: 409, body: { code: 'review_answers_unsupported', answerUrl } };
      expect(await api.post(`/reviews/${id}/answer`, { text: 'Mended.' })).toMatchObject(refusal);
      expect(await api.delete(`/reviews/${id}/answer`)).toMatchObject(refusal);
    });
  });

  it('of another tenant are not found', async () => {
    const owner = await world.given.publishable({ reviews: [written('a', 1)] });
    await read();
    const [review] = await listOf(owner);
    const other = await world.given.tenant();
    const api = world.api.as(other);
    for (const path of ['read', 'unread', 'answer'])
      expect(await api.post(`/reviews/${review?.id}/${path}`, path === 'answer' ? { text: 'Mine' } : {})).toMatchObject(
        {
          status: 404,
        },
      );
    expect(await listOf(other)).toEqual([]);
    expect(expectStatus(await api.post('/reviews/read'), 200).body).toEqual({ count: 0 });
    expect((await summaryOf(owner)).unread).toBe(1);
  });
});
