import { describe, expect, it } from 'vitest';
import type { Target } from './targets.js';
import { totalsOf, urgencyOf } from './totals.js';

const LIVE = { word: 'live', tone: 'live', turn: null, progress: 5 } as const;
const plain = (_format: unknown, text: string): string => text;

describe('targets together', () => {
  const of = (...tones: readonly Target['display']['tone'][]) => tones.map((tone) => ({ display: { ...LIVE, tone } }));

  it.each([
    [of(), ''],
    [of('live'), '1 live'],
    [of('rejected'), '1 needs you'],
    [of('live', 'off', 'needs_you', 'underway', 'rejected', 'live'), '2 need you, 1 underway, 2 live, 1 off'],
  ])('are counted, those that need somebody first', (targets, totals) => expect(totalsOf(targets, plain)).toBe(totals));

  it('are as urgent as the most urgent of them', () => {
    const urgencies = (['rejected', 'needs_you', 'underway', 'live', 'off'] as const).map((tone) =>
      urgencyOf(of('off', tone)),
    );
    expect(urgencies).toEqual([...new Set(urgencies)].toSorted((one, other) => one - other));
    expect(urgencyOf([])).toBeGreaterThan(urgencyOf(of('off')));
  });
});
