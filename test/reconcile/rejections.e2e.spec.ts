import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReleaseTarget } from '../../src/reconcile/reconcile.dto.js';
import type { FromJson } from '../../sandbox/sandbox-control.js';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { SECOND } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { Author, refusedUpload } from './author.js';

const MAIL = 'Violation reference: Purple Potassium.\nThe permission "tabs" is not used.';

describe('a version that its store rejected', () => {
  let world: World;
  beforeAll(async () => (world = await startWorld()));
  afterAll(() => world.close());

  const record = ({ mine }: Author, body: object, as: Pick<Author['mine'], 'token'> = mine) =>
    world.api.as(as).post(`/extensions/${mine.extensionId}/targets/${mine.targetId}/rejection`, body);
  const releaseOf = async ({ mine }: Author, version = '1.1.0'): Promise<FromJson<ReleaseTarget>> => {
    const { items } = expectStatus(await world.api.as(mine).get(`/extensions/${mine.extensionId}/releases`), 200).body;
    return items.find((one: { readonly version: string }) => one.version === version).targets[0];
  };
  const rejected = async (): Promise<Author> => {
    const author = await Author.in(world, { published: '1.0.0' });
    await author.push('1.0.0');
    await author.reconcile();
    await author.push('1.1.0');
    await author.reconcile();
    await author.act('reject');
    await author.reconcile();
    await world.forward(SECOND);
    return author;
  };
  const recorded = async (author: Author): Promise<readonly string[]> =>
    (await author.events()).flatMap(({ kind, message }) => (kind === 'rejection_reason_recorded' ? [message] : []));
  const audited = async ({ mine }: Author) =>
    (await world.api.as({ cookie: mine.cookie }).get('/audit?action=rejection.recorded')).body.items;

  it('keeps what the mail said, for colleagues, timeline and audit log, once for each rejection', async () => {
    const author = await rejected();
    expect((await releaseOf(author)).rejection).toMatchObject({ reason: null });
    expect(await record(author, { version: '1.1.0', reason: `  ${MAIL} ` })).toMatchObject({
      status: 200,
      body: { text: MAIL, recordedBy: expect.any(String) },
    });
    // Again changes nothing.
    expect((await record(author, { version: '1.1.0', reason: MAIL })).status).toBe(200);
    expect((await record(author, { version: '1.1', reason: MAIL })).status).toBe(200);
    expect(await recorded(author)).toEqual([`Chrome Web Store rejected version 1.1.0: ${MAIL}`]);
    expect((await releaseOf(author)).rejection?.reason).toMatchObject({ text: MAIL });

    const colleague = await world.given.member(author.mine, 'publisher');
    await record(author, { version: '1.1.0', reason: 'It tracks users.' }, colleague);
    expect((await releaseOf(author)).rejection?.reason).toEqual({
      text: 'It tracks users.',
      recordedBy: colleague.email,
      recordedAt: expect.any(String),
    });
    expect(await recorded(author)).toHaveLength(2);
    expect(await audited(author)).toMatchObject([
      { before: { text: MAIL }, after: { text: 'It tracks users.' } },
      { after: { text: MAIL, store: 'chrome', version: '1.1.0' } },
    ]);

    // The next rejection has a reason of its own.
    expectStatus(
      await world.api
        .as(author.mine)
        .post(`/extensions/${author.mine.extensionId}/targets/${author.mine.targetId}/resubmit`),
      200,
    );
    await author.reconcile();
    expect((await releaseOf(author)).rejection).toBeNull();
    await author.act('reject');
    await world.forward(3600 * SECOND);
    await author.reconcile();
    expect((await releaseOf(author)).rejection?.reason).toBeNull();
  });

  it('names the ways on and the version to go back to, which is pinned again', async () => {
    const author = await rejected();
    const { rejection } = await releaseOf(author);
    expect(rejection).toEqual({
      reason: null,
      live: { artifactId: expect.any(String), version: '1.0.0' },
      numberFree: false,
      waysOn: ['push', 'resubmit', 'take_back'],
    });
    const changes = await world.api.as(author.mine).get(`/artifacts/${(await releaseOf(author)).artifactId}/changes`);
    expect(changes.body).toMatchObject({ since: rejection?.live, changes: { files: { changed: 2 } } });
    await world.api.as(author.mine).post(`/artifacts/${rejection?.live?.artifactId}/pin`, { store: 'chrome' });
    expect(await author.reconcile()).toMatchObject({ phase: 'live', message: 'Version 1.0.0 is live.' });
    expect((await author.counters()).submissions).toBe(1);
    expect((await releaseOf(author)).rejection).toMatchObject({ live: { version: '1.0.0' }, waysOn: [] });
  });

  it('can only be followed by another package where the store refused this one', async () => {
    const author = await Author.in(world, { published: '1.0.0' });
    await author.fault('upload', refusedUpload());
    await author.push('1.1.0');
    await author.reconcile();
    const { state, refusal, rejection } = await releaseOf(author);
    expect([state, rejection]).toEqual(['failed', { reason: null, live: null, numberFree: true, waysOn: ['push'] }]);
    expect(refusal).toContain('The manifest is invalid.');
    expect(await record(author, { version: '1.1.0', reason: MAIL })).toMatchObject({
      status: 409,
      body: {
        detail:
          'Chrome Web Store has not rejected version 1.1.0 in a review; its release shows why it failed before one.',
      },
    });
  });

  it.each<[string, (author: Author) => Promise<Answer>, object]>([
    [
      'that is another',
      (author) => record(author, { version: '9.9.9', reason: MAIL }),
      {
        status: 409,
        body: {
          code: 'version_not_rejected',
          detail: 'Chrome Web Store has not rejected version 9.9.9, which never set out there.',
        },
      },
    ],
    [
      'that is live',
      (author) => record(author, { version: '1.0.0', reason: MAIL }),
      {
        status: 409,
        body: { code: 'version_not_rejected', detail: 'Chrome Web Store has not rejected version 1.0.0; it is live.' },
      },
    ],
    [
      'of a platform that it has not',
      (author) => record(author, { version: '1.1.0', platform: 'ios', reason: MAIL }),
      {
        status: 409,
        body: { detail: 'Chrome Web Store (ios) has not rejected version 1.1.0, which never set out there.' },
      },
    ],
    ['without a reason', (author) => record(author, { version: '1.1.0', reason: ' \n' }), { status: 400 }],
    ['with one too long', (author) => record(author, { version: '1.1.0', reason: 'x'.repeat(4001) }), { status: 400 }],
    ['with a NUL', (author) => record(author, { version: '1.1.0', reason: 'a\0b' }), { status: 400 }],
  ])('gets no reason for a version %s', async (_, ask, refusal) => {
    const author = await rejected();
    expect(await ask(author)).toMatchObject(refusal);
    expect((await releaseOf(author)).rejection?.reason).toBeNull();
    expect(await recorded(author)).toEqual([]);
  });
});
