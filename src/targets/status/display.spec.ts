import { describe, expect, it } from 'vitest';
import { displayOf, type Displayed } from './display.js';
import { PHASES } from './phase.js';

const target = (rest: Partial<Displayed>): Displayed => ({
  phase: 'live',
  paused: false,
  isReleasedByHand: false,
  isReleaseRequested: false,
  approval: null,
  ...rest,
});

describe('how a target is shown', () => {
  it.each<[string, Partial<Displayed>, string]>([
    ['a live version', {}, 'live live null'],
    ['a review', { phase: 'in_review' }, 'in review underway store'],
    ['an approval', { phase: 'approved' }, 'approved underway pierhead'],
    ['an approval that waits to be released', { phase: 'approved', isReleasedByHand: true }, 'approved needs_you you'],
    [
      'an approval that is being released',
      { phase: 'approved', isReleasedByHand: true, isReleaseRequested: true },
      'approved underway pierhead',
    ],
    ['a paused target', { paused: true }, 'live, paused off null'],
    ['a paused target in review', { phase: 'in_review', paused: true }, 'in review, paused off null'],
    ['a paused target that was rejected', { phase: 'rejected', paused: true }, 'rejected, paused rejected you'],
    [
      'a version that waits for an approval',
      { phase: 'action_required', approval: 'waiting' },
      'waits for approval needs_you you',
    ],
    [
      'a version that another person rejected',
      { phase: 'action_required', approval: 'rejected' },
      'not approved rejected you',
    ],
    ['a target that is off', { phase: 'disabled', paused: true }, 'off off null'],
  ])('%s', (_, rest, expected) => {
    const { word, tone, turn } = displayOf(target(rest));
    expect(`${word} ${tone} ${turn}`).toBe(expected);
  });

  it('is a matter for a person exactly where it looks like one', () => {
    for (const phase of PHASES)
      for (const paused of [false, true])
        for (const isReleasedByHand of [false, true]) {
          const { tone, turn } = displayOf(target({ phase, paused, isReleasedByHand }));
          expect(turn === 'you').toBe(tone === 'needs_you' || tone === 'rejected');
        }
  });
});
