import { describe, expect, it } from 'vitest';
import { known, UNKNOWN } from '../store.js';
import {
  latestOf,
  observedFrom,
  operationFrom,
  operationStateOf,
  type EdgeHandles,
  type Listing,
} from './edge.states.js';

const HIDDEN: Listing = { live: UNKNOWN, raw: null };
const UPLOADED: EdgeHandles = { uploadOperation: 'u', publishOperation: '', version: '1.1' };
const SUBMITTED: EdgeHandles = { ...UPLOADED, publishOperation: 'p' };
const seen = (handles: EdgeHandles, operation: object | null) =>
  observedFrom(handles, operation && operationFrom({ id: 'op', ...operation }), HIDDEN);

describe('Operation.status', () => {
  it.each([
    ['InProgress', 'in_progress'],
    ['Succeeded', 'succeeded'],
    ['Failed', 'failed'],
    ['succeeded', 'unknown'],
    ['Cancelled', 'unknown'],
    ['constructor', 'unknown'],
    [undefined, 'unknown'],
    [7, 'unknown'],
  ])('%s is %s', (status, ours) => {
    expect(operationStateOf(status)).toBe(ours);
  });

  it.each([null, 'OK', 7, [], {}, { id: 'x', message: 'Unexpected.' }, { status: '' }, { status: 1 }])(
    'is missing in %o, which is no operation',
    (json) => expect(operationFrom(json)).toBeNull(),
  );
});

describe('the latest operation', () => {
  it.each<[EdgeHandles, ReturnType<typeof latestOf>]>([
    [{}, null],
    [{ uploadOperation: '' }, null],
    [UPLOADED, { of: 'upload', id: 'u' }],
    [SUBMITTED, { of: 'publish', id: 'p' }],
    [{ publishOperation: 'p' }, { of: 'publish', id: 'p' }],
  ])('of %o is %o', (handles, latest) => expect(latestOf(handles)).toEqual(latest));
});

describe('what can be known of a product', () => {
  it('is only what the public page shows before anything was sent', () => {
    expect(seen({}, null)).toMatchObject({ live: UNKNOWN, submission: UNKNOWN, upload: known('none') });
    expect(observedFrom({}, null, { live: known('1.0'), raw: 'page' })).toMatchObject({
      live: known('1.0'),
      rolloutPercent: null,
      takenDown: false,
      raw: { operation: null, listing: 'page' },
    });
  });

  it.each<[object | null, unknown]>([
    [{ status: 'InProgress' }, known('processing')],
    [{ status: 'Succeeded' }, known('ready')],
    [{ status: 'Failed', errorCode: 'SubmissionValidationError' }, known('failed')],
    [{ status: 'Failed', errorCode: 'NoModulesUpdated' }, known('ready')],
    [{ status: 'Failed', errorCode: 'InProgressSubmission' }, known('failed')],
    [{ status: 'Failed', errorCode: null }, known('failed')],
    [{ status: 'Failed', errorCode: 'CreateNotAllowed' }, known('failed')],
    [{ status: 'Pondering' }, UNKNOWN],
    [null, known('none')],
  ])('of an upload whose operation is %o', (operation, upload) => {
    expect(seen(UPLOADED, operation)).toMatchObject({ upload, submission: UNKNOWN });
  });

  it.each<[object | null, unknown]>([
    [{ status: 'InProgress' }, UNKNOWN],
    // It may be in review, and it may rest in draft.
    [{ status: 'Succeeded' }, UNKNOWN],
    [{ status: 'Pondering' }, UNKNOWN],
    [null, UNKNOWN],
    [{ status: 'Failed', errorCode: 'NoModulesUpdated' }, UNKNOWN],
    [{ status: 'Failed', errorCode: 'InProgressSubmission' }, known({ version: '1.1', state: 'cancelled' })],
    [{ status: 'Failed', errorCode: 'ModuleStateUnPublishable' }, known({ version: '1.1', state: 'cancelled' })],
    [
      { status: 'Failed', errorCode: 'SubmissionValidationError', errors: [{ message: 'The version is too low.' }] },
      known({ version: '1.1', state: 'rejected', words: 'SubmissionValidationError: The version is too low.' }),
    ],
  ])('of a submission whose operation is %o', (operation, submission) => {
    expect(seen(SUBMITTED, operation)).toMatchObject({ submission, upload: UNKNOWN });
  });

  it('has no submission when its version is not known', () => {
    const operation = { status: 'Failed', errorCode: 'CreateNotAllowed' };
    expect(seen({ publishOperation: 'p' }, operation).submission).toEqual(UNKNOWN);
  });
});
