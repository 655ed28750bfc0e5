import { expect, it } from 'vitest';
import type { FailureKind } from '../../stores/index.js';
import { RELEASE_STATES, type ReleaseState } from './release-state.js';
import { displayOfRelease } from './release-display.js';

it.each<[ReleaseState, FailureKind | null, boolean, string]>([
  ['queued', null, false, 'waiting underway'],
  // A version at Safari whose build has not been delivered.
  ['submitting', 'wait', false, 'waiting underway'],
  ['in_review', 'wait', false, 'in review underway'],
  ['submitting', 'retry', false, 'trying again underway'],
  ['queued', 'config', false, 'needs you needs_you'],
  ['in_review', 'credential', false, 'needs you needs_you'],
  ['approved', null, true, 'approved needs_you'],
  ['approved', null, false, 'approved underway'],
  ['live', 'retry', false, 'live live'],
  ['rejected', 'config', false, 'rejected rejected'],
  ['failed', 'artifact', false, 'failed rejected'],
  ['superseded', null, false, 'replaced off'],
  ['cancelled', null, false, 'withdrawn off'],
])('%s after %s, held: %s', (state, refusal, isHeld, expected) => {
  const { word, tone } = displayOfRelease(state, refusal, isHeld);
  expect(`${word} ${tone}`).toBe(expected);
});

it('every state has a display', () => {
  for (const state of RELEASE_STATES) expect(displayOfRelease(state, null, false).word).not.toBe('');
});
