import { describe, expect, it } from 'vitest';
import { PHASES, TARGET_REQUESTS, type Phase } from './status/phase.js';
import { requestRefusal } from './target-requests.js';
import type { TargetWithStatus } from './status/target-status.entity.js';

interface Facts {
  readonly enabled?: boolean;
  readonly releaseMode?: 'auto' | 'manual';
  readonly desiredVersion?: string | null;
  readonly submittedVersion?: string | null;
  readonly resubmission?: boolean;
}

const accepted = (phase: Phase, facts: Facts = {}): readonly string[] => {
  const { enabled = true, releaseMode = 'manual', resubmission = true, ...versions } = facts;
  const status = { phase, message: 'So it is.', desiredVersion: '1.4.0', submittedVersion: '1.4.0', ...versions };
  const target = { enabled, releaseMode, status } as TargetWithStatus;
  const store = { title: 'A store', capabilities: { resubmission } } as Parameters<typeof requestRefusal>[2];
  return TARGET_REQUESTS.filter((request) => requestRefusal(request, target, store) === null);
};

describe('requests about the pinned version', () => {
  it('are taken in these phases alone', () => {
    expect(Object.fromEntries(PHASES.map((phase) => [phase, accepted(phase).join()]))).toEqual({
      ...Object.fromEntries(PHASES.map((phase) => [phase, ''])),
      in_review: 'release',
      approved: 'release',
      backing_off: 'release',
      rejected: 'resubmit',
      action_required: 'resubmit',
    });
  });

  it.each<[string, Phase, Facts, readonly string[]]>([
    ['released by itself', 'in_review', { releaseMode: 'auto' }, []],
    ['approved, and not known to be submitted by Pierhead', 'approved', { releaseMode: 'auto' }, ['release']],
    ['without a pinned version', 'approved', { desiredVersion: null }, []],
    ['failing, with another version submitted', 'backing_off', { submittedVersion: '1.3.0' }, []],
    ['failing, with nothing submitted', 'backing_off', { submittedVersion: null }, []],
    ['failing, with the same version in another form', 'backing_off', { submittedVersion: '1.4' }, ['release']],
    ['rejected at a store that takes no version twice', 'rejected', { resubmission: false }, []],
    ['waiting for a person at such a store', 'action_required', { resubmission: false }, ['resubmit']],
    ['switched off', 'action_required', { enabled: false }, []],
  ])('depend on more: %s', (_, phase, facts, expected) => expect(accepted(phase, facts)).toEqual(expected));
});
