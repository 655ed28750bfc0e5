import { describe, expect, it } from 'vitest';
import { cellOf, messageOf } from './display.js';
import type { Target } from './targets.js';

const LISTING = 'https://addons.mozilla.org/addon/owl%40example.com/';
const plain = (_format: unknown, text: string): string => text;
const LIVE = { word: 'live', tone: 'live', turn: null, progress: 5 } as const;
const targetWith = (
  status: Partial<Target['status']>,
  display: Target['display'] = LIVE,
  rollout: Partial<NonNullable<Target['rollout']>> | null = null,
): Target =>
  ({
    listing: LISTING,
    rolloutPercent: 50,
    display,
    rollout,
    status: { message: 'The store says so.', ...status },
  }) as Target;
const TENTH = { percent: 10, asked: null, users: null, since: null };

describe('a target', () => {
  const live = { phase: 'live', liveVersion: '1.6.0', desiredVersion: '1.6.0' } as const;
  it.each<[string, Target, string]>([
    ['that is live', targetWith(live), '● 1.6.0 live'],
    ['that is live under another spelling', targetWith({ ...live, desiredVersion: '1.6' }), '● 1.6.0 live'],
    [
      'that the store offers to a share, whatever the target wants',
      targetWith(live, LIVE, TENTH),
      '● 1.6.0 live for 10 % of users',
    ],
    [
      'that the store offers to more, as soon as it is asked',
      targetWith(live, LIVE, { ...TENTH, asked: 25, users: 48_000 }),
      '● 1.6.0 live for 10 % → 25 % of 48,000 users',
    ],
    [
      'that has rested for a while',
      targetWith(live, LIVE, { ...TENTH, since: new Date(Date.now() - 7_500_000).toISOString() }),
      '● 1.6.0 live for 10 % of users, 2 h',
    ],
    [
      'that rests with a share',
      targetWith(live, { ...LIVE, word: 'live, paused', tone: 'off' }, TENTH),
      '– 1.6.0 live for 10 % of users, paused',
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
    expect(cellOf(targetWith(live, LIVE, { ...TENTH, users: 48_000 }), plain, true)).toBe('● 1.6.0 live for 10 %');
  });

  it('has its listing with the message exactly when the pinned version is live', () => {
    const waiting = { word: 'waiting', tone: 'underway', turn: 'pierhead', progress: 0 } as const;
    expect(messageOf(targetWith(live), plain)).toBe(`The store says so. ${LISTING}`);
    expect(messageOf({ ...targetWith(live), listing: null }, plain)).toBe('The store says so.');
    expect(messageOf(targetWith({ ...live, phase: 'queued' }, waiting), plain)).toBe('The store says so.');
  });
});
