import { describe, expect, it } from 'vitest';
import { rolloutOf, type RolloutFacts, type RolloutState } from './rollout.js';

const SINCE = new Date('2026-11-21T12:00:00Z');
const FACTS: RolloutFacts = {
  liveVersion: '2.2.0',
  desiredVersion: '2.2.0',
  offeredPercent: 10,
  offeredSince: SINCE,
  liveByPierhead: true,
  rolloutPercent: 10,
  paused: false,
  users: 48_000,
};
const CHROME = {
  title: 'Chrome Web Store',
  capabilities: { rolloutAboveUsers: 10_000, widensByItself: false, rollback: true },
};
const APP_STORE = {
  title: 'App Store',
  capabilities: { rolloutAboveUsers: null, widensByItself: true, rollback: false },
};
const AT_REST: RolloutState = {
  version: '2.2.0',
  percent: 10,
  asked: null,
  users: 48_000,
  since: SINCE,
  steps: [25, 50, 100],
  anyPercent: true,
  canHalt: true,
  canRollBack: true,
  note: null,
};
const STUCK = { steps: [], anyPercent: false };

describe('a rollout', () => {
  it.each<[sentence: string, facts: Partial<RolloutFacts>, expected: Partial<RolloutState> | null]>([
    ['rests until somebody widens it', {}, {}],
    ['is none where all users get the version', { offeredPercent: null }, null],
    ['is none where nothing is live', { liveVersion: null }, null],
    [
      'proposes what is larger than the share',
      { offeredPercent: 25, rolloutPercent: 25 },
      { percent: 25, steps: [50, 100] },
    ],
    ['proposes all users above a half', { offeredPercent: 60, rolloutPercent: 60 }, { percent: 60, steps: [100] }],
    ['proposes a tenth to less', { offeredPercent: 1, rolloutPercent: 1 }, { percent: 1, steps: [10, 25, 50, 100] }],
    ['shows the share that is asked for', { rolloutPercent: 25 }, { asked: 25, steps: [50, 100] }],
    ['proposes nothing once all are asked for', { rolloutPercent: null }, { asked: 100, ...STUCK }],
    ['never shrinks', { offeredPercent: 50, rolloutPercent: 10 }, { percent: 50, steps: [100] }],
    ['is widened without knowing the users', { users: null }, { users: null }],
    ['is widened with one user more than too few', { users: 10_001 }, { users: 10_001 }],
    [
      'stays with too few users',
      { users: 10_000 },
      {
        users: 10_000,
        ...STUCK,
        note: 'Chrome Web Store raises the share of items with more than 10,000 weekly users alone.',
      },
    ],
    [
      'stays while halted',
      { paused: true },
      { ...STUCK, canHalt: false, note: 'While it is paused, Pierhead raises no share.' },
    ],
    [
      'keeps what was asked for while halted',
      { paused: true, rolloutPercent: 50 },
      { asked: 50, ...STUCK, canHalt: false, note: expect.any(String) as never },
    ],
    [
      'is left to who published it',
      { liveByPierhead: false, rolloutPercent: 50 },
      { ...STUCK, canHalt: false, note: 'It was published in the dashboard, so its share can only be raised there.' },
    ],
    [
      'stays once a newer version is pinned',
      { desiredVersion: '2.3.0', rolloutPercent: 50 },
      { ...STUCK, canHalt: false, note: 'Version 2.3.0 is pinned, so Pierhead raises no share of 2.2.0.' },
    ],
    [
      'stays where nothing is pinned',
      { desiredVersion: null },
      { ...STUCK, canHalt: false, note: 'No version is pinned, so Pierhead raises no share.' },
    ],
    ['takes another spelling for the same version', { desiredVersion: '2.2' }, {}],
  ])('%s', (_sentence, facts, expected) => {
    expect(rolloutOf({ ...FACTS, ...facts }, CHROME)).toEqual(expected && { ...AT_REST, ...expected });
  });

  it.each<[sentence: string, facts: Partial<RolloutFacts>, expected: Partial<RolloutState>]>([
    ['can only be ended early', {}, { steps: [100] }],
    ['is not asked for another share', { rolloutPercent: 50 }, { steps: [100] }],
    ['is asked for all users', { rolloutPercent: null }, { asked: 100, steps: [] }],
    ['goes on while the target is paused', { paused: true }, { steps: [] }],
  ])('that rises by itself %s, and is halted in the dashboard alone', (_sentence, facts, expected) => {
    expect(rolloutOf({ ...FACTS, ...facts, users: null }, APP_STORE)).toMatchObject({
      users: null,
      anyPercent: false,
      canHalt: false,
      canRollBack: false,
      note: 'App Store raises the share by itself, and only its dashboard can pause that.',
      ...expected,
    });
  });
});
