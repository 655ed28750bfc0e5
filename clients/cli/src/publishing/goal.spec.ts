import { describe, expect, it } from 'vitest';
import { GOALS, isSameVersion, waitResultOf, type Goal, type WaitResult } from './goal.js';
import type { Target } from './targets.js';

const BEFORE = '2026-11-22T09:59:00.000Z';
const CHANGED = '2026-11-22T10:00:00.000Z';
const AFTER = '2026-11-22T10:01:00.000Z';

type Change = Partial<Omit<Target, 'status'>> & { readonly status?: Partial<Target['status']> };

type Shown = Pick<Target['display'], 'tone' | 'turn' | 'progress'>;

/** What the service says of these phases. */
const SHOWN: Readonly<Partial<Record<Target['status']['phase'], Shown>>> = {
  queued: { tone: 'underway', turn: 'pierhead', progress: 0 },
  uploading: { tone: 'underway', turn: 'pierhead', progress: 1 },
  submitting: { tone: 'underway', turn: 'pierhead', progress: 2 },
  in_review: { tone: 'underway', turn: 'store', progress: 3 },
  approved: { tone: 'underway', turn: 'pierhead', progress: 4 },
  live: { tone: 'live', turn: null, progress: 5 },
  rejected: { tone: 'rejected', turn: 'you', progress: 3 },
  action_required: { tone: 'needs_you', turn: 'you', progress: 0 },
  backing_off: { tone: 'underway', turn: 'pierhead', progress: 0 },
  taken_down: { tone: 'rejected', turn: 'you', progress: 5 },
};

const target = ({ status, ...change }: Change): Target =>
  ({
    enabled: true,
    paused: false,
    updatedAt: CHANGED,
    display: SHOWN[status?.phase ?? 'queued'],
    ...change,
    status: {
      phase: 'queued',
      desiredVersion: '1.4.0',
      liveVersion: '1.3.0',
      submittedVersion: null,
      checkedAt: AFTER,
      missing: [],
      ...status,
    },
  }) as Target;

const resultOf = (change: Change, goal: Goal): WaitResult => waitResultOf(target(change), { version: '1.4.0', goal });
const everyGoal = (change: Change): WaitResult[] => GOALS.map((goal) => resultOf(change, goal));

describe('a version that is waited for', () => {
  it.each<[string, Change, WaitResult[]]>([
    ['is on its way', { status: { phase: 'uploading' } }, ['waiting', 'waiting', 'waiting']],
    ['is being submitted', { status: { phase: 'submitting' } }, ['waiting', 'waiting', 'waiting']],
    ['is tried again', { status: { phase: 'backing_off' } }, ['waiting', 'waiting', 'waiting']],
    ['is in review', { status: { phase: 'in_review', submittedVersion: '1.4.0' } }, ['reached', 'waiting', 'waiting']],
    ['is approved', { status: { phase: 'approved' } }, ['reached', 'reached', 'waiting']],
    [
      'is approved and waits for a release',
      { display: { word: 'approved', tone: 'needs_you', turn: 'you', progress: 4 }, status: { phase: 'approved' } },
      ['reached', 'reached', 'needsPerson'],
    ],
    [
      'waits for an approval',
      {
        display: { word: 'waits for approval', tone: 'needs_you', turn: 'you', progress: 1 },
        status: { phase: 'action_required', approval: 'waiting' },
      },
      ['waiting', 'waiting', 'waiting'],
    ],
    [
      'was rejected by another person',
      {
        display: { word: 'not approved', tone: 'rejected', turn: 'you', progress: 1 },
        status: { phase: 'action_required', approval: 'rejected' },
      },
      ['needsPerson', 'needsPerson', 'needsPerson'],
    ],
    ['is live', { status: { phase: 'live', liveVersion: '1.4' } }, ['reached', 'reached', 'reached']],
    [
      'was live before it was pushed again',
      { status: { phase: 'live', liveVersion: '1.4.0', checkedAt: BEFORE } },
      ['reached', 'reached', 'reached'],
    ],
    ['waits behind the live version', { status: { phase: 'live' } }, ['waiting', 'waiting', 'waiting']],
    [
      'waits behind another one in review',
      { status: { phase: 'in_review', submittedVersion: '1.3.9' } },
      ['waiting', 'waiting', 'waiting'],
    ],
    ['is rejected', { status: { phase: 'rejected' } }, ['rejected', 'rejected', 'rejected']],
    [
      'follows one that was rejected',
      { status: { phase: 'rejected', checkedAt: BEFORE } },
      ['waiting', 'waiting', 'waiting'],
    ],
    ['is the first', { status: { phase: 'action_required', checkedAt: null } }, ['waiting', 'waiting', 'waiting']],
    ['needs a person', { status: { phase: 'action_required' } }, ['needsPerson', 'needsPerson', 'needsPerson']],
    ['was taken down', { status: { phase: 'taken_down' } }, ['rejected', 'rejected', 'rejected']],
    [
      'has no credential',
      { status: { phase: 'incomplete', missing: ['credentialId'], checkedAt: null } },
      ['needsPerson', 'needsPerson', 'needsPerson'],
    ],
    ['has a target that was disabled', { enabled: false }, ['needsPerson', 'needsPerson', 'needsPerson']],
    ['is paused', { paused: true, status: { phase: 'in_review' } }, ['reached', 'needsPerson', 'needsPerson']],
    ['is followed by a newer one', { status: { desiredVersion: '1.5.0' } }, ['replaced', 'replaced', 'replaced']],
  ])('%s', (_case, change, results) => expect(everyGoal(change)).toEqual(results));
});

it.each([
  ['1.0', '1.0.0', true],
  ['1.0.0.0', '1', true],
  ['0.0', '0', true],
  ['1.10', '1.1', false],
  ['10', '1.0', false],
  ['1.0', null, false],
  [null, null, false],
])('%s and %s are one version: %s', (one, other, expected) => expect(isSameVersion(one, other)).toBe(expected));
