import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { compareVersions } from '../version.js';
import { StoreFailure, type FailureKind } from '../failures/store-failure.js';
import { buildToSubmit, spellingsOf, type SafariBuild } from './safari.builds.js';
import { assertOurs, itemOf, usableReview, type Review } from './safari.reviews.js';
import { planSubmission } from './safari.submission-plan.js';
import type { SafariVersion, VersionState } from './safari.states.js';

const STATES: readonly VersionState[] = [
  'draft',
  'live',
  'replaced',
  'in_review',
  'approved',
  'releasing',
  'rejected',
  'cancelled',
  'unknown',
];

const at = (version: string, state: VersionState): SafariVersion => ({
  id: `${version} ${state}`,
  version,
  state,
  isParked: false,
  releaseType: 'MANUAL',
  earliestReleaseDate: undefined,
  buildId: null,
  phased: null,
});

const kindOf = (decide: () => unknown): FailureKind | null => {
  try {
    decide();
    return null;
  } catch (error) {
    if (error instanceof StoreFailure) return error.kind;
    throw error;
  }
};

describe('the plan to submit 1.1', () => {
  const standing = (...versions: readonly SafariVersion[]) => planSubmission(versions, '1.1');

  it.each<[string, SafariVersion | null, boolean, readonly SafariVersion[]]>([
    ['as the first version', null, false, []],
    ['as an update', null, true, [at('1.0', 'live')]],
    ['from its own draft', at('1.1.0', 'draft'), true, [at('1.0', 'live'), at('1.1.0', 'draft')]],
    ['from a lower draft', at('1.0.5', 'draft'), true, [at('1.0', 'live'), at('1.0.5', 'draft')]],
    ['after a refusal', at('1.1', 'rejected'), true, [at('1.0', 'live'), at('1.1', 'rejected')]],
    ['after a withdrawal, as the first', at('1.0', 'cancelled'), false, [at('1.0', 'cancelled')]],
    ['beside an old version in a new state', null, true, [at('1.0', 'live'), at('0.9', 'unknown')]],
  ])('%s', (_, slot, isUpdate, versions) => {
    expect(standing(...versions)).toEqual({ isSubmitted: false, slot, isUpdate });
  });

  it.each<VersionState>(['live', 'releasing', 'approved', 'in_review'])('has nothing to do when it is %s', (state) => {
    expect(standing(at('1.0', 'replaced'), at('1.1', state))).toMatchObject({ isSubmitted: true });
  });

  it.each<[FailureKind, string, readonly SafariVersion[]]>([
    ['artifact', 'below what is live', [at('1.2', 'live')]],
    ['artifact', 'below what was live', [at('1.2', 'replaced'), at('1.0', 'live')]],
    ['artifact', 'after it was replaced', [at('1.1', 'replaced'), at('1.2', 'live')]],
    ['wait', 'while another is in review', [at('1.0', 'live'), at('1.0.5', 'in_review')]],
    ['wait', 'while another is approved', [at('1.2', 'approved')]],
    ['wait', 'while another is released', [at('1.0.5', 'releasing')]],
    ['wait', 'while another is who knows where', [at('1.0', 'live'), at('1.2', 'unknown')]],
    ['wait', 'while it is who knows where', [at('1.1', 'unknown')]],
    ['config', 'below what somebody prepares', [at('1.0', 'live'), at('1.2', 'draft')]],
    ['config', 'below what was refused', [at('1.2', 'rejected')]],
  ])('is %s %s', (kind, _, versions) => {
    expect(kindOf(() => standing(...versions))).toBe(kind);
  });

  it('never reuses a version that is in progress or higher', () => {
    const version = fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))
      .map((one) => one.join('.'));
    const versions = fc.array(fc.tuple(version, fc.constantFrom(...STATES)).map(([one, state]) => at(one, state)));
    fc.assert(
      fc.property(versions, version, (held, desired) => {
        let decided;
        try {
          decided = planSubmission(held, desired);
        } catch (error) {
          expect(error).toBeInstanceOf(StoreFailure);
          return;
        }
        if (decided.isSubmitted || decided.slot === null) return;
        expect(['draft', 'rejected', 'cancelled']).toContain(decided.slot.state);
        expect(compareVersions(decided.slot.version, desired)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe('the build of 1.1', () => {
  const build = (number: string, processing: string | undefined, more: Partial<SafariBuild> = {}): SafariBuild => ({
    id: number,
    number,
    version: '1.1.0',
    processing,
    encryption: 'exempt',
    isForTestersOnly: false,
    ...more,
  });

  it.each<[string, string, readonly SafariBuild[]]>([
    ['the newest', '2', [build('2', 'VALID'), build('1', 'VALID')]],
    ['the newest that did not fail', '1', [build('3', 'FAILED'), build('2', 'INVALID'), build('1', 'VALID')]],
    ['none for testers', '1', [build('2', 'VALID', { isForTestersOnly: true }), build('1', 'VALID')]],
    ['none of another version', 'wait', [build('1', 'VALID', { version: '1.2' })]],
    ['awaited while it is processed', 'wait', [build('2', 'PROCESSING'), build('1', 'VALID')]],
    ['awaited in a state that no document names', 'wait', [build('2', 'PONDERED')]],
    ['awaited without a state', 'wait', [build('2', undefined)]],
    ['awaited when there is none', 'wait', []],
    ['to be delivered again', 'config', [build('2', 'FAILED')]],
    ['to be delivered for the store', 'config', [build('2', 'VALID', { isForTestersOnly: true })]],
  ])('is %s', (_, expected, builds) => {
    const kind = kindOf(() => buildToSubmit(builds, '1.1', { id: '1', ownBuild: null }));
    expect(kind ?? buildToSubmit(builds, '1.1', { id: '1', ownBuild: null }).id).toBe(expected);
  });

  it('is the one that Pierhead uploaded, and no other', () => {
    const builds = [build('3', 'VALID'), build('2', 'VALID'), build('1', 'VALID')];
    expect(buildToSubmit(builds, '1.1', { id: '1', ownBuild: '2' }).id).toBe('2');
    expect(kindOf(() => buildToSubmit(builds, '1.1', { id: '1', ownBuild: '9' }))).toBe('wait');
  });

  it.each<[string, readonly string[]]>([
    ['1', ['1', '1.0', '1.0.0']],
    ['1.2', ['1.2', '1.2.0']],
    ['1.2.0.0', ['1.2', '1.2.0']],
    ['1.2.3', ['1.2.3']],
    ['0', ['0', '0.0', '0.0.0']],
  ])('%s may be spelled %j', (version, spellings) => {
    expect(spellingsOf(version)).toEqual(spellings);
  });

  it.each(['1.2.3.4', '0.0.0.1', 'one'])('does not exist for %s', (version) => {
    expect(kindOf(() => spellingsOf(version))).toBe('artifact');
  });
});

describe('the review submission to use', () => {
  const review = (state: string | undefined, versionId: string | null = null): Review => ({
    id: `${state} ${versionId}`,
    state,
    versionId,
  });

  it.each<[string, Review | null | FailureKind, readonly Review[]]>([
    ['has to be made', null, []],
    ['is one that was not sent', review('READY_FOR_REVIEW'), [review('READY_FOR_REVIEW')]],
    ['is its own', review('READY_FOR_REVIEW', 'v'), [review('READY_FOR_REVIEW'), review('READY_FOR_REVIEW', 'v')]],
    ['is its own that was refused', review('UNRESOLVED_ISSUES', 'v'), [review('UNRESOLVED_ISSUES', 'v')]],
    ['is its own that was sent', review('IN_REVIEW', 'v'), [review('IN_REVIEW', 'v')]],
    ['is made beside one of other things', null, [review('IN_REVIEW'), review('UNRESOLVED_ISSUES')]],
    ['has to wait for another version', 'wait', [review('WAITING_FOR_REVIEW', 'w')]],
    ['has to wait for what is withdrawn', 'wait', [review('CANCELING', 'v')]],
    ['has to wait for what is ending', 'wait', [review('READY_FOR_REVIEW'), review('COMPLETING', 'w')]],
    ['leaves alone what no document names', null, [review('PONDERED')]],
  ])('%s', (_, expected, open) => {
    const kind = kindOf(() => usableReview(open, 'v'));
    expect(kind ?? usableReview(open, 'v')).toEqual(expected);
  });

  const item = (versionId: string | null, state = 'READY_FOR_REVIEW') => ({ id: '1', state, versionId });

  it('contains a version whose item was not removed', () => {
    expect(itemOf([item('v', 'REMOVED'), item('v', 'REJECTED')], 'v')).toEqual(item('v', 'REJECTED'));
    expect(itemOf([item('v', 'REMOVED'), item('w')], 'v')).toBeUndefined();
  });

  it('contains no items of others', () => {
    expect(kindOf(() => assertOurs([item('v'), item(null, 'REMOVED')], 'v'))).toBeNull();
    expect(kindOf(() => assertOurs([item('v'), item(null)], 'v'))).toBe('config');
    expect(kindOf(() => assertOurs([item('w')], 'v'))).toBe('config');
  });
});
