import { describe, expect, it } from 'vitest';
import {
  known,
  UNKNOWN,
  type Known,
  type Observed,
  type SubmissionState,
  type UploadState,
} from '../../stores/pure.js';
import type { Phase } from '../../targets/index.js';
import { plan } from './planner.js';
import type { PlanningFacts, NextStep, ReleaseFacts } from './plan.js';
import type { ReleaseState, StepName } from '../releases/pure.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const PIN = '1.1';
const NOT_SHOWN = 'untold';
const NOT_SENT =
  'Pierhead holds it. Push a mended package under the same number, for this store alone where others have it, or override the finding.';

/** Kinds of stores, by what they can do. */
const KINDS = {
  /** One draft that anyone may replace, reviews can be withdrawn. */
  draft: {
    requiresArtifact: true,
    canCancel: true,
    supersedesPending: false,
    sharedDraft: true,
    widensByItself: false,
    canReadInReview: true,
    resubmission: true,
  },
  /** Each upload has its own id, reviews cannot be withdrawn. */
  upload: {
    requiresArtifact: true,
    canCancel: false,
    supersedesPending: false,
    sharedDraft: false,
    widensByItself: false,
    canReadInReview: true,
    resubmission: false,
  },
  /** A newer submission replaces the one in review. */
  superseding: {
    requiresArtifact: true,
    canCancel: false,
    supersedesPending: true,
    sharedDraft: false,
    widensByItself: false,
    canReadInReview: true,
    resubmission: false,
  },
  /** One draft; the store does not show what was submitted. */
  silent: {
    requiresArtifact: true,
    canCancel: false,
    supersedesPending: false,
    sharedDraft: true,
    widensByItself: false,
    canReadInReview: false,
    resubmission: false,
  },
  /** Builds reach the store in another way. */
  builds: {
    requiresArtifact: false,
    canCancel: true,
    supersedesPending: false,
    sharedDraft: false,
    widensByItself: true,
    canReadInReview: true,
    resubmission: true,
  },
} satisfies Record<string, PlanningFacts['capabilities']>;

interface Given {
  readonly pin?: string | null;
  readonly live?: string | null;
  readonly lastLive?: string;
  readonly lastSubmitted?: string;
  readonly submission?: readonly [version: string, state: SubmissionState] | typeof NOT_SHOWN | null;
  readonly upload?: UploadState | typeof NOT_SHOWN;
  readonly takenDown?: boolean;
  readonly warned?: boolean;
  readonly question?: string;
  /** The release's state, and for how many minutes it has been in it. */
  readonly release?: readonly [state: ReleaseState, minutes: number];
  readonly submittedByPierhead?: boolean;
  readonly earlierVerdict?: ReleaseFacts['earlierVerdict'];
  readonly kind?: keyof typeof KINDS;
  readonly hasApp?: boolean;
  readonly onPending?: PlanningFacts['onPending'];
  readonly pendingSubmittedByPierhead?: boolean;
  readonly pendingIsReleasable?: boolean;
  readonly isHeld?: boolean;
  readonly wasReenabled?: boolean;
  readonly isReleaseRequested?: boolean;
  readonly isPaused?: boolean;
  /** In how many minutes the sources are due, for which the store waits. */
  readonly sourceDueIn?: number;
  /** What is offered, and what is wanted. */
  readonly rollout?: readonly [offered: number | null, wanted: number | null];
  /** What the store last took, and how many minutes ago. */
  readonly rolledOut?: readonly [percent: number, minutes: number];
  readonly rollbackOf?: string;
  readonly isOtherContent?: boolean;
  readonly refusal?: string;
  /** What the store says about the rejection that it shows. */
  readonly words?: string;
  /** What the store would refuse in the pinned package. */
  readonly refusals?: readonly string[];
  readonly unapproved?: 'waiting' | 'rejected';
}
type Then = readonly [step: StepName, phase: Phase, release: ReleaseState | null];
type Row = readonly [sentence: string, given: Given, then: Then];

const shown = <T>(value: T | typeof NOT_SHOWN): Known<T> => (value === NOT_SHOWN ? UNKNOWN : known(value));

function decide(given: Given): NextStep {
  const { live = null, submission = null, upload = 'none', release } = given;
  const observed: Observed = {
    live: shown<string | null>(live),
    submission:
      submission === NOT_SHOWN
        ? UNKNOWN
        : known(
            submission === null
              ? null
              : {
                  version: submission[0],
                  state: submission[1],
                  ...(given.words === undefined ? {} : { words: given.words }),
                },
          ),
    upload: shown<UploadState>(upload),
    takenDown: given.takenDown ?? false,
    warned: given.warned ?? false,
    rolloutPercent: given.rollout?.[0] ?? null,
    question: given.question,
    raw: null,
  };
  const facts: ReleaseFacts | null =
    release === undefined
      ? null
      : {
          state: release[0],
          since: new Date(NOW.getTime() - release[1] * 60_000),
          submittedByPierhead: given.submittedByPierhead ?? false,
          earlierVerdict: given.earlierVerdict ?? null,
          rollout:
            given.rolledOut === undefined
              ? null
              : { percent: given.rolledOut[0], since: new Date(NOW.getTime() - given.rolledOut[1] * 60_000) },
          refusal: given.refusal ?? null,
          isOtherContent: given.isOtherContent ?? false,
        };
  return plan(given.pin === undefined ? PIN : given.pin, observed, facts, {
    capabilities: KINDS[given.kind ?? 'draft'],
    hasApp: given.hasApp ?? false,
    onPending: given.onPending ?? 'wait',
    pendingSubmittedByPierhead: given.pendingSubmittedByPierhead ?? false,
    pendingIsReleasable: given.pendingIsReleasable ?? false,
    isHeld: given.isHeld ?? false,
    refusals: given.refusals ?? [],
    clearance: { held: given.unapproved ?? null, why: 'Nobody approved it.' },
    isReleaseRequested: given.isReleaseRequested ?? false,
    wasReenabled: given.wasReenabled ?? false,
    isPaused: given.isPaused ?? false,
    rolloutPercent: given.rollout?.[1] ?? null,
    rollbackOf: given.rollbackOf ?? null,
    sourceDueAt: given.sourceDueIn === undefined ? null : new Date(NOW.getTime() + given.sourceDueIn * 60_000),
    lastLive: given.lastLive ?? null,
    lastSubmitted: given.lastSubmitted ?? null,
    now: NOW,
  });
}

const TAKEN_DOWN: Then = ['ask_human', 'taken_down', null];
const LIVE: Then = ['nothing', 'live', 'live'];
const ABOVE: Then = ['nothing', 'live', 'superseded'];
const UPLOAD: Then = ['upload', 'uploading', null];
const SUBMIT: Then = ['submit', 'submitting', null];
const REJECTED: Then = ['ask_human', 'rejected', 'rejected'];
const CANCELLED: Then = ['ask_human', 'action_required', 'cancelled'];
const BLOCKED: Then = ['wait', 'queued', 'queued'];
const TAKEN: Then = ['ask_human', 'action_required', null];

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  'an item that the store has taken down': [
    ['needs a person', { takenDown: true }, TAKEN_DOWN],
    ['needs a person even when nothing is pinned', { takenDown: true, pin: null }, TAKEN_DOWN],
    ['needs a person even when the pinned version is live', { takenDown: true, live: '1.1' }, TAKEN_DOWN],
    [
      'has its package sent again later, when another submission was seen to replace the draft',
      { takenDown: true, release: ['processing', 1], submission: ['1.2', 'in_review'] },
      ['ask_human', 'taken_down', 'queued'],
    ],
    ['gets no upload', { takenDown: true, release: ['uploading', 1] }, TAKEN_DOWN],
    [
      'keeps its package while its own submission is pending',
      { takenDown: true, release: ['in_review', 1], submission: ['1.1', 'in_review'] },
      TAKEN_DOWN,
    ],
    [
      'keeps its package while another submission was refused',
      { takenDown: true, release: ['processing', 1], submission: ['1.2', 'rejected'] },
      TAKEN_DOWN,
    ],
    [
      'has no package to send again before it was pinned',
      { takenDown: true, submission: ['1.2', 'in_review'] },
      TAKEN_DOWN,
    ],
    ['is driven on while the store only warns', { warned: true }, UPLOAD],
  ],
  'without a pin': [
    ['nothing happens', { pin: null }, ['nothing', 'idle', null]],
    ['nothing happens to what is live', { pin: null, live: '1.0' }, ['nothing', 'idle', null]],
    ['nothing happens to a review', { pin: null, submission: ['1.0', 'approved'] }, ['nothing', 'idle', null]],
    [
      'nothing happens when the store no longer tells',
      { pin: null, live: NOT_SHOWN, lastLive: '1.0' },
      ['nothing', 'idle', null],
    ],
    ['nothing happens when the store tells nothing', { pin: null, live: NOT_SHOWN }, ['nothing', 'idle', null]],
  ],
  'the pinned version is live': [
    ['so there is nothing to do', { live: '1.1' }, LIVE],
    ['however the store writes its number', { live: '1.1.0' }, LIVE],
    ['whatever the release was thought to be', { live: '1.1', release: ['failed', 5] }, LIVE],
    ['as last seen at a store that does not show it now', { live: NOT_SHOWN, lastLive: '1.1' }, LIVE],
    ['even if the store shows it in review as well', { live: '1.1', submission: ['1.1', 'in_review'] }, LIVE],
    ['even if a person has a newer one in review', { live: '1.1', submission: ['1.2', 'in_review'] }, LIVE],
    ['even if the store shows an old refusal of it', { live: '1.1', submission: ['1.1', 'rejected'] }, LIVE],
  ],
  'a higher version than the pinned one is live': [
    ['so nothing is written, and the release is over', { live: '1.2' }, ABOVE],
    ['by number and not by letter', { live: '1.10' }, ABOVE],
    ['as last seen at a store that does not show it now', { live: NOT_SHOWN, lastLive: '1.2' }, ABOVE],
    ['no longer, as the store shows now: go on', { live: '1.0', lastLive: '1.2' }, UPLOAD],
    ['so an upload under way ends', { live: '1.2', release: ['uploading', 1] }, ABOVE],
    [
      'so an approved submission is not released',
      { live: '1.2', submission: ['1.1', 'approved'], submittedByPierhead: true },
      ABOVE,
    ],
    ['so a refusal is no longer shown', { live: '1.2', release: ['rejected', 60] }, ABOVE],
  ],
  'the pinned version is at the store': [
    ['in review: wait', { submission: ['1.1', 'in_review'] }, ['wait', 'in_review', 'in_review']],
    [
      'in review, held by a question of the store: its author answers',
      { submission: ['1.1', 'in_review'], question: 'The store asks something.' },
      ['ask_human', 'action_required', 'in_review'],
    ],
    [
      'in review, sent by a person: wait as well',
      { submission: ['1.1', 'in_review'], release: ['queued', 1] },
      ['wait', 'in_review', 'in_review'],
    ],
    [
      'in review after the answer to the submission was lost: wait, do not send it twice',
      { submission: ['1.1', 'in_review'], release: ['submitting', 1], submittedByPierhead: true },
      ['wait', 'in_review', 'in_review'],
    ],
    [
      'in review, although it was thought refused: wait',
      { submission: ['1.1', 'in_review'], release: ['failed', 1] },
      ['wait', 'in_review', 'in_review'],
    ],
    [
      'in review again after it was live: wait',
      { submission: ['1.1', 'in_review'], release: ['live', 60] },
      ['wait', 'in_review', 'in_review'],
    ],
    ['in an unknown state: wait', { submission: ['1.1', 'unknown'] }, ['wait', 'in_review', 'in_review']],
    [
      'approved and sent by Pierhead: release it',
      { submission: ['1.1', 'approved'], release: ['in_review', 90], submittedByPierhead: true },
      ['release', 'releasing', 'approved'],
    ],
    [
      'approved and sent by a person: leave the release to that person',
      { submission: ['1.1', 'approved'], release: ['in_review', 90] },
      ['wait', 'approved', 'approved'],
    ],
    [
      'approved and perhaps sent by a person, and its release is asked for: release it',
      { submission: ['1.1', 'approved'], release: ['approved', 90], isReleaseRequested: true },
      ['release', 'releasing', 'approved'],
    ],
    [
      'still shown as approved just after that was asked for: do not release it twice',
      { submission: ['1.1', 'approved'], release: ['releasing', 14], isReleaseRequested: true },
      ['wait', 'releasing', null],
    ],
    [
      'approved before Pierhead knew of it: leave it to the sender',
      { submission: ['1.1', 'approved'] },
      ['wait', 'approved', 'approved'],
    ],
    [
      'still shown as approved just after it was released: do not release it twice',
      { submission: ['1.1', 'approved'], release: ['releasing', 14], submittedByPierhead: true },
      ['wait', 'releasing', null],
    ],
    [
      'still shown as approved long after it was released: release it again',
      { submission: ['1.1', 'approved'], release: ['releasing', 15], submittedByPierhead: true },
      ['release', 'releasing', 'approved'],
    ],
    [
      'being released: wait',
      { submission: ['1.1', 'releasing'], release: ['approved', 1], submittedByPierhead: true },
      ['wait', 'releasing', 'releasing'],
    ],
  ],
  'the store shows a verdict on the pinned version': [
    ['rejected in review: ask a person', { submission: ['1.1', 'rejected'], release: ['in_review', 60] }, REJECTED],
    ['rejected after approval: ask a person', { submission: ['1.1', 'rejected'], release: ['approved', 60] }, REJECTED],
    [
      'rejected, as known: ask a person still',
      { submission: ['1.1', 'rejected'], release: ['rejected', 60] },
      REJECTED,
    ],
    ['cancelled in review: ask a person', { submission: ['1.1', 'cancelled'], release: ['in_review', 60] }, CANCELLED],
    [
      'rejected before the lost answer to its submission was missed: ask a person',
      { submission: ['1.1', 'rejected'], release: ['submitting', 1], submittedByPierhead: true },
      REJECTED,
    ],
    [
      'cancelled before the lost answer to its submission was missed: ask a person',
      {
        submission: ['1.1', 'cancelled'],
        release: ['submitting', 1],
        submittedByPierhead: true,
        earlierVerdict: 'rejected',
      },
      CANCELLED,
    ],
    [
      'rejected while the draft of an uncertain submission is sent once more: ask a person',
      { submission: ['1.1', 'rejected'], release: ['uploading', 1], submittedByPierhead: true },
      REJECTED,
    ],
    [
      'rejected after an uncertain submission of it, which then had to wait: ask a person',
      { submission: ['1.1', 'rejected'], release: ['queued', 1], submittedByPierhead: true },
      REJECTED,
    ],
    [
      'rejected when somebody else sent it, before this release set out: send it',
      { submission: ['1.1', 'rejected'] },
      UPLOAD,
    ],
    [
      'rejected earlier, and the target was enabled again: send it',
      { submission: ['1.1', 'rejected'], release: ['queued', 1] },
      UPLOAD,
    ],
    [
      'rejected earlier, and the new draft is not submitted yet: submit it',
      { submission: ['1.1', 'rejected'], release: ['submitting', 1] },
      SUBMIT,
    ],
    [
      'rejected earlier, and the new submission failed: submit it',
      {
        submission: ['1.1', 'rejected'],
        release: ['submitting', 1],
        submittedByPierhead: true,
        earlierVerdict: 'rejected',
      },
      SUBMIT,
    ],
    [
      'rejected earlier, and just submitted again: the old verdict does not count yet',
      {
        submission: ['1.1', 'rejected'],
        release: ['in_review', 14],
        submittedByPierhead: true,
        earlierVerdict: 'rejected',
      },
      ['wait', 'in_review', null],
    ],
    [
      'rejected earlier, and submitted again a while ago: rejected once more',
      {
        submission: ['1.1', 'rejected'],
        release: ['in_review', 15],
        submittedByPierhead: true,
        earlierVerdict: 'rejected',
      },
      REJECTED,
    ],
    [
      'cancelled earlier, and rejected just after it was submitted again: rejected',
      {
        submission: ['1.1', 'rejected'],
        release: ['in_review', 1],
        submittedByPierhead: true,
        earlierVerdict: 'cancelled',
      },
      REJECTED,
    ],
  ],
  'the pinned version ended without being live': [
    ['rejected: ask a person', { release: ['rejected', 60] }, ['ask_human', 'rejected', null]],
    ['refused as a package: ask a person', { release: ['failed', 60] }, ['ask_human', 'rejected', null]],
    ['cancelled: ask a person', { release: ['cancelled', 60] }, ['ask_human', 'action_required', null]],
    [
      'refused as a package, while the store shows a verdict on the same number: it stays as it ended',
      { release: ['failed', 60], submission: ['1.1', 'rejected'], submittedByPierhead: true },
      ['ask_human', 'rejected', null],
    ],
    [
      'and another version is in review: it is not said to follow',
      { release: ['rejected', 60], submission: ['1.2', 'in_review'] },
      ['ask_human', 'rejected', null],
    ],
    [
      'and an own older one is in review: it is not withdrawn for nothing',
      {
        release: ['failed', 60],
        submission: ['1.0', 'in_review'],
        onPending: 'replace',
        pendingSubmittedByPierhead: true,
      },
      ['ask_human', 'rejected', null],
    ],
  ],
  'the pinned version was live and is not any more': [
    ['for a moment: wait', { live: '1.0', release: ['live', 14] }, ['wait', 'releasing', null]],
    [
      'for good: ask a person, do not fight one',
      { live: '1.0', release: ['live', 15] },
      ['ask_human', 'action_required', null],
    ],
    ['as nothing is: ask a person', { live: null, release: ['live', 60] }, ['ask_human', 'action_required', null]],
    [
      'as far as the store tells: believe what was seen',
      { live: NOT_SHOWN, release: ['live', 60] },
      ['nothing', 'live', null],
    ],
    [
      'while another version is in review: it is not said to follow',
      { live: '1.0', release: ['live', 60], submission: ['1.2', 'in_review'] },
      ['ask_human', 'action_required', null],
    ],
  ],
  'another version stands in the way': [
    ['in review: wait', { submission: ['1.0', 'in_review'] }, BLOCKED],
    ['approved: wait', { submission: ['1.0', 'approved'] }, BLOCKED],
    [
      'approved, and Pierhead may let it go live: release it, as the slot is free only then',
      { submission: ['1.0', 'approved'], pendingSubmittedByPierhead: true, pendingIsReleasable: true },
      ['release', 'queued', 'queued'],
    ],
    [
      'approved, and higher than the pinned one: it is not wanted any more',
      { submission: ['1.2', 'approved'], pendingSubmittedByPierhead: true, pendingIsReleasable: true },
      BLOCKED,
    ],
    ['being released: wait', { submission: ['1.0', 'releasing'] }, BLOCKED],
    ['in an unknown state: wait', { submission: ['1.0', 'unknown'] }, BLOCKED],
    ['higher than the pinned one: wait', { submission: ['1.2', 'in_review'] }, BLOCKED],
    ['rejected: it blocks nothing', { submission: ['1.0', 'rejected'] }, UPLOAD],
    ['cancelled: it blocks nothing', { submission: ['1.0', 'cancelled'] }, UPLOAD],
    [
      'in review, ours, and the target says replace: withdraw it',
      { submission: ['1.0', 'in_review'], onPending: 'replace', pendingSubmittedByPierhead: true },
      ['cancel', 'queued', 'queued'],
    ],
    [
      'approved, ours, and the target says replace: withdraw it',
      { submission: ['1.0', 'approved'], onPending: 'replace', pendingSubmittedByPierhead: true },
      ['cancel', 'queued', 'queued'],
    ],
    [
      'in review, sent by a person: never withdraw it',
      { submission: ['1.0', 'in_review'], onPending: 'replace' },
      BLOCKED,
    ],
    [
      'in review, ours, and the target says wait: wait',
      { submission: ['1.0', 'in_review'], onPending: 'wait', pendingSubmittedByPierhead: true },
      BLOCKED,
    ],
    [
      'in review, ours, at a store that cannot withdraw: wait',
      { submission: ['1.0', 'in_review'], onPending: 'replace', pendingSubmittedByPierhead: true, kind: 'upload' },
      BLOCKED,
    ],
    [
      'being released, ours: too late to withdraw',
      { submission: ['1.0', 'releasing'], onPending: 'replace', pendingSubmittedByPierhead: true },
      BLOCKED,
    ],
    [
      'in an unknown state, ours: not withdrawn',
      { submission: ['1.0', 'unknown'], onPending: 'replace', pendingSubmittedByPierhead: true },
      BLOCKED,
    ],
    ['at a store that supersedes by itself: go on', { submission: ['1.0', 'in_review'], kind: 'superseding' }, UPLOAD],
    [
      'higher, at a store that supersedes by itself: a lower one must not drop it',
      { submission: ['1.2', 'in_review'], kind: 'superseding' },
      BLOCKED,
    ],
    [
      'while the pinned one was thought in review: wait before asking anybody',
      { submission: ['1.2', 'in_review'], release: ['in_review', 60] },
      BLOCKED,
    ],
    ['while an upload is under way: wait', { submission: ['1.0', 'in_review'], release: ['processing', 1] }, BLOCKED],
  ],
  'the pinned version was sent and the store shows it nowhere': [
    ['since a moment: wait', { release: ['in_review', 14] }, ['wait', 'in_review', null]],
    ['since a quarter of an hour: ask a person', { release: ['in_review', 15] }, CANCELLED],
    ['approved a moment ago: wait', { release: ['approved', 14] }, ['wait', 'approved', null]],
    ['approved a quarter of an hour ago: ask a person', { release: ['approved', 15] }, CANCELLED],
    ['released a while ago: stores take hours', { release: ['releasing', 359] }, ['wait', 'releasing', null]],
    ['released six hours ago: ask a person', { release: ['releasing', 360] }, CANCELLED],
    [
      'because the store never tells: wait for ever',
      { release: ['in_review', 60 * 24 * 30], submission: NOT_SHOWN },
      ['wait', 'in_review', null],
    ],
    [
      'but the store does not tell what is live, which may be it: wait',
      { release: ['in_review', 60], live: NOT_SHOWN },
      ['wait', 'in_review', null],
    ],
    [
      'while another version’s refusal is shown: ask a person, do not send it again',
      { release: ['in_review', 60], submission: ['1.0', 'rejected'] },
      CANCELLED,
    ],
    [
      'because a newer one superseded it: ask a person',
      { release: ['in_review', 60], submission: ['1.0', 'in_review'], kind: 'superseding' },
      CANCELLED,
    ],
  ],
  'the pinned version is to be brought to the store': [
    ['for the first time: upload', {}, UPLOAD],
    ['over a lower one that was last seen live: upload', { live: NOT_SHOWN, lastLive: '1.0' }, UPLOAD],
    ['over a lower live one: upload', { live: '1.0' }, UPLOAD],
    ['to a store that tells nothing: upload', { live: NOT_SHOWN, submission: NOT_SHOWN, upload: NOT_SHOWN }, UPLOAD],
    ['queued: upload', { release: ['queued', 500] }, UPLOAD],
    ['superseded once and pinned again: upload', { release: ['superseded', 500] }, UPLOAD],
    ['without a package of ours: submit at once', { kind: 'builds' }, SUBMIT],
    ['with a signed package: upload it', { kind: 'builds', hasApp: true }, UPLOAD],
    ['after the answer to an upload was lost: upload again', { release: ['uploading', 1] }, UPLOAD],
    [
      'and the store is at the upload: ask again',
      { release: ['processing', 60], upload: 'processing' },
      ['poll', 'validating', null],
    ],
    [
      'and the upload is ready: ask for the outcome',
      { release: ['processing', 60], upload: 'ready' },
      ['poll', 'validating', null],
    ],
    [
      'and the upload failed: ask for the reason',
      { release: ['processing', 60], upload: 'failed' },
      ['poll', 'validating', null],
    ],
    [
      'and the store says nothing yet of the upload: ask again',
      { release: ['processing', 10] },
      ['poll', 'validating', null],
    ],
    ['and the store says nothing of the upload any more: upload again', { release: ['processing', 11] }, UPLOAD],
    [
      'and the store never tells of uploads: ask again',
      { release: ['processing', 60], upload: NOT_SHOWN },
      ['poll', 'validating', null],
    ],
    ['and is uploaded: submit', { release: ['submitting', 30] }, SUBMIT],
    [
      'and lies in a draft that somebody may have replaced: upload again first',
      { release: ['submitting', 31] },
      UPLOAD,
    ],
    [
      'and lies under an id of its own: submit, however late',
      { release: ['submitting', 600], kind: 'upload', upload: 'ready' },
      SUBMIT,
    ],
    [
      'and lay under an id that the store has forgotten: upload again',
      { release: ['submitting', 600], kind: 'upload' },
      UPLOAD,
    ],
    ['and is a build at the store: submit, however late', { release: ['submitting', 600], kind: 'builds' }, SUBMIT],
    [
      'and is a signed package that is still there: submit, however late',
      { release: ['submitting', 600], kind: 'builds', hasApp: true, upload: 'ready' },
      SUBMIT,
    ],
    [
      'and is a signed package that is gone: upload again',
      { release: ['submitting', 1], kind: 'builds', hasApp: true },
      UPLOAD,
    ],
    [
      'and brings an older one back, of which it is not known whether it arrived: roll back again',
      { rollbackOf: '1.0', live: '1.0.5', release: ['submitting', 1] },
      ['rollback', 'releasing', null],
    ],
    ['and brings an older one back: roll back', { rollbackOf: '1.0', live: '1.0.5' }, ['rollback', 'releasing', null]],
    [
      'and brings an older one back under the number of a package that was on its way: roll back, there is none to send',
      { rollbackOf: '1.0', live: '1.0.5', release: ['uploading', 1] },
      ['rollback', 'releasing', null],
    ],
    ['and the submission failed: submit again', { release: ['submitting', 1], submittedByPierhead: true }, SUBMIT],
  ],
  'a version of which the store was given other content than is pinned now': [
    ['is uploaded again while the upload is under way', { isOtherContent: true, release: ['uploading', 1] }, UPLOAD],
    [
      'is uploaded again instead of waiting for the other upload',
      { isOtherContent: true, release: ['processing', 1], upload: 'processing' },
      UPLOAD,
    ],
    ['is uploaded again before it is submitted', { isOtherContent: true, release: ['submitting', 1] }, UPLOAD],
    ['is uploaded when the other upload was refused', { isOtherContent: true, release: ['queued', 1] }, UPLOAD],
    [
      'is not uploaded before another version that is in review',
      { isOtherContent: true, release: ['submitting', 1], submission: ['1.0', 'in_review'] },
      BLOCKED,
    ],
    [
      'is not uploaded while the store does not say what became of a submission that it has shown',
      { isOtherContent: true, release: ['uploading', 1], submission: NOT_SHOWN, lastSubmitted: '1.1.0' },
      TAKEN,
    ],
    [
      'is uploaded where the store shows that the submission is gone',
      { isOtherContent: true, release: ['uploading', 1], lastSubmitted: '1.1.0' },
      UPLOAD,
    ],
    [
      'is uploaded where the store has shown another version only',
      { isOtherContent: true, release: ['uploading', 1], submission: NOT_SHOWN, lastSubmitted: '1.0' },
      UPLOAD,
    ],
    [
      'is not sent once the other content may have been submitted',
      { isOtherContent: true, release: ['submitting', 1], submittedByPierhead: true },
      TAKEN,
    ],
    [
      'is not called in review when the other content is',
      { isOtherContent: true, release: ['in_review', 1], submittedByPierhead: true, submission: ['1.1', 'in_review'] },
      TAKEN,
    ],
    [
      'is not released when the other content is approved',
      { isOtherContent: true, release: ['in_review', 1], submittedByPierhead: true, submission: ['1.1', 'approved'] },
      TAKEN,
    ],
    [
      'is not called live when the other content is',
      { isOtherContent: true, release: ['live', 1], submittedByPierhead: true, live: '1.1.0' },
      TAKEN,
    ],
    [
      'is not shown as live when a person has published it',
      { isOtherContent: true, release: ['submitting', 1], live: '1.1' },
      TAKEN,
    ],
    [
      'is not offered to more users',
      { isOtherContent: true, release: ['live', 5], submittedByPierhead: true, live: '1.1', rollout: [10, 50] },
      TAKEN,
    ],
    [
      'stays refused when the other content was',
      { isOtherContent: true, release: ['rejected', 5], submittedByPierhead: true },
      ['ask_human', 'rejected', null],
    ],
    [
      'is not called live when the other content is, of which the store refused a second submission',
      { isOtherContent: true, release: ['failed', 5], submittedByPierhead: true, live: '1.1' },
      TAKEN,
    ],
    [
      'is not released when the other content is approved after all',
      { isOtherContent: true, release: ['rejected', 5], submittedByPierhead: true, submission: ['1.1', 'approved'] },
      TAKEN,
    ],
    ['is below what is live by now', { isOtherContent: true, release: ['in_review', 1], live: '1.2' }, ABOVE],
  ],
  'the answer to a submission was lost, at a store that tells nothing of submissions': [
    [
      'a moment ago: submit again, the answer says more',
      {
        kind: 'silent',
        submission: NOT_SHOWN,
        release: ['submitting', 30],
        submittedByPierhead: true,
        upload: 'ready',
      },
      SUBMIT,
    ],
    [
      'long ago: ask a person, since what was refused meanwhile would be sent again',
      {
        kind: 'silent',
        submission: NOT_SHOWN,
        release: ['submitting', 31],
        submittedByPierhead: true,
        upload: 'ready',
      },
      ['ask_human', 'action_required', null],
    ],
    [
      'long ago, and a person enabled the target again: send it again',
      {
        kind: 'silent',
        submission: NOT_SHOWN,
        release: ['submitting', 31],
        submittedByPierhead: true,
        wasReenabled: true,
        upload: 'ready',
      },
      UPLOAD,
    ],
    [
      'long ago, and it is live: there is nothing to do',
      { kind: 'silent', submission: NOT_SHOWN, live: '1.1', release: ['submitting', 31], submittedByPierhead: true },
      LIVE,
    ],
    [
      'though the store refused that submission clearly: upload again',
      { kind: 'silent', submission: NOT_SHOWN, release: ['submitting', 31], upload: 'ready' },
      UPLOAD,
    ],
  ],
  'an approved version whose release is asked for by hand': [
    [
      'rests until then',
      { submission: ['1.1', 'approved'], release: ['in_review', 5], submittedByPierhead: true, isHeld: true },
      ['wait', 'approved', 'approved'],
    ],
    [
      'is released then',
      { submission: ['1.1', 'approved'], release: ['approved', 5], submittedByPierhead: true },
      ['release', 'releasing', 'approved'],
    ],
  ],
  'a version that is offered to a share of the users': [
    [
      'is offered to more when more are wanted',
      { live: '1.1', release: ['live', 5], submittedByPierhead: true, rollout: [10, 50] },
      ['rollout', 'live', 'live'],
    ],
    [
      'is left alone while the store does not show yet what it has just taken',
      { live: '1.1', release: ['live', 500], submittedByPierhead: true, rollout: [10, 50], rolledOut: [50, 14] },
      LIVE,
    ],
    [
      'is not offered to fewer than the store has just taken, if fewer are wanted after all',
      { live: '1.1', release: ['live', 500], submittedByPierhead: true, rollout: [10, 30], rolledOut: [50, 14] },
      LIVE,
    ],
    [
      'is offered to still more a moment after it was offered to more',
      { live: '1.1', release: ['live', 500], submittedByPierhead: true, rollout: [10, 100], rolledOut: [50, 1] },
      ['rollout', 'live', 'live'],
    ],
    [
      'is offered to more once more, if the store never shows it',
      { live: '1.1', release: ['live', 500], submittedByPierhead: true, rollout: [10, 50], rolledOut: [50, 15] },
      ['rollout', 'live', 'live'],
    ],
    [
      'is never offered to fewer',
      { live: '1.1', release: ['live', 5], submittedByPierhead: true, rollout: [50, 10] },
      LIVE,
    ],
    [
      'is offered to all when no share is named any more',
      { live: '1.1', release: ['live', 5], submittedByPierhead: true, rollout: [10, null] },
      ['rollout', 'live', 'live'],
    ],
    ['is left as it is when a person published it', { live: '1.1', release: ['live', 5], rollout: [10, 50] }, LIVE],
    [
      'is left to a store that widens it by itself',
      { live: '1.1', release: ['live', 5], submittedByPierhead: true, rollout: [1, 10], kind: 'builds' },
      LIVE,
    ],
    [
      'is offered to all at a store that widens it by itself, when all are wanted',
      { live: '1.1', release: ['live', 5], submittedByPierhead: true, rollout: [1, 100], kind: 'builds' },
      ['rollout', 'live', 'live'],
    ],
    [
      'stays with all users when it has come to them',
      { live: '1.1', release: ['live', 5], submittedByPierhead: true, rollout: [null, 50] },
      LIVE,
    ],
  ],
  'a paused target': [
    ['uploads nothing', { isPaused: true }, ['wait', 'queued', null]],
    ['submits nothing', { isPaused: true, release: ['submitting', 1] }, ['wait', 'queued', null]],
    [
      'withdraws nothing',
      { isPaused: true, submission: ['1.0', 'in_review'], onPending: 'replace', pendingSubmittedByPierhead: true },
      ['wait', 'queued', null],
    ],
    [
      'releases nothing',
      { isPaused: true, submission: ['1.1', 'approved'], release: ['approved', 1], submittedByPierhead: true },
      ['wait', 'approved', null],
    ],
    [
      'releases no earlier version either',
      { isPaused: true, submission: ['1.0', 'approved'], pendingSubmittedByPierhead: true, pendingIsReleasable: true },
      ['wait', 'queued', null],
    ],
    ['rolls nothing back', { isPaused: true, rollbackOf: '1.0' }, ['wait', 'queued', null]],
    [
      'widens nothing',
      { isPaused: true, live: '1.1', release: ['live', 5], submittedByPierhead: true, rollout: [10, 50] },
      ['wait', 'live', null],
    ],
    ['still sees a review end', { isPaused: true, live: '1.1' }, LIVE],
    ['still asks after an upload', { isPaused: true, release: ['processing', 1] }, ['poll', 'validating', null]],
    ['uploads nothing when its sources are late', { isPaused: true, sourceDueIn: -1 }, ['wait', 'queued', null]],
  ],
  'a version that the store would refuse': [
    ['is not uploaded', { refusals: ['It is old.'] }, TAKEN],
    ['is not uploaded again', { refusals: ['It is old.'], release: ['uploading', 1] }, TAKEN],
    [
      'is not uploaded instead of other content',
      { refusals: ['It is old.'], release: ['submitting', 1], isOtherContent: true },
      TAKEN,
    ],
    ['is still asked after', { refusals: ['It is old.'], release: ['processing', 1] }, ['poll', 'validating', null]],
    [
      'is submitted once the store has taken its package',
      { refusals: ['It is old.'], release: ['submitting', 1] },
      ['submit', 'submitting', null],
    ],
    [
      'withdraws no other version',
      {
        refusals: ['It is old.'],
        submission: ['1.0', 'in_review'],
        onPending: 'replace',
        pendingSubmittedByPierhead: true,
      },
      TAKEN,
    ],
    [
      'needs a person while another version is in review, too',
      { refusals: ['It is old.'], submission: ['1.0', 'in_review'] },
      TAKEN,
    ],
    [
      'lets an older version that is approved go live',
      {
        refusals: ['It is old.'],
        submission: ['1.0', 'approved'],
        pendingSubmittedByPierhead: true,
        pendingIsReleasable: true,
      },
      ['release', 'action_required', 'queued'],
    ],
    [
      'is released where the store has approved it all the same',
      { refusals: ['It is old.'], submission: ['1.1', 'approved'], release: ['queued', 1], submittedByPierhead: true },
      ['release', 'releasing', 'approved'],
    ],
    ['is live where the store has it all the same', { refusals: ['It is old.'], live: '1.1' }, LIVE],
    ['rests while the target is paused', { refusals: ['It is old.'], isPaused: true }, ['wait', 'queued', null]],
    ['needs a person before its sources do', { refusals: ['It is old.'], sourceDueIn: 60 }, TAKEN],
  ],
  'a version that another person has not approved': [
    ['is not uploaded', { unapproved: 'waiting' }, TAKEN],
    ['is not uploaded once it is rejected', { unapproved: 'rejected' }, TAKEN],
    ['is not uploaded again', { unapproved: 'waiting', release: ['uploading', 1] }, TAKEN],
    ['is still asked after', { unapproved: 'waiting', release: ['processing', 1] }, ['poll', 'validating', null]],
    ['is not submitted', { unapproved: 'waiting', release: ['submitting', 1] }, TAKEN],
    ['is not rolled back to', { unapproved: 'waiting', rollbackOf: '1.0' }, TAKEN],
    ['is not submitted as a build of the store', { unapproved: 'waiting', kind: 'builds' }, TAKEN],
    [
      'withdraws no other version',
      {
        unapproved: 'waiting',
        submission: ['1.0', 'in_review'],
        onPending: 'replace',
        pendingSubmittedByPierhead: true,
      },
      TAKEN,
    ],
    [
      'lets an older version that is approved go live',
      {
        unapproved: 'waiting',
        submission: ['1.0', 'approved'],
        pendingSubmittedByPierhead: true,
        pendingIsReleasable: true,
      },
      ['release', 'action_required', 'queued'],
    ],
    [
      'is published where it was sent before',
      { unapproved: 'waiting', submission: ['1.1', 'approved'], release: ['approved', 1], submittedByPierhead: true },
      ['release', 'releasing', 'approved'],
    ],
    [
      'is not published where a person submitted it',
      { unapproved: 'waiting', submission: ['1.1', 'approved'], release: ['approved', 1], isReleaseRequested: true },
      TAKEN,
    ],
    [
      'is widened where it is live',
      { unapproved: 'waiting', live: '1.1', release: ['live', 5], submittedByPierhead: true, rollout: [10, 50] },
      ['rollout', 'live', 'live'],
    ],
    ['is live where the store has it all the same', { unapproved: 'waiting', live: '1.1' }, LIVE],
    ['rests while the target is paused', { unapproved: 'waiting', isPaused: true }, ['wait', 'queued', null]],
  ],
  'a version whose sources are to follow': [
    ['is not uploaded before they come', { sourceDueIn: 60 }, ['wait', 'queued', null]],
    ['is not uploaded again', { sourceDueIn: 1, release: ['uploading', 1] }, ['wait', 'queued', null]],
    ['is not submitted without them', { sourceDueIn: 1, release: ['submitting', 1] }, ['wait', 'queued', null]],
    ['is still asked after', { sourceDueIn: 1, release: ['processing', 1] }, ['poll', 'validating', null]],
    ['needs a person when they are late', { sourceDueIn: 0 }, TAKEN],
    ['needs a person, not a submission', { sourceDueIn: -1, release: ['submitting', 1] }, TAKEN],
    ['waits behind another version', { sourceDueIn: -1, submission: ['1.0', 'in_review'] }, BLOCKED],
    [
      'is in review without them',
      { sourceDueIn: -1, submission: ['1.1', 'in_review'] },
      ['wait', 'in_review', 'in_review'],
    ],
    ['is live without them', { sourceDueIn: -1, live: '1.1' }, LIVE],
  ],
};

describe.each(Object.entries(TABLES))('%s', (_title, rows) => {
  it.each(rows.map(([sentence, given, then]) => ({ sentence, given, then })))('$sentence', ({ given, then }) => {
    const { step, phase, release, because } = decide(given);
    expect([step, phase, release]).toEqual(then);
    expect(because).toMatch(/^[A-Z].+\.$/);
  });
});

describe('the reason that the tenant reads', () => {
  it.each<[Given, string]>([
    [{ live: '1.0' }, 'Version 1.1 is pinned, and the store does not have it.'],
    [{ live: '1.2' }, 'Version 1.2 is live, which is higher than the pinned 1.1; stores do not accept lower versions.'],
    [
      { submission: ['1.0', 'approved'] },
      'Version 1.0 is approved and not yet released; 1.1 follows when that is done.',
    ],
    [
      { submission: ['1.2', 'in_review'] },
      'Version 1.2 is in review; the pinned 1.1 is lower, and follows only if that version does not go live.',
    ],
    [{ submission: ['1.0', 'releasing'] }, 'Version 1.0 is being released; 1.1 follows when that is done.'],
    [
      { submission: ['1.0', 'in_review'], onPending: 'replace', pendingSubmittedByPierhead: true },
      'Version 1.0 is in review, and 1.1 replaces it.',
    ],
    [{ pin: null, live: '1.0' }, 'Version 1.0 is live, and no version is pinned yet.'],
    [{ release: ['processing', 1], upload: 'processing' }, 'The store is processing the upload of version 1.1.'],
    [
      { release: ['processing', 1], upload: 'failed' },
      'The upload of version 1.1 failed at the store; Pierhead asks it why.',
    ],
    [{ live: '1.1' }, 'Version 1.1 is live.'],
    [{ live: '1.1', rollout: [10, 10] }, 'Version 1.1 is live for 10 % of users.'],
    [
      { live: '1.1', release: ['live', 9], submittedByPierhead: true, rollout: [10, 50], rolledOut: [50, 1] },
      'Version 1.1 is live for 50 % of users.',
    ],
    [
      { live: '1.1', rollout: [1, 10], kind: 'builds' },
      'Version 1.1 is live for 1 % of users; the store raises the share by itself.',
    ],
    [{ release: ['submitting', 1] }, 'Version 1.1 is uploaded and not yet submitted.'],
    [{ release: ['submitting', 1], kind: 'builds' }, 'Version 1.1 is pinned; the store has its own build.'],
    [
      { live: null, release: ['live', 60] },
      'Version 1.1 was live, but the store now serves no version. Check its dashboard; push a newer version to continue.',
    ],
    [
      { live: '1.0', release: ['live', 60] },
      'Version 1.1 was live, but the store now serves version 1.0. Check its dashboard; push a newer version to continue.',
    ],
    [{ pin: null }, 'No version is pinned yet.'],
    [{ release: ['failed', 1] }, 'The store does not accept version 1.1. Push a newer version.'],
    [
      { refusals: ['It is old. Renew it.', 'It has no icon.'] },
      `The store would refuse version 1.1: It is old. Renew it. It has no icon. ${NOT_SENT}`,
    ],
    [
      { refusals: ['It is old.', 'It is new.', 'It is red.', 'It is blue.'] },
      `The store would refuse version 1.1: It is old. It is new. It is red. And 1 more. ${NOT_SENT}`,
    ],
    [
      { release: ['failed', 1], refusal: 'It has no icon.' },
      'The store does not accept version 1.1: It has no icon. Push a newer version.',
    ],
    [
      { submission: ['1.1', 'rejected'], release: ['in_review', 1] },
      'The store rejected version 1.1; its dashboard or an e-mail says why. Push a newer version, or resubmit this one once the listing is mended.',
    ],
    [
      { submission: ['1.1', 'rejected'], release: ['in_review', 1], kind: 'upload', words: 'It tracks users.' },
      'The store rejected version 1.1: It tracks users. Push a newer version.',
    ],
    [
      { submission: ['1.1', 'rejected'], release: ['in_review', 1], kind: 'upload' },
      'The store rejected version 1.1; its dashboard or an e-mail says why. Push a newer version.',
    ],
    [
      { submission: ['1.1', 'rejected'], release: ['in_review', 1], earlierVerdict: 'rejected' },
      'Version 1.1 was submitted again; the store still shows the previous verdict.',
    ],
    [
      { submission: NOT_SHOWN, release: ['in_review', 1] },
      'Version 1.1 was submitted and is presumed in review; this store does not show it.',
    ],
    [
      { submission: NOT_SHOWN, release: ['approved', 1] },
      'Version 1.1 was submitted and is presumed approved; this store does not show it.',
    ],
  ])('names the versions: %j', (given, because) => {
    expect(decide(given).because).toBe(because);
  });
});
