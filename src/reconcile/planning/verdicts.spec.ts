import { describe, expect, it } from '@jest/globals';
import type { FailureKind } from '../../stores/index.js';
import type { Phase } from '../../targets/index.js';
import type { Refusal } from '../releases/release.entity.js';
import { judge, keepsShowing, type Verdict } from './verdicts.js';

type Context = Parameters<typeof judge>[1];

const CONTEXT: Context = {
  storeTitle: 'Chrome Web Store',
  credential: '“CI key”',
  version: '1.1',
  isInReview: false,
};

const judged = (kind: FailureKind, message: string, context: Partial<Context> = {}): Verdict =>
  judge({ kind, message }, { ...CONTEXT, ...context });

describe('what a failure at the store makes of a target', () => {
  it.each<[sentence: string, kind: FailureKind, context: Partial<Context>, then: Verdict]>([
    [
      'a refused credential needs its owner, and is named',
      'credential',
      {},
      {
        phase: 'action_required',
        message:
          'Chrome Web Store refused the credential “CI key”: The store’s words. Rotate it, and the target goes on by itself.',
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
        message: 'Chrome Web Store does not take version 1.1: The store’s words. Push a newer version.',
        isFailure: true,
        release: 'failed',
      },
    ],
    [
      'a refused package is told even when no version is pinned any more',
      'artifact',
      { version: null },
      {
        phase: 'rejected',
        message: 'Chrome Web Store does not take this package: The store’s words. Push a newer version.',
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
        message: 'Chrome Web Store wants patience: The store’s words.',
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
        message: 'Chrome Web Store wants patience: The store’s words.',
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
        message: 'Chrome Web Store could not be worked with: The store’s words. It is tried again.',
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
        message: 'Chrome Web Store could not be worked with: The store’s words. It is tried again.',
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
        message: 'Chrome Web Store could not be worked with: The store’s words. It is tried again.',
        isFailure: true,
        release: null,
      },
    ],
  ])('%s', (_sentence, kind, context, then) => {
    expect(judged(kind, 'The store’s words.', context)).toEqual(then);
  });
});

describe('while the store is asked again for what it refused', () => {
  const refusal: Refusal = { step: 'submit', kind: 'config', message: 'No.' };

  it.each<[sentence: string, refusal: Refusal | null, shown: Phase, planned: Phase, keeps: boolean]>([
    ['a person is still needed', refusal, 'action_required', 'submitting', true],
    ['a wait is still one', refusal, 'queued', 'uploading', true],
    ['a version that is offered to more users is not live again', refusal, 'action_required', 'live', true],
    ['a target that was enabled anew shows what is done', refusal, 'idle', 'submitting', false],
    ['nor is it live before the store says so', refusal, 'idle', 'live', true],
    ['and without a refusal everything is as it is planned', null, 'queued', 'submitting', false],
  ])('%s', (_sentence, refused, shown, planned, keeps) => {
    expect(keepsShowing(refused, shown, planned)).toBe(keeps);
  });
});
