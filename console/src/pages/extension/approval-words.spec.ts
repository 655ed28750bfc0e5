import { describe, expect, it } from 'vitest';
import { standingOf } from './approval-words';

type Given = Parameters<typeof standingOf>[0];
const standing = (rest: Partial<Given>): string => {
  const { state, word, next } = standingOf({
    state: 'waiting',
    decidedBy: null,
    reason: null,
    isYours: false,
    ...rest,
  });
  return `${state}: ${word}. ${next}`;
};

describe('how an approval stands', () => {
  it.each<[Partial<Given>, string]>([
    [{ isYours: true }, 'needs_you: waits for you. Nothing is sent to a store before you approve it.'],
    [
      {},
      'underway: waits for another person. Nothing is sent to a store before another person who may publish approves it.',
    ],
    [{ state: 'approved', decidedBy: 'bob@author.example' }, 'live: approved. bob@author.example approved it.'],
    [
      { state: 'rejected', decidedBy: 'bob@author.example', reason: 'It is late.' },
      'rejected: rejected. bob@author.example rejected it: It is late.',
    ],
    [
      { state: 'withdrawn' },
      'off: withdrawn. Other content or another version was pinned since, or approvals are no longer required.',
    ],
  ])('%j', (given, expected) => {
    expect(standing(given)).toBe(expected);
  });
});
