import { expect, it } from 'vitest';
import { byAttention, type Placed } from './order.js';

const placed = (
  id: string,
  tones: Placed['tones'],
  users: number | null = null,
  installs: number | null = null,
): Placed => ({
  id,
  tones,
  users,
  installs,
});

it.each<[string, ...(readonly Placed[])]>([
  [
    'what was refused, what needs you, what moves, what is live, what is off, and what is not set up',
    placed('f', ['rejected', 'live']),
    placed('e', ['live', 'needs_you']),
    placed('d', ['underway', 'live']),
    placed('c', ['live', 'off']),
    placed('b', ['off']),
    placed('a', []),
  ],
  ['a few users that need you before many that do not', placed('a', ['needs_you'], 10), placed('b', ['live'], 10_000)],
  ['more users first', placed('a', ['live'], 500), placed('b', ['live'], 20), placed('c', ['live'])],
  ['installs where no store tells', placed('a', ['live'], null, 300), placed('b', ['live'], 200, 900)],
  ['the newest first where all else is the same', placed('b', ['live'], 5), placed('a', ['live'], 5)],
])('sorts %s', (_, ...expected) => {
  expect(expected.toReversed().toSorted(byAttention)).toEqual(expected);
});
