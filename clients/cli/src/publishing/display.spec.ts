import { describe, expect, it } from '@jest/globals';
import { cellOf, messageOf, totalsOf, urgencyOf } from './display.js';
import type { Target } from './targets.js';

const LISTING = 'https://addons.mozilla.org/addon/owl%40example.com/';
const plain = (_format: unknown, text: string): string => text;
const LIVE = { word: 'live', tone: 'live', turn: null, progress: 5 } as const;
const targetWith = (status: Partial<Target['status']>, display: Target['display'] = LIVE): Target =>
  ({
    listing: LISTING,
    rolloutPercent: 50,
    display,
    status: { message: 'The store says so.', offeredPercent: null, ...status },
  }) as Target;

describe('a target', () => {
  const live = { phase: 'live', liveVersion: '1.6.0', desiredVersion: '1.6.0' } as const;
  it.each<[string, Target, string]>([
    ['that is live', targetWith(live), '● 1.6.0 live'],
    ['that is live under another spelling', targetWith({ ...live, desiredVersion: '1.6' }), '● 1.6.0 live'],
    [
      'that the store offers to a share, whatever the target wants',
      targetWith({ ...live, offeredPercent: 10 }),
      '● 1.6.0 live for 10 %',
    ],
    [
      'that rests with a share',
      targetWith({ ...live, offeredPercent: 10 }, { ...LIVE, word: 'live, paused', tone: 'off' }),
      '– 1.6.0 live for 10 %, paused',
    ],
    [
      'whose older version is live while the pinned one waits',
      targetWith(
        { phase: 'queued', liveVersion: '1.5.0', desiredVersion: '1.6.0' },
        { word: 'waiting', tone: 'underway', turn: 'pierhead', progress: 0 },
      ),
      '◔ 1.5.0 → 1.6.0 waiting',
    ],
    [
      'that needs a person',
      targetWith(
        { phase: 'incomplete', liveVersion: null, desiredVersion: null },
        { word: 'not set up', tone: 'needs_you', turn: 'you', progress: 0 },
      ),
      '! not set up',
    ],
  ])('%s', (_, target, cell) => expect(cellOf(target, plain)).toBe(cell));

  it('is told without what is live where there is little room', () => {
    const waiting = { word: 'waiting', tone: 'underway', turn: 'pierhead', progress: 0 } as const;
    const versions = { phase: 'queued', liveVersion: '1.5.0', desiredVersion: '1.6.0' } as const;
    expect(cellOf(targetWith(versions, waiting), plain, true)).toBe('◔ 1.6.0 waiting');
    expect(cellOf(targetWith(live), plain, true)).toBe('● 1.6.0 live');
  });

  it('has its listing with the message exactly when the pinned version is live', () => {
    const waiting = { word: 'waiting', tone: 'underway', turn: 'pierhead', progress: 0 } as const;
    expect(messageOf(targetWith(live), plain)).toBe(`The store says so. ${LISTING}`);
    expect(messageOf({ ...targetWith(live), listing: null }, plain)).toBe('The store says so.');
    expect(messageOf(targetWith({ ...live, phase: 'queued' }, waiting), plain)).toBe('The store says so.');
  });
});

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
