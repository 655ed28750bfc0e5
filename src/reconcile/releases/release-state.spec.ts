import { describe, expect, it } from 'vitest';
import {
  canMove,
  hasEnded,
  hasFailed,
  isBeforeSubmission,
  RELEASE_STATES,
  TRANSITIONS,
  wasSubmitted,
  type ReleaseState,
} from './release-state.js';

const ON_ITS_WAY: readonly ReleaseState[] = ['queued', 'uploading', 'processing', 'submitting'];
const AT_THE_STORE: readonly ReleaseState[] = ['in_review', 'approved', 'releasing'];
const ENDS: readonly ReleaseState[] = ['live', 'rejected', 'failed', 'superseded', 'cancelled'];

/** All states that can follow one another from a state. */
function reachableFrom(start: ReleaseState): ReadonlySet<ReleaseState> {
  const reached = new Set<ReleaseState>([start]);
  for (const state of reached) for (const next of TRANSITIONS[state]) reached.add(next);
  return reached;
}

describe('a release', () => {
  it.each<[sentence: string, from: ReleaseState, to: ReleaseState, isAllowed: boolean]>([
    ['sets out with its upload', 'queued', 'uploading', true],
    ['sets out with its submission where the store has the build', 'queued', 'submitting', true],
    ['is found in review although it has not set out: a person sent it', 'queued', 'in_review', true],
    ['is not processed before it is uploaded', 'queued', 'processing', false],
    ['is uploaded and processed', 'uploading', 'processing', true],
    ['is uploaded and done', 'uploading', 'submitting', true],
    ['is found in review although the answer to its upload was lost', 'uploading', 'in_review', true],
    ['is processed and done', 'processing', 'submitting', true],
    ['is uploaded again when the store lost it', 'processing', 'uploading', true],
    ['is uploaded again when its draft has become old', 'submitting', 'uploading', true],
    ['starts again when another version got in its way', 'submitting', 'queued', true],
    ['goes to review', 'submitting', 'in_review', true],
    ['goes live without a review', 'submitting', 'live', true],
    ['is not processed once it may have been submitted', 'submitting', 'processing', false],
    ['is approved', 'in_review', 'approved', true],
    ['goes live at once when it is approved', 'in_review', 'live', true],
    ['is rejected', 'in_review', 'rejected', true],
    ['is cancelled', 'in_review', 'cancelled', true],
    ['is not uploaded while it is in review', 'in_review', 'uploading', false],
    ['is not submitted while it is in review', 'in_review', 'submitting', false],
    ['does not go back in the line while it is in review', 'in_review', 'queued', false],
    ['is reviewed once more', 'approved', 'in_review', true],
    ['is released', 'approved', 'releasing', true],
    ['is released again when the store did not take it', 'releasing', 'approved', true],
    ['is not uploaded while it is released', 'releasing', 'uploading', false],
    ['goes live', 'releasing', 'live', true],
    ['is replaced by a newer one', 'live', 'superseded', true],
    ['is not sent again once it was live', 'live', 'uploading', false],
    ['is not sent again once it was rejected', 'rejected', 'uploading', false],
    ['is not submitted again once it was rejected', 'rejected', 'submitting', false],
    ['is found in review after a person sent it again', 'rejected', 'in_review', true],
    ['is found live after the store changed its mind', 'rejected', 'live', true],
    ['is not sent again once its package was refused', 'failed', 'uploading', false],
    ['is found in review after a person sent the refused package', 'failed', 'in_review', true],
    ['is not sent again once it was cancelled', 'cancelled', 'submitting', false],
    ['was thought lost, and is found rejected', 'cancelled', 'rejected', true],
    ['was thought lost, and is found live', 'cancelled', 'live', true],
    ['was thought replaced, and is found live', 'superseded', 'live', true],
    ['is not brought back once it was replaced', 'superseded', 'queued', false],
  ])('%s: %s to %s', (_sentence, from, to, isAllowed) => {
    expect(canMove(from, to)).toBe(isAllowed);
  });

  it.each(RELEASE_STATES)('may stay %s', (state) => {
    expect(canMove(state, state)).toBe(true);
    expect(TRANSITIONS[state]).not.toContain(state);
  });

  it.each(RELEASE_STATES)('that is %s has no duplicate transitions', (state) => {
    expect(new Set(TRANSITIONS[state]).size).toBe(TRANSITIONS[state].length);
  });

  it('can reach every state', () => {
    expect(reachableFrom('queued')).toEqual(new Set(RELEASE_STATES));
  });

  it.each(RELEASE_STATES)('that is %s can be found live', (state) => {
    expect(reachableFrom(state)).toContain('live');
  });

  it.each([...ON_ITS_WAY, ...AT_THE_STORE])('that is %s can reach every end at once', (state) => {
    expect(TRANSITIONS[state]).toEqual(expect.arrayContaining([...ENDS]));
  });

  it.each(ENDS)('that ended as %s never begins again', (state) => {
    for (const step of ON_ITS_WAY) expect(reachableFrom(state)).not.toContain(step);
  });

  it.each(ON_ITS_WAY)('that is %s may be found in any state at the store', (state) => {
    expect(TRANSITIONS[state]).toEqual(expect.arrayContaining([...AT_THE_STORE]));
  });
});

describe('the kinds of states', () => {
  it('are distinct for every state', () => {
    const predicates = Object.entries({ isBeforeSubmission, wasSubmitted, hasEnded, hasFailed });
    const kindsOf = (state: ReleaseState): string[] => predicates.flatMap(([name, is]) => (is(state) ? [name] : []));
    const kinds = Object.fromEntries(RELEASE_STATES.map((state) => [state, kindsOf(state)]));
    expect(kinds).toEqual({
      queued: ['isBeforeSubmission'],
      uploading: ['isBeforeSubmission'],
      processing: ['isBeforeSubmission'],
      submitting: ['isBeforeSubmission'],
      in_review: ['wasSubmitted'],
      approved: ['wasSubmitted'],
      releasing: ['wasSubmitted'],
      live: ['hasEnded'],
      rejected: ['wasSubmitted', 'hasEnded', 'hasFailed'],
      failed: ['hasEnded', 'hasFailed'],
      superseded: ['hasEnded'],
      cancelled: ['wasSubmitted', 'hasEnded', 'hasFailed'],
    });
  });
});
