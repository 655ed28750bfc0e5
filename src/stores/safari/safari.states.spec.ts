import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { known } from '../store.js';
import { pageOf } from './safari.documents.js';
import { observedFrom, versionsOf, versionStateOf } from './safari.states.js';

interface Given {
  readonly version?: unknown;
  readonly state?: unknown;
}

const versionOf = ({ version, state }: Given, index: number): object => ({
  type: 'appStoreVersions',
  id: String(index),
  attributes: { versionString: version, appVersionState: state },
});

const seen = (...versions: readonly Given[]) =>
  observedFrom(versionsOf(pageOf({ data: versions.map(versionOf) })), null);

describe('appVersionState', () => {
  it.each([
    ['PREPARE_FOR_SUBMISSION', 'draft'],
    ['READY_FOR_REVIEW', 'draft'],
    ['WAITING_FOR_REVIEW', 'in_review'],
    ['IN_REVIEW', 'in_review'],
    ['ACCEPTED', 'in_review'],
    ['WAITING_FOR_EXPORT_COMPLIANCE', 'in_review'],
    ['PENDING_DEVELOPER_RELEASE', 'approved'],
    ['PENDING_APPLE_RELEASE', 'releasing'],
    ['PROCESSING_FOR_DISTRIBUTION', 'releasing'],
    ['READY_FOR_DISTRIBUTION', 'live'],
    ['REPLACED_WITH_NEW_VERSION', 'replaced'],
    ['REJECTED', 'rejected'],
    ['METADATA_REJECTED', 'rejected'],
    ['INVALID_BINARY', 'rejected'],
    ['DEVELOPER_REJECTED', 'cancelled'],
    ['SOMETHING_NEW', 'unknown'],
    ['READY_FOR_SALE', 'unknown'],
    ['constructor', 'unknown'],
    [7, 'unknown'],
    [undefined, 'unknown'],
    [null, 'unknown'],
  ])('%s is %s', (state, ours) => {
    expect(versionStateOf(state)).toBe(ours);
  });

  it('counts alone: the older state, which Apple no longer documents, is not read', () => {
    const attributes = { versionString: '1.0', appVersionState: 'READY_FOR_DISTRIBUTION', appStoreState: 'REJECTED' };
    const page = pageOf({ data: [{ type: 'appStoreVersions', id: '1', attributes }] });
    expect(versionsOf(page)).toMatchObject([{ version: '1.0', state: 'live' }]);
  });
});

describe('the state of a platform', () => {
  const LIVE = { version: '1.0', state: 'READY_FOR_DISTRIBUTION' };

  it.each<[string, readonly Given[], unknown, unknown]>([
    ['none', [], null, null],
    ['a draft only', [{ version: '1.0', state: 'PREPARE_FOR_SUBMISSION' }], null, null],
    ['one that is ready and was not sent', [LIVE, { version: '1.1', state: 'READY_FOR_REVIEW' }], '1.0', null],
    ['a live one', [{ version: '0.9', state: 'REPLACED_WITH_NEW_VERSION' }, LIVE], '1.0', null],
    [
      'one in review, whatever the order',
      [{ version: '1.1', state: 'IN_REVIEW' }, LIVE],
      '1.0',
      { version: '1.1', state: 'in_review' },
    ],
    [
      'an approved one',
      [LIVE, { version: '1.1', state: 'PENDING_DEVELOPER_RELEASE' }],
      '1.0',
      { version: '1.1', state: 'approved' },
    ],
    ['a refused one', [LIVE, { version: '1.1', state: 'REJECTED' }], '1.0', { version: '1.1', state: 'rejected' }],
    [
      'a withdrawn one',
      [LIVE, { version: '1.1', state: 'DEVELOPER_REJECTED' }],
      '1.0',
      { version: '1.1', state: 'cancelled' },
    ],
    ['one in a new state', [LIVE, { version: '1.1', state: 'NEW' }], '1.0', { version: '1.1', state: 'unknown' }],
    ['an old one in a new state', [LIVE, { version: '0.9', state: 'ARCHIVED' }], '1.0', null],
    ['one without a number', [LIVE, { version: ' ', state: 'IN_REVIEW' }], '1.0', null],
  ])('%s', (_, versions, live, submission) => {
    expect(seen(...versions)).toMatchObject({
      live: known(live),
      submission: known(submission),
      upload: known('none'),
      takenDown: false,
      warned: false,
    });
  });

  it("contains Apple's question about the encryption of a held version", () => {
    expect(seen(LIVE, { version: '1.1', state: 'WAITING_FOR_EXPORT_COMPLIANCE' })).toMatchObject({
      submission: known({ version: '1.1', state: 'in_review' }),
      question: expect.stringContaining('version 1.1 until its export-compliance question is answered'),
    });
    expect(seen(LIVE, { version: '1.1', state: 'IN_REVIEW' })).not.toHaveProperty('question');
  });

  it.each([
    ['ACTIVE', 1, 1],
    ['ACTIVE', 4, 10],
    ['PAUSED', 6, 50],
    ['ACTIVE', 7, null],
    ['ACTIVE', 9, null],
    ['ACTIVE', undefined, null],
    ['INACTIVE', 0, null],
    ['COMPLETE', 7, null],
    ['SOMETHING_NEW', 2, null],
  ])('a phased release that is %s on day %s offers %s %%', (phasedReleaseState, currentDayNumber, percent) => {
    const related = { appStoreVersionPhasedRelease: { data: { type: 'appStoreVersionPhasedReleases', id: 'p' } } };
    const page = pageOf({
      data: [{ ...versionOf(LIVE, 1), relationships: related }],
      included: [
        { type: 'appStoreVersionPhasedReleases', id: 'p', attributes: { phasedReleaseState, currentDayNumber } },
      ],
    });
    expect(observedFrom(versionsOf(page), null).rolloutPercent).toBe(percent);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        observedFrom(versionsOf(pageOf({ data: json, included: json })), json);
        observedFrom(versionsOf(pageOf({ data: [{ type: 'appStoreVersions', id: '1', attributes: json }] })), json);
      }),
    );
  });
});
