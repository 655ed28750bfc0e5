import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { edgeFailure, failureKindOf, operationFailure, type EdgeCall } from './edge.errors.js';
import type { StoreAnswer } from '../failures/error-rules.js';
import type { Operation, OperationOf } from './edge.operation.js';
import { operationFrom } from './edge.states.js';

const NOW = new Date('2026-11-21T12:00:00Z');

function answer(status: number, json: unknown, headers: Record<string, string> = {}): StoreAnswer {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return { status, headers: new Headers(headers), text, json: typeof json === 'string' ? undefined : json };
}

function failed(errorCode: unknown, message: unknown = null, errors: unknown = null): Operation {
  const operation = operationFrom({ id: 'op', status: 'Failed', errorCode, message, errors });
  if (operation === null) throw new Error('That is no operation');
  return operation;
}

describe('an error of the API', () => {
  it.each<[string, EdgeCall, string, StoreAnswer]>([
    ['credential', 'read', 'a bad or lapsed key', answer(401, { message: 'Unauthorized' })],
    ['credential', 'read', 'the same, as a page of the gateway', answer(401, '<html>')],
    ['credential', 'upload', 'an account without the API', answer(403, {})],
    ['config', 'upload', 'a product that is not there', answer(404, '')],
    ['config', 'read', 'a way in that was closed', answer(410, {})],
    ['artifact', 'upload', 'no zip', answer(400, { message: 'No package.' })],
    ['artifact', 'upload', 'a zip that is too large', answer(413, '')],
    ['artifact', 'upload', 'a zip of another type', answer(415, {})],
    ['config', 'publish', 'a submission that it does not understand', answer(400, {})],
    ['wait', 'publish', 'a submission beside another', answer(409, { message: 'In progress.' })],
    ['retry', 'upload', 'an upload that was too slow', answer(408, {})],
    ['retry', 'publish', 'too many calls', answer(429, {})],
    ['retry', 'read', 'its own fault', answer(500, { id: '0HM', message: 'Unexpected.' })],
    ['retry', 'read', 'a gateway without a store behind it', answer(502, '<html>')],
    ['retry', 'read', 'a page', answer(200, '<!doctype html>')],
    ['retry', 'publish', 'a page that refuses', answer(403, ' <html>')],
    ['retry', 'upload', 'a success without an operation', answer(202, '')],
    ['retry', 'read', 'a redirect', answer(302, '')],
    ['retry', 'read', 'an error in a 200', answer(200, { id: 'x', message: 'Unexpected.' })],
  ])('is %s for a %s: %s', (kind, call, _, given) => {
    const failure = edgeFailure(given, call, NOW);
    expect(failure.kind).toBe(kind);
    expect(failure.details.status).toBe(given.status);
  });

  it('quotes the store, and names the status where the store gives no message', () => {
    const { message } = edgeFailure(
      answer(400, { message: 'Bad', errors: [{ message: 'Icon.' }, 'Name'] }),
      'publish',
      NOW,
    );
    expect(message).toBe('Bad. Icon. Name.');
    expect(edgeFailure(answer(500, ''), 'read', NOW).message).toBe('Microsoft Edge Add-ons answered 500.');
    expect(edgeFailure(answer(401, ''), 'read', NOW).message).toContain('72 days');
    expect(edgeFailure(answer(400, { error: { message: 'Deep' } }), 'publish', NOW).message).toBe('Deep.');
  });

  it('reports an open submission for a conflict', () => {
    expect(edgeFailure(answer(409, ''), 'publish', NOW)).toMatchObject({
      message: 'Microsoft Edge Add-ons answered 409. Another submission is in progress.',
      details: { hasSubmission: true },
    });
  });

  it('waits for Retry-After, and one minute after a 429 without it', () => {
    const waits = (given: StoreAnswer): number | undefined => {
      const { retryAt } = edgeFailure(given, 'read', NOW).details;
      return retryAt && (retryAt.getTime() - NOW.getTime()) / 1000;
    };
    expect(waits(answer(429, {}, { 'retry-after': '300' }))).toBe(300);
    expect(waits(answer(429, {}))).toBe(60);
    expect(waits(answer(503, {}, { 'retry-after': '5' }))).toBe(5);
    expect(waits(answer(500, {}))).toBeUndefined();
    expect(waits(answer(401, {}, { 'retry-after': '5' }))).toBeUndefined();
  });
});

describe('an operation that failed', () => {
  const OCCURRED = 'An error occurred while performing the operation';

  it.each<[string, OperationOf, Operation]>([
    ['done', 'publish', failed('NoModulesUpdated')],
    ['done', 'upload', failed('NoModulesUpdated')],
    ['wait', 'upload', failed('InProgressSubmission')],
    ['wait', 'publish', failed('InProgressSubmission')],
    ['wait', 'publish', failed('UnpublishInProgress')],
    ['config', 'publish', failed('CreateNotAllowed')],
    ['config', 'publish', failed('ModuleStateUnPublishable', null, [{ message: 'Listing is incomplete.' }])],
    ['artifact', 'upload', failed('SubmissionValidationError', 'Invalid.')],
    ['artifact', 'publish', failed('SubmissionValidationError', null, [{ message: 'The version must be higher.' }])],
    ['artifact', 'publish', failed('SubmissionValidationError', 'The manifest lacks a name.')],
    ['config', 'publish', failed('SubmissionValidationError', null, [{ message: 'A justification is missing.' }])],
    ['artifact', 'upload', failed('', null, [{ message: 'Something about it.' }])],
    ['artifact', 'upload', failed('PackageValidationError', null, [{ message: 'No icon.' }])],
    ['artifact', 'upload', failed('PackageValidationError')],
    ['artifact', 'publish', failed('PackageValidationError', null, [{ message: 'Too large.' }])],
    ['artifact', 'upload', failed('SomethingNew', null, [{ message: 'Something about it.' }])],
    ['wait', 'upload', failed('InProgressSubmission', null, [{ message: 'In review.' }])],
    ['config', 'publish', failed('SomethingNew', null, [{ message: 'Something about it.' }])],
    ['retry', 'upload', failed(null, OCCURRED)],
    ['retry', 'publish', failed('', OCCURRED, [])],
    ['retry', 'upload', failed(null)],
    ['config', 'publish', failed('SomethingNew', 'Who knows.')],
    ['config', 'publish', failed('toString')],
  ])('is %s for an %s: %o', (kind, of, operation) => {
    expect(failureKindOf(operation, of)).toBe(kind);
    // Such an operation never changes again, so that only another one helps.
    expect(operationFailure(operation, of)).toMatchObject({ kind, details: { raw: operation.raw, isFinal: true } });
  });

  it.each<[boolean, Operation]>([
    [true, failed(null)],
    [true, failed('', OCCURRED, [])],
    [false, failed('InProgressSubmission')],
    [false, failed('SomethingNew')],
    [false, failed(null, null, [{ message: 'No icon.' }])],
  ])('is unexplained, %s: %o', (isUnexplained, operation) => {
    expect(operationFailure(operation, 'upload').details.isUnexplained).toBe(isUnexplained);
  });

  it('lists the errors of the store, or says that there is no reason', () => {
    const unready = failed('ModuleStateUnPublishable', 'Not publishable', [
      { message: 'Listing: fr' },
      { message: 'Privacy' },
    ]);
    expect(operationFailure(unready, 'publish').message).toBe(
      'ModuleStateUnPublishable: Not publishable. Listing: fr. Privacy. Complete it in Partner Center.',
    );
    expect(operationFailure(failed(null, OCCURRED), 'upload').message).toBe(`${OCCURRED}. Microsoft gives no reason.`);
    expect(operationFailure(failed(null), 'upload').message).toBe('The upload failed. Microsoft gives no reason.');
  });

  it('always has a kind and a complete sentence as its message', () => {
    const odd = fc.option(fc.oneof(fc.string(), fc.integer(), fc.object()), { nil: null });
    fc.assert(
      fc.property(
        odd,
        odd,
        fc.array(odd),
        fc.constantFrom<OperationOf>('upload', 'publish'),
        (code, message, errors, of) => {
          const { kind, message: words } = operationFailure(failed(code, message, errors), of);
          expect(['done', 'wait', 'config', 'artifact', 'retry']).toContain(kind);
          expect(words).toMatch(/[.!?…]$/);
        },
      ),
    );
  });
});
