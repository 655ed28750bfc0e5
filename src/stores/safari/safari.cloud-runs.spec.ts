import { describe, expect, it } from 'vitest';
import {
  handlesOf,
  hasFailed,
  NO_RECORD,
  passedOf,
  recordIn,
  runsOf,
  tagIn,
  type CloudRecord,
} from './safari.cloud-runs.js';
import { pageOf } from './safari.documents.js';

const [EARLY, LATE] = [new Date('2026-11-21T12:00:00Z'), new Date('2026-11-21T13:00:00Z')];

const reference = (id: string, attributes: object) => ({ type: 'scmGitReferences', id, attributes });

describe('the tag of a version', () => {
  it.each<[string, readonly object[], string | undefined]>([
    ['is found by its short name', [{ kind: 'TAG', name: 'v1' }], '0'],
    ['is found by its full name', [{ kind: 'TAG', name: 'other', canonicalName: 'refs/tags/v1' }], '0'],
    ['is not a branch of that name', [{ kind: 'BRANCH', name: 'v1', canonicalName: 'refs/heads/v1' }], undefined],
    [
      'is not one that was deleted',
      [
        { kind: 'TAG', name: 'v1', isDeleted: true },
        { kind: 'TAG', name: 'v1' },
      ],
      '1',
    ],
    ['is not another one', [{ kind: 'TAG', name: 'v1.0', canonicalName: 'refs/tags/v1.0' }], undefined],
  ])('%s', (_, attributes, id) => {
    const data = attributes.map((each, at) => reference(String(at), each));
    expect(tagIn(pageOf({ data }), 'v1')).toBe(id);
  });
});

it.each([
  ['COMPLETE', 'FAILED', true],
  ['COMPLETE', 'ERRORED', true],
  ['COMPLETE', 'CANCELED', true],
  ['COMPLETE', 'SKIPPED', true],
  ['COMPLETE', 'SUCCEEDED', false],
  ['COMPLETE', 'A_NEW_ONE', false],
  ['COMPLETE', null, false],
  ['RUNNING', null, false],
  ['A_NEW_ONE', 'FAILED', false],
])('a run that is %s and %s has failed: %s', (executionProgress, completionStatus, failed) => {
  const data = { type: 'ciBuildRuns', id: '1', attributes: { number: 7, executionProgress, completionStatus } };
  const [run] = runsOf(pageOf({ data }));
  expect(run).toMatchObject({ id: '1', number: 7, referenceId: null });
  expect(run && hasFailed(run)).toBe(failed);
});

describe('what is remembered of a run', () => {
  const record: CloudRecord = { run: { id: 'r', number: 7 }, failedAt: EARLY, soughtSince: LATE };

  it.each([record, NO_RECORD, { ...record, failedAt: null }, { ...NO_RECORD, soughtSince: EARLY }])(
    'is read as it was written: %j',
    (one) => {
      expect(recordIn(handlesOf(one, 'w v1'), 'w v1')).toEqual(one);
    },
  );

  it('is of one workflow and one tag', () => {
    expect(recordIn(handlesOf(record, 'w v1'), 'w v2')).toEqual(NO_RECORD);
    expect(recordIn({}, 'w v1')).toEqual(NO_RECORD);
    expect(recordIn({ ...handlesOf(record, 'w v1'), ...handlesOf(NO_RECORD, 'x v1') }, 'x v1')).toEqual(NO_RECORD);
  });
});

describe('the runs that no longer count', () => {
  const failed = (number: number, failedAt: Date | null): CloudRecord => ({
    run: { id: String(number), number },
    failedAt,
    soughtSince: null,
  });

  it.each<[string, readonly CloudRecord[], Date | null, number]>([
    ['are none while nothing failed', [failed(7, null)], LATE, -1],
    ['are none while nobody asked', [failed(7, EARLY)], null, -1],
    ['are none when a person asked before the failure', [failed(7, LATE)], EARLY, -1],
    ['are those up to the one that failed before a person asked', [failed(7, EARLY)], LATE, 7],
    ['are the same on all platforms', [failed(8, null), failed(7, EARLY)], LATE, 7],
  ])('%s', (_, records, askedAt, number) => {
    expect(passedOf(records, askedAt)).toBe(number);
  });
});
