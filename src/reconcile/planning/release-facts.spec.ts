import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { known, type Observed, SUBMISSION_STATES } from '../../stores/pure.js';
import type { ReleaseEntity } from '../releases/release.entity.js';
import { stateShown } from './release-facts.js';
import { RELEASE_STATES, type ReleaseState } from './release-state.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const UNKNOWN = { known: false } as const;
const OBSERVED: Observed = {
  live: UNKNOWN,
  submission: UNKNOWN,
  upload: UNKNOWN,
  takenDown: false,
  warned: false,
  rolloutPercent: null,
  raw: null,
};

/** Version 1.0, which is not the pinned one. */
const releaseIn = (state: ReleaseState): ReleaseEntity =>
  ({ version: '1.0', state, stateAt: NOW, intent: null }) as ReleaseEntity;

describe('a version that is no longer wanted', () => {
  it.each<[sentence: string, was: ReleaseState, live: Observed['live'], submission: Observed['submission'], unknown]>([
    ['is live where the store shows it', 'superseded', known('1.0.0'), UNKNOWN, 'live'],
    ['is replaced once another is live', 'live', known('1.1'), known(null), 'superseded'],
    ['is replaced where the store shows no submission', 'live', known('1.1'), UNKNOWN, 'superseded'],
    ['is replaced by an older one that a store brought back', 'live', known('0.9'), UNKNOWN, 'superseded'],
    ['stays live while the store does not say what is', 'live', UNKNOWN, UNKNOWN, null],
    ['stays live while the store shows nothing of it or another', 'live', known(null), UNKNOWN, null],
    ['is over when nothing is live or submitted', 'live', known(null), known(null), 'superseded'],
    ['stays in review where the store shows no submission', 'in_review', known('1.1'), UNKNOWN, null],
    ['is over when it had not arrived', 'uploading', UNKNOWN, UNKNOWN, 'superseded'],
    ['stays rejected', 'rejected', known('1.1'), known(null), null],
  ])('%s', (_sentence, was, live, submission, shown) => {
    expect(stateShown(releaseIn(was), { ...OBSERVED, live, submission }, NOW)).toBe(shown);
  });

  it('is never live beside another one, whatever the store shows of submissions', () => {
    const versions = fc.constantFrom('0.9', '1.0', '1.0.0', '1.1');
    const submissions = fc.oneof(
      fc.constant<Observed['submission']>(UNKNOWN),
      fc.constant<Observed['submission']>(known(null)),
      fc.record({ version: versions, state: fc.constantFrom(...SUBMISSION_STATES) }).map((held) => known(held)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...RELEASE_STATES), versions, submissions, (was, live, submission) => {
        const release = releaseIn(was);
        const shown = stateShown(release, { ...OBSERVED, live: known(live), submission }, NOW) ?? was;
        expect(shown === 'live').toBe(live.startsWith('1.0'));
      }),
    );
  });
});
