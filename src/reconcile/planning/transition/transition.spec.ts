import { describe, expect, it } from 'vitest';
import { known, StoreFailure, type FailureKind, type Observed, type Store } from '../../../stores/pure.js';
import type { ReleaseEntity } from '../../releases/pure.js';
import type { CallingStep, TargetContext } from '../context.js';
import { changeStatus } from './change-status.js';
import { transition } from './transition.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const LATER = new Date('2026-11-21T12:30:00Z');
const EARLIER = new Date('2026-11-21T11:00:00Z');
const TIMING = { now: NOW, random: 0.5, reviewMs: 600_000, stalledAfterMs: 86_400_000 };

const CONTEXT: TargetContext = {
  target: {
    id: 'target',
    extensionId: 'extension',
    tenantId: 'tenant',
    store: 'chrome',
    storeItemId: 'item',
    credentialId: 'credential',
    enabled: true,
    platforms: ['desktop'],
    channel: '',
    itemKey: null,
    crxId: null,
    account: null,
    enabledAt: null,
    onPending: 'wait',
    releaseMode: 'auto',
    rolloutPercent: null,
    releaseNotes: null,
    reviewerNotes: null,
    skipReview: false,
    signedUploads: false,
    watched: true,
    fileWatched: false,
    preflight: 'hold',
    encryption: null,
    xcodeCloudWorkflow: null,
    xcodeCloudTag: 'v{version}',
    storefront: 'us',
    paused: false,
    createdAt: EARLIER,
    updatedAt: EARLIER,
    leaseToken: 'lock',
    status: {
      revision: 0,
      releaseRequested: null,
      phase: 'queued',
      refusable: false,
      approval: null,
      message: '',
      desiredVersion: null,
      liveVersion: null,
      fileDigest: null,
      offeredPercent: null,
      offeredSince: null,
      liveByPierhead: false,
      submittedVersion: null,
      platformStatuses: {},
      checkedAt: EARLIER,
      nextCheckAt: EARLIER,
      notBefore: null,
      failures: 0,
      checksInPhase: 0,
      waitingSince: null,
      stallNotifiedAt: null,
      phaseSince: null,
    },
  },
  platform: null,
  store: {
    title: 'Chrome Web Store',
    capabilities: { requiresArtifact: true, canReadInReview: true, sharedDraft: true },
  } as Store,
  pinned: {
    id: 'artifact',
    version: '1.2',
    storeVersion: '1.2',
    sha256: 'aa',
    format: 'zip',
    contentSha256: null,
    size: 1,
    notes: null,
    localizedNotes: null,
    reviewerNotes: null,
    sourceSha256: null,
    sourceDueAt: null,
    sourceSize: null,
    replacedAt: null,
    rollbackOf: null,
    rollbackReason: null,
    extensionId: 'extension',
    findings: null,
    platform: '',
    buildNumber: '',
  },
  releases: [],
  release: null,
  isOtherContent: false,
  refusals: [],
  clearance: { held: null, why: '', isAsked: true },
  throttles: { uploads: null, writes: null },
};

const OBSERVED: Observed = {
  live: known('1.0'),
  submission: known(null),
  upload: known('none'),
  takenDown: false,
  warned: false,
  rolloutPercent: null,
  raw: null,
};

const checked = () =>
  transition(CONTEXT, { type: 'observed', observed: OBSERVED, releaseId: 'release', unpushed: null }, TIMING);
const withStatus = (status: Partial<TargetContext['target']['status']>): TargetContext => ({
  ...CONTEXT,
  target: { ...CONTEXT.target, status: { ...CONTEXT.target.status, ...status } },
});
const failed = (kind: FailureKind, details: StoreFailure['details'] = {}) =>
  transition(CONTEXT, { type: 'failed', failure: new StoreFailure(kind, 'No.', details), credential: 'key' }, TIMING);

describe('a change of the status', () => {
  const changed = (before: Partial<TargetContext['target']['status']>, change: Parameters<typeof changeStatus>[1]) =>
    changeStatus(withStatus({ message: 'As before.', ...before }), change, TIMING);

  it.each<[string, Parameters<typeof changed>[1], readonly string[]]>([
    ['nothing', { phase: 'queued', message: 'As before.' }, []],
    ['the phase alone', { phase: 'in_review', message: 'As before.' }, ['phase_in_review']],
    ['the message alone', { phase: 'queued', message: 'Another.' }, ['observed']],
  ])('of %s adds to the timeline what changed', (_, change, kinds) => {
    expect(changed({}, change).timeline.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('counts checks in a phase, from one', () => {
    const countIn = (phase: 'queued' | 'in_review') =>
      changed({ checksInPhase: 4 }, { phase, message: '' }).status.checksInPhase;
    expect([countIn('queued'), countIn('in_review')]).toEqual([5, 1]);
  });

  it.each([
    ['live', '1.1', '1.2', '1.1'],
    ['live', '1.2.0', '1.2', '1.2'],
    ['live', null, '1.2', '1.2'],
    ['live', '1.1', null, null],
    ['rejected', '1.1', '1.2', '1.2'],
  ] as const)('to %s with %s live and %s pinned is about %s', (phase, liveVersion, desiredVersion, version) => {
    expect(changed({ liveVersion, desiredVersion }, { phase, message: '' }).timeline).toMatchObject([{ version }]);
  });
});

describe('a check', () => {
  it('that finds a version to upload begins its release, and leaves the report to the step', () => {
    expect(checked()).toMatchObject({
      state: { plan: { step: 'upload' }, release: { id: 'release', version: '1.2', state: 'queued' } },
      status: { phase: 'uploading', liveVersion: '1.0', checkedAt: NOW },
      timeline: [{ kind: 'phase_uploading', version: '1.2' }],
      report: null,
    });
  });

  it('that ends in a wait has not failed', () => {
    expect(failed('wait')).toMatchObject({
      status: { phase: 'queued', failures: 0 },
      report: { step: 'wait', outcome: 'none' },
    });
  });

  it.each<[FailureKind, string]>([
    ['retry', 'wait'],
    ['credential', 'ask_human'],
    ['config', 'ask_human'],
    ['artifact', 'ask_human'],
  ])('that fails with %s counts as a failure, and as a check', (kind, step) => {
    expect(failed(kind)).toMatchObject({
      status: { failures: 1, checkedAt: NOW },
      report: { step, outcome: 'failed' },
    });
  });

  it('keeps its time when the store was not asked', () => {
    expect(failed('credential', { isSealed: true }).status?.checkedAt).toBe(EARLIER);
  });

  it('that finds the version rejected keeps what the store says about it', () => {
    const release = {
      id: 'release',
      version: '1.2',
      state: 'in_review',
      stateAt: EARLIER,
      rollout: null,
      refusal: null,
    };
    const reviewed = { ...CONTEXT, release, releases: [release] } as unknown as TargetContext;
    const check = (context: TargetContext, words?: string) => {
      const submission = known({
        version: '1.2',
        state: 'rejected' as const,
        ...(words === undefined ? {} : { words }),
      });
      const observed = { ...OBSERVED, submission };
      return transition(context, { type: 'observed', observed, releaseId: 'release', unpushed: null }, TIMING).state;
    };
    const refusal = { step: 'submit', kind: 'artifact', message: 'It tracks users.' };
    const rejected = check(reviewed, 'It tracks users.');
    expect(rejected.release).toMatchObject({ state: 'rejected', refusal });
    expect(check(rejected, 'It tracks users.').release).toBe(rejected.release);
    expect(check(reviewed).release).toMatchObject({ state: 'rejected', refusal: null });
  });

  it('of a target that was reported as stalled still changes its status', () => {
    const stalled = { waitingSince: EARLIER, stallNotifiedAt: EARLIER };
    const event = { type: 'observed', observed: OBSERVED, releaseId: 'release', unpushed: null } as const;
    expect(transition(withStatus(stalled), event, TIMING).status).toMatchObject({
      ...stalled,
      phase: 'uploading',
      liveVersion: '1.0',
      checkedAt: NOW,
    });
  });

  it('that is postponed is not counted', () => {
    const event = { type: 'postponed', until: LATER, isFromStore: false } as const;
    expect(transition(withStatus({ checksInPhase: 3 }), event, TIMING).status).toMatchObject({
      nextCheckAt: LATER,
      checksInPhase: 3,
    });
  });

  it('is postponed to the time that the store named, which holds for the credential', () => {
    expect(failed('retry', { retryAt: LATER })).toMatchObject({
      status: { notBefore: LATER },
      throttle: { calls: 'all', until: LATER },
    });
  });
});

describe('a step', () => {
  const intended = () => transition(checked().state, { type: 'intended', key: 'k' }, TIMING);

  it('leaves its intent before it is made', () => {
    expect(intended().state.releases).toMatchObject([
      { state: 'uploading', intent: { step: 'upload', key: 'k' }, artifactId: 'artifact' },
    ]);
  });

  it('that the store takes moves the release on and keeps the ids that the store issued', () => {
    const answer = { outcome: 'done', note: 'Uploaded.', raw: null, handles: { upload: 'u-1' } } as const;
    expect(transition(intended().state, { type: 'answered', answer }, TIMING)).toMatchObject({
      state: { releases: [{ state: 'submitting', intent: null, handles: { upload: 'u-1' } }] },
      timeline: [{ kind: 'step_done', message: 'Chrome Web Store: Uploaded.' }],
      report: { step: 'upload', outcome: 'done' },
    });
  });

  it.each<[sentence: string, kind: FailureKind, state: string, intent: object | null]>([
    ['may have arrived keeps its intent', 'retry', 'uploading', { step: 'upload', key: 'k' }],
    ['the store refused begins again', 'config', 'queued', null],
  ])('that %s', (_sentence, kind, state, intent) => {
    const event = { type: 'failed', failure: new StoreFailure(kind, 'No.'), credential: 'key' } as const;
    expect(transition(intended().state, event, TIMING)).toMatchObject({
      state: { releases: [{ state, intent, refusal: { step: 'upload', kind, times: 1 } }] },
      report: { step: 'upload', outcome: 'failed' },
    });
  });

  it('that the store had taken before is done', () => {
    const event = { type: 'failed', failure: new StoreFailure('done', 'There.'), credential: 'key' } as const;
    expect(transition(intended().state, event, TIMING).report).toMatchObject({ outcome: 'done' });
  });

  it.each<[step: CallingStep, during: string, done: string, pending: string, phase: string]>([
    ['upload', 'uploading', 'submitting', 'processing', 'validating'],
    ['poll', 'processing', 'submitting', 'processing', 'validating'],
    ['submit', 'submitting', 'in_review', 'in_review', 'in_review'],
    ['release', 'releasing', 'releasing', 'releasing', 'releasing'],
    ['rollback', 'submitting', 'releasing', 'releasing', 'releasing'],
  ])('to %s moves the release when it begins, and by the answer', (step, during, done, waiting, phase) => {
    const { state } = checked();
    const release = { ...state.release, state: step === 'poll' ? 'processing' : 'queued' } as ReleaseEntity;
    const due = { ...state, plan: { ...state.plan, step }, release, releases: [release] };
    const begun = transition(due, { type: 'intended', key: 'k' }, TIMING).state;
    expect(begun.subject).toMatchObject({
      state: during,
      submittedByPierhead: step === 'submit' || step === 'rollback',
      artifactId: 'artifact',
    });
    const answer = (outcome: 'done' | 'pending') =>
      transition(begun, { type: 'answered', answer: { outcome, note: 'So.', raw: null } }, TIMING);
    expect(answer('done')).toMatchObject({ state: { releases: [{ state: done }] }, status: null });
    expect(answer('pending')).toMatchObject({
      state: { releases: [{ state: waiting }] },
      status: { phase, message: 'So.', failures: 0 },
    });
    expect(answer('pending').timeline.some(({ kind }) => kind === 'step_pending')).toBe(step !== 'poll');
  });

  it('to submit takes up the request to release the version', () => {
    const { state } = checked();
    const asked = { ...state, target: withStatus({ releaseRequested: '1.2' }).target };
    const begin = (step: CallingStep) =>
      transition({ ...asked, plan: { ...asked.plan, step } }, { type: 'intended', key: 'k' }, TIMING).status;
    expect([begin('submit'), begin('upload')]).toEqual([{ releaseRequested: null }, null]);
  });

  it('needs a release, and a version that is pinned', () => {
    const { state } = checked();
    const event = { type: 'intended', key: 'k' } as const;
    for (const lacking of [
      { ...state, release: null },
      { ...state, pinned: null },
      { ...state, plan: { ...state.plan, step: 'wait' as const } },
    ])
      expect(() => transition(lacking, event, TIMING)).toThrow('There is no release to');
  });
});

describe('a fault of Pierhead itself', () => {
  const faulted = (remedy: string | null) =>
    transition(withStatus({ failures: 2 }), { type: 'faulted', remedy }, TIMING).status;

  it('is backed off, and shown without its cause', () => {
    expect(faulted(null)).toMatchObject({ phase: 'backing_off', failures: 3 });
    expect(faulted(null)?.message).toContain('the log has the cause');
  });

  it('that a person can mend waits for that person', () => {
    expect(faulted('Free some space.')).toMatchObject({
      phase: 'action_required',
      message: 'Free some space.',
      failures: 3,
    });
  });
});
