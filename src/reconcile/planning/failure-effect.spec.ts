import { describe, expect, it } from 'vitest';
import type { FailureKind } from '../../stores/index.js';
import type { Phase } from '../../targets/index.js';
import type { Refusal } from '../releases/pure.js';
import { effectOf, isForPerson, keepsRefusal, leavesNumberFree, type FailureEffect } from './failure-effect.js';

type Context = Parameters<typeof effectOf>[1];

const CONTEXT: Context = {
  storeTitle: 'Chrome Web Store',
  credential: '“CI key”',
  version: '1.1',
  isInReview: false,
};

const effect = (kind: FailureKind, message: string, context: Partial<Context> = {}): FailureEffect =>
  effectOf({ kind, message }, { ...CONTEXT, ...context });

describe('the effect of a failure at the store', () => {
  it.each<[sentence: string, kind: FailureKind, context: Partial<Context>, then: FailureEffect]>([
    [
      'a refused credential needs its owner, and is named',
      'credential',
      {},
      {
        phase: 'action_required',
        message:
          'Chrome Web Store refused the credential “CI key”: The store’s words. Rotate it, and the target continues automatically.',
        isFailure: true,
        release: null,
      },
    ],
    [
      'a fault in the store’s dashboard needs a person',
      'config',
      {},
      {
        phase: 'action_required',
        message: 'Chrome Web Store needs a person: The store’s words.',
        isFailure: true,
        release: null,
      },
    ],
    [
      'a refused package ends its release',
      'artifact',
      {},
      {
        phase: 'rejected',
        message: 'Chrome Web Store does not accept version 1.1: The store’s words. Push a newer version.',
        isFailure: true,
        release: 'failed',
      },
    ],
    [
      'a refused package is reported even when no version is pinned any more',
      'artifact',
      { version: null },
      {
        phase: 'rejected',
        message: 'Chrome Web Store does not accept this package: The store’s words. Push a newer version.',
        isFailure: true,
        release: 'failed',
      },
    ],
    [
      'a refused package whose number is still free may be mended',
      'artifact',
      { isNumberFree: true },
      {
        phase: 'rejected',
        message:
          'Chrome Web Store does not accept version 1.1: The store’s words. Push the mended package; its number is still free.',
        isFailure: true,
        release: 'failed',
      },
    ],
    [
      'a wait is no failure, and the version stands in line',
      'wait',
      {},
      {
        phase: 'queued',
        message: 'Chrome Web Store asks Pierhead to wait: The store’s words.',
        isFailure: false,
        release: null,
      },
    ],
    [
      'a wait while our own version is in review leaves it there',
      'wait',
      { isInReview: true },
      {
        phase: 'in_review',
        message: 'Chrome Web Store asks Pierhead to wait: The store’s words.',
        isFailure: false,
        release: null,
      },
    ],
    [
      'a passing fault is tried again',
      'retry',
      {},
      {
        phase: 'backing_off',
        message: 'Chrome Web Store failed: The store’s words. Pierhead tries again.',
        isFailure: true,
        release: null,
      },
    ],
    [
      'a passing fault in review is tried again and does not touch the release',
      'retry',
      { isInReview: true },
      {
        phase: 'backing_off',
        message: 'Chrome Web Store failed: The store’s words. Pierhead tries again.',
        isFailure: true,
        release: null,
      },
    ],
    [
      'a “done” where nothing was asked for is a fault of the adapter and tried again',
      'done',
      {},
      {
        phase: 'backing_off',
        message: 'Chrome Web Store failed: The store’s words. Pierhead tries again.',
        isFailure: true,
        release: null,
      },
    ],
  ])('%s', (_sentence, kind, context, then) => {
    expect(effect(kind, 'The store’s words.', context)).toEqual(then);
  });
});

describe('a store that names a time', () => {
  const retryAt = new Date('2026-11-21T12:57:20Z');

  it.each([
    ['uploads', 'Chrome Web Store accepts no uploads with this credential before 2026-11-21T12:57:20.000Z: Throttled.'],
    ['writes', 'Chrome Web Store accepts no changes with this credential before 2026-11-21T12:57:20.000Z: Throttled.'],
  ] as const)('after which it takes %s again keeps the version queued, and names the time', (throttles, message) => {
    const failure = { kind: 'retry', message: 'Throttled.', details: { throttles, retryAt } } as const;
    expect(effectOf(failure, CONTEXT)).toEqual({ phase: 'queued', message, isFailure: false, release: null });
    expect(effectOf(failure, { ...CONTEXT, isInReview: true }).phase).toBe('in_review');
    expect(effectOf({ ...failure, details: { throttles } }, CONTEXT).phase).toBe('backing_off');
  });

  it('for everything is tried again after that time', () => {
    expect(effectOf({ kind: 'retry', message: 'Away.', details: { retryAt } }, CONTEXT)).toMatchObject({
      phase: 'backing_off',
      message:
        'Chrome Web Store failed: Away. Pierhead tries again after 2026-11-21T12:57:20.000Z, the time that the store named.',
    });
  });
});

describe('a failure that the store does not explain', () => {
  const unexplained = (times: number): FailureEffect =>
    effectOf(
      { kind: 'retry', message: 'It gives no reason.', details: { isUnexplained: true } },
      { ...CONTEXT, times },
    );

  it.each([1, 2])('is tried again after %d in a row', (times) => {
    expect(unexplained(times).phase).toBe('backing_off');
  });

  it.each([3, 4, 50])('needs a person after %d in a row, in the same words', (times) => {
    expect(unexplained(times)).toEqual({ ...unexplained(3), phase: 'action_required', isFailure: true, release: null });
    expect(unexplained(times).message).toContain('three times in a row: It gives no reason.');
  });

  it('is distinguished from one that it explains, which is tried again indefinitely', () => {
    expect(isForPerson({ details: {} }, 100)).toBe(false);
    expect(effect('retry', 'The store’s words.', { times: 100 }).phase).toBe('backing_off');
  });
});

it('a credential that Pierhead cannot decrypt is not one that the store refused', () => {
  const failure = { kind: 'credential', message: 'The key is missing.', details: { isSealed: true } } as const;
  expect(effectOf(failure, CONTEXT)).toEqual({
    phase: 'action_required',
    message:
      'Pierhead cannot ask the store: it can no longer decrypt the secrets of the credential “CI key”. The key is missing. Restore the key or rotate the credential, and the target continues automatically.',
    isFailure: true,
    release: null,
  });
});

describe('while a refused step is tried again', () => {
  const refusal: Refusal = { step: 'submit', kind: 'config', message: 'No.' };

  it.each<[sentence: string, refusal: Refusal | null, shown: Phase, planned: Phase, keeps: boolean]>([
    ['a person is still needed', refusal, 'action_required', 'submitting', true],
    ['a wait is still one', refusal, 'queued', 'uploading', true],
    ['a version that is offered to more users is not live again', refusal, 'action_required', 'live', true],
    ['a target that was enabled again shows the planned step', refusal, 'idle', 'submitting', false],
    ['nor is it live before the store says so', refusal, 'idle', 'live', true],
    ['and without a refusal everything is as it is planned', null, 'queued', 'submitting', false],
  ])('%s', (_sentence, refused, shown, planned, keeps) => {
    expect(keepsRefusal(refused, shown, planned)).toBe(keeps);
  });
});

it.each<[string, boolean, ...Parameters<typeof leavesNumberFree>]>([
  ['a package was refused at its upload', true, { kind: 'artifact', message: '' }, 'upload', false],
  ['a package was refused as it was submitted', true, { kind: 'artifact', message: '' }, 'submit', false],
  [
    'the store keeps the refused one',
    false,
    { kind: 'artifact', message: '', details: { isNumberSpent: true } },
    'upload',
    false,
  ],
  ['an earlier submission may have arrived', false, { kind: 'artifact', message: '' }, 'upload', true],
  ['a version was to be brought back', false, { kind: 'artifact', message: '' }, 'rollback', false],
  ['the store refused something else', false, { kind: 'config', message: '' }, 'upload', false],
])('when %s, its number is free: %s', (_, isFree, failure, step, mayBeSubmitted) => {
  expect(leavesNumberFree(failure, step, mayBeSubmitted)).toBe(isFree);
});
