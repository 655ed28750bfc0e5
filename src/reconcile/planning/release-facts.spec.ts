import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { known, type Observed, SUBMISSION_STATES, type SubmissionState } from '../../stores/pure.js';
import { RELEASE_STATES, type ReleaseEntity, type ReleaseState } from '../releases/pure.js';
import { currentRelease, earlierVerdict, stateShown } from './release-facts.js';

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

const shown = (state: SubmissionState): Observed['submission'] => known({ version: '1.0', state });

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
    ['stays in review while the store does not say what is live', 'in_review', UNKNOWN, known(null), null],
    ['is where its submission is', 'in_review', UNKNOWN, shown('approved'), 'approved'],
    ['is cancelled where a person withdrew it', 'in_review', UNKNOWN, shown('cancelled'), 'cancelled'],
    [
      'keeps its state where the store shows one that Pierhead does not know',
      'in_review',
      UNKNOWN,
      shown('unknown'),
      null,
    ],
    ['keeps being released while the store still shows the approval', 'releasing', UNKNOWN, shown('approved'), null],
    ['is rejected also while it is being released', 'releasing', UNKNOWN, shown('rejected'), 'rejected'],
    [
      'is over when another submission took its place',
      'uploading',
      known('1.1'),
      known({ version: '1.2', state: 'in_review' }),
      'superseded',
    ],
  ])('%s', (_sentence, was, live, submission, shown) => {
    expect(stateShown(releaseIn(was), { ...OBSERVED, live, submission }, NOW)).toBe(shown);
  });

  it('is superseded once the store shows the withdrawal that Pierhead asked for, and only then', () => {
    const withdrawn = { ...releaseIn('in_review'), intent: { step: 'cancel' } } as ReleaseEntity;
    const show = (state: SubmissionState) => stateShown(withdrawn, { ...OBSERVED, submission: shown(state) }, NOW);
    expect([show('cancelled'), show('in_review')]).toEqual(['superseded', 'in_review']);
  });

  it('is approved again when its release did not arrive in time', () => {
    const later = new Date(NOW.getTime() + 86_400_000);
    expect(stateShown(releaseIn('releasing'), { ...OBSERVED, submission: shown('approved') }, later)).toBe('approved');
    expect(stateShown(releaseIn('in_review'), { ...OBSERVED, submission: shown('approved') }, NOW)).toBe('approved');
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

describe('the release of the pinned version', () => {
  const [BEFORE, AFTER] = [new Date(NOW.getTime() - 1), new Date(NOW.getTime() + 1)];
  it.each<
    [string, ReleaseState, { enabledAt?: Date; replacedAt?: Date; artifactId?: string; platform?: string }, boolean]
  >([
    ['is the newest one', 'in_review', {}, true],
    ['is none once it was superseded', 'superseded', {}, false],
    ['stays when it failed', 'failed', {}, true],
    ['stays when it failed after the target was enabled', 'failed', { enabledAt: BEFORE }, true],
    ['stays when it failed as the target was enabled', 'failed', { enabledAt: NOW }, true],
    ['is none when it failed before the target was enabled again', 'failed', { enabledAt: AFTER }, false],
    ['is none when it was cancelled before the target was enabled again', 'cancelled', { enabledAt: AFTER }, false],
    ['goes on when the target is enabled again', 'in_review', { enabledAt: AFTER }, true],
    ['stays when it failed after its content was pushed', 'failed', { replacedAt: BEFORE }, true],
    ['stays when it failed as its content was pushed', 'failed', { replacedAt: NOW }, true],
    ['is none when it failed before other content was pushed', 'failed', { replacedAt: AFTER }, false],
    ['is none when it failed with another package', 'failed', { artifactId: 'other' }, false],
    ['goes on with another package', 'in_review', { artifactId: 'other', replacedAt: AFTER }, true],
    ['stays rejected with another package', 'rejected', { artifactId: 'other' }, true],
    ['is none when another signed package was rejected', 'rejected', { artifactId: 'other', platform: 'macos' }, false],
    ['is none when another signed package was withdrawn', 'cancelled', { artifactId: 'other', platform: 'ios' }, false],
    ['stays rejected with the same signed package', 'rejected', { platform: 'macos' }, true],
    ['goes on with another signed package', 'in_review', { artifactId: 'other', platform: 'macos' }, true],
  ])('%s', (_, state, { enabledAt = null, replacedAt = null, artifactId = 'pinned', platform = '' }, isCurrent) => {
    const release = { ...releaseIn(state), artifactId };
    const older = { ...releaseIn('live'), artifactId: 'pinned' };
    const other = { ...releaseIn('live'), version: '1.1' };
    const pinned = { id: 'pinned', storeVersion: '1.0.0', replacedAt, platform };
    expect(currentRelease([other, release, older], { enabledAt }, pinned)).toBe(isCurrent ? release : null);
    expect(currentRelease([other], { enabledAt }, pinned)).toBeNull();
  });
});

it.each<[Observed['submission'], ReleaseEntity['earlierVerdict']]>([
  [known({ version: '1.0.0', state: 'rejected' }), 'rejected'],
  [known({ version: '1.0', state: 'cancelled' }), 'cancelled'],
  [known({ version: '1.0', state: 'in_review' }), null],
  [known({ version: '1.1', state: 'rejected' }), null],
  [known(null), null],
  [UNKNOWN, null],
])('the verdict of %j on the version before it is submitted again is %s', (submission, verdict) => {
  expect(earlierVerdict(releaseIn('failed'), { ...OBSERVED, submission })).toBe(verdict);
});
