import { describe, expect, it } from 'vitest';
import { known, UNKNOWN } from '../store.js';
import { isItemStatus, observedFrom, revisionStateOf, uploadStateOf } from './chrome.states.js';

const revision = (state: unknown, ...versions: unknown[]): object => ({
  state,
  distributionChannels: versions.map((crxVersion) => ({ crxVersion, deployPercentage: 100 })),
});

describe('ItemState', () => {
  it.each([
    ['PENDING_REVIEW', 'in_review'],
    ['STAGED', 'approved'],
    ['PUBLISHED', 'live'],
    ['PUBLISHED_TO_TESTERS', 'live'],
    ['REJECTED', 'rejected'],
    ['CANCELLED', 'cancelled'],
    ['ITEM_STATE_UNSPECIFIED', 'unknown'],
    ['SOMETHING_NEW', 'unknown'],
    ['constructor', 'unknown'],
    ['published', 'unknown'],
    [undefined, 'unknown'],
    [null, 'unknown'],
    [7, 'unknown'],
  ])('%s is %s', (state, ours) => {
    expect(revisionStateOf(state)).toBe(ours);
  });
});

describe('UploadState', () => {
  it.each([
    ['SUCCEEDED', known('ready')],
    ['IN_PROGRESS', known('processing')],
    ['UPLOAD_IN_PROGRESS', known('processing')],
    ['FAILED', known('failed')],
    ['NOT_FOUND', known('none')],
    [undefined, known('none')],
    [null, known('none')],
    ['UPLOAD_STATE_UNSPECIFIED', UNKNOWN],
    ['SUCCESS', UNKNOWN],
    ['toString', UNKNOWN],
    [{}, UNKNOWN],
  ])('%s is %o', (state, ours) => {
    expect(uploadStateOf(state)).toEqual(ours);
  });
});

describe('the state in fetchStatus', () => {
  const seen = (published?: object, submitted?: object): object => {
    const { live, submission } = observedFrom({
      name: 'publishers/p/items/i',
      ...(published && { publishedItemRevisionStatus: published }),
      ...(submitted && { submittedItemRevisionStatus: submitted }),
    });
    return { live, submission };
  };

  it.each<[string, object | undefined, object | undefined, unknown, unknown]>([
    ['nothing at all', undefined, undefined, known(null), known(null)],
    ['a published version', revision('PUBLISHED', '1.2'), undefined, known('1.2'), known(null)],
    ['one for testers', revision('PUBLISHED_TO_TESTERS', '1.2'), undefined, known('1.2'), known(null)],
    ['the highest of several', revision('PUBLISHED', '1.9', '1.10', '1.2'), undefined, known('1.10'), known(null)],
    [
      'a first review',
      undefined,
      revision('PENDING_REVIEW', '1.0'),
      known(null),
      known({ version: '1.0', state: 'in_review' }),
    ],
    [
      'a staged update',
      revision('PUBLISHED', '1.0'),
      revision('STAGED', '1.1'),
      known('1.0'),
      known({ version: '1.1', state: 'approved' }),
    ],
    [
      'a rejected one',
      revision('PUBLISHED', '1.0'),
      revision('REJECTED', '1.1'),
      known('1.0'),
      known({ version: '1.1', state: 'rejected' }),
    ],
    [
      'a cancelled one',
      undefined,
      revision('CANCELLED', '1.1'),
      known(null),
      known({ version: '1.1', state: 'cancelled' }),
    ],
    [
      'a submission that went live',
      revision('PUBLISHED', '1.0'),
      revision('PUBLISHED', '1.1'),
      known('1.1'),
      known(null),
    ],
    ['only a submission that went live', undefined, revision('PUBLISHED', '1.1'), known('1.1'), known(null)],
    [
      'an undocumented submission',
      undefined,
      revision('NEW', '1.1'),
      known(null),
      known({ version: '1.1', state: 'unknown' }),
    ],
    ['a submission without a version', undefined, revision('PENDING_REVIEW'), known(null), UNKNOWN],
    ['an undocumented publication', revision('NEW', '1.0'), undefined, UNKNOWN, known(null)],
    ['a publication without a version', revision('PUBLISHED'), undefined, UNKNOWN, known(null)],
    ['versions that are no text', revision('PUBLISHED', 1, null, ' '), undefined, UNKNOWN, known(null)],
  ])('%s', (_, published, submitted, live, submission) => {
    expect(seen(published, submitted)).toEqual({ live, submission });
  });

  it.each([
    null,
    'text',
    [],
    5,
    { publishedItemRevisionStatus: [] },
    { submittedItemRevisionStatus: 'x', lastAsyncUploadState: {} },
  ])('never throws at %o', (json) => {
    expect(() => observedFrom(json)).not.toThrow();
  });

  it('reads the flags, which are absent when false', () => {
    expect(observedFrom({})).toMatchObject({ takenDown: false, warned: false, upload: known('none') });
    expect(observedFrom({ takenDown: true, warned: true, lastAsyncUploadState: 'IN_PROGRESS' })).toMatchObject({
      takenDown: true,
      warned: true,
      upload: known('processing'),
    });
  });

  it('has nothing live for an item that was taken down', () => {
    const publishedItemRevisionStatus = revision('PUBLISHED', '1.0');
    expect(observedFrom({ takenDown: true, publishedItemRevisionStatus })).toMatchObject({ live: known(null) });
    expect(observedFrom({ takenDown: false, publishedItemRevisionStatus })).toMatchObject({ live: known('1.0') });
  });

  it('is distinguished from other answers', () => {
    expect([{ name: 'publishers/p/items/i' }, { itemId: 'i' }].every(isItemStatus)).toBe(true);
    expect([{}, [], null, undefined, 'x', { ok: true }].some(isItemStatus)).toBe(false);
  });
});

describe('the percentage of a rollout', () => {
  const percentOf = (published: object | undefined, submitted?: object): number | null =>
    observedFrom({
      ...(published && { publishedItemRevisionStatus: published }),
      ...(submitted && { submittedItemRevisionStatus: submitted }),
    }).rolloutPercent;
  const channel = (crxVersion: string, deployPercentage?: unknown): object => ({ crxVersion, deployPercentage });
  const published = (...distributionChannels: object[]): object => ({ state: 'PUBLISHED', distributionChannels });

  it.each<[string, object | undefined, object | undefined, number | null]>([
    ['a part', published(channel('1.2', 25)), undefined, 25],
    ['all', published(channel('1.2', 100)), undefined, null],
    ['all, as nothing else is said', published(channel('1.2')), undefined, null],
    ['something odd', published(channel('1.2', 'half')), undefined, null],
    ['a part, beside the version before', published(channel('1.1', 100), channel('1.2', 10)), undefined, 10],
    [
      'all, beside a part in review',
      published(channel('1.1', 100)),
      { state: 'PENDING_REVIEW', distributionChannels: [channel('1.2', 5)] },
      null,
    ],
    ['a part that is live, though shown as submitted', published(channel('1.1')), published(channel('1.2', 5)), 5],
    ['nothing', undefined, undefined, null],
  ])('belongs to %s', (_, live, submitted, percent) => {
    expect(percentOf(live, submitted)).toBe(percent);
  });
});
