import { describe, expect, it } from 'vitest';
import { known, UNKNOWN, type Observed, type Store, type Submission } from '../../stores/pure.js';
import type { TargetWithStatus } from '../../targets/index.js';
import {
  credentialOf,
  decide,
  itemOf,
  ofPlatform,
  percentOf,
  platformsOf,
  releaseOf,
  withTitle,
  newlyServed,
  versionsOf,
  type Assessment,
  type CallingStep,
  type TargetContext,
} from './context.js';
import { RELEASE_STATES, type ReleaseEntity } from '../releases/pure.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const EARLIER = new Date('2026-11-21T11:00:00Z');

const TARGET: TargetWithStatus = {
  id: 'target',
  extensionId: 'extension',
  tenantId: 'tenant',
  store: 'chrome',
  storeItemId: 'item',
  itemKey: 'item',
  crxId: 'crx',
  credentialId: 'credential',
  account: null,
  enabled: true,
  enabledAt: null,
  platforms: ['desktop'],
  onPending: 'replace',
  channel: '',
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
  status: {
    platformStatuses: {},
    revision: 0,
    phase: 'queued',
    refusable: false,
    approval: null,
    message: '',
    desiredVersion: '1.2',
    liveVersion: '1.0',
    fileDigest: null,
    offeredPercent: 10,
    offeredSince: EARLIER,
    liveByPierhead: false,
    submittedVersion: '1.1',
    checkedAt: null,
    nextCheckAt: null,
    notBefore: null,
    failures: 0,
    checksInPhase: 0,
    releaseRequested: null,
    waitingSince: null,
    stallNotifiedAt: null,
    phaseSince: null,
  },
  createdAt: EARLIER,
  updatedAt: EARLIER,
};

const RELEASE: ReleaseEntity = {
  id: 'release',
  extensionId: 'extension',
  targetId: 'target',
  artifactId: 'artifact',
  storeItemId: 'item',
  channel: '',
  platform: null,
  version: '1.1',
  state: 'in_review',
  stateAt: EARLIER,
  submittedByPierhead: true,
  earlierVerdict: null,
  handles: { upload: 'u-1' },
  intent: null,
  rollout: null,
  refusal: null,
  remindedAt: null,
  createdAt: EARLIER,
  updatedAt: EARLIER,
};

const OBSERVED: Observed = {
  live: known(null),
  submission: known(null),
  upload: known('none'),
  takenDown: false,
  warned: false,
  rolloutPercent: null,
  raw: null,
};

const CHROME = {
  capabilities: { requiresArtifact: true, canCancel: true, supersedesPending: false, sharedDraft: true },
} as Store;

const CONTEXT: TargetContext<TargetWithStatus> = {
  target: TARGET,
  store: CHROME,
  platform: null,
  pinned: {
    id: 'artifact',
    version: '1.2-beta',
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

const pending = (version: string, state: Submission['state'] = 'in_review'): Observed => ({
  ...OBSERVED,
  submission: known({ version, state }),
});

describe('the item of a request to a store', () => {
  it('carries the ids that the store issued for the release under way', () => {
    expect(itemOf({ target: TARGET, platform: null, release: RELEASE })).toEqual({
      storeItemId: 'item',
      crxId: 'crx',
      platforms: ['desktop'],
      channel: null,
      handles: { upload: 'u-1' },
    });
  });

  it('is of the one platform that is driven, where each has versions of its own', () => {
    const target = { ...TARGET, platforms: ['macos', 'ios'], channel: 'listed' };
    expect(itemOf({ target, platform: 'ios', release: null })).toMatchObject({ platforms: ['ios'], channel: 'listed' });
  });

  it('carries none before the release has begun', () => {
    expect(itemOf({ target: TARGET, platform: null, release: null }).handles).toEqual({});
  });

  it('is never invented for a target that names none', () => {
    expect(() => itemOf({ target: { ...TARGET, storeItemId: null }, platform: null, release: null })).toThrow(
      'complete target',
    );
  });
});

describe('a decision', () => {
  it('is about the version as the store shows it, and not as the author named it', () => {
    expect(decide(CONTEXT, { ...OBSERVED, live: known('1.2') }, NOW)).toMatchObject({
      step: 'nothing',
      phase: 'live',
    });
  });

  it('is to do nothing while no version is pinned', () => {
    expect(decide({ ...CONTEXT, pinned: null }, OBSERVED, NOW)).toMatchObject({ step: 'nothing', phase: 'idle' });
  });

  it('depends on what the store supports', () => {
    const store = { ...CHROME, capabilities: { ...CHROME.capabilities, requiresArtifact: false } } as Store;
    expect(decide(CONTEXT, OBSERVED, NOW).step).toBe('upload');
    expect(decide({ ...CONTEXT, store }, OBSERVED, NOW).step).toBe('submit');
    const signed = { ...store, capabilities: { ...store.capabilities, appPackages: true } } as Store;
    const pinned = CONTEXT.pinned && { ...CONTEXT.pinned, platform: 'macos', buildNumber: '27' };
    expect(decide({ ...CONTEXT, store: signed }, OBSERVED, NOW).step).toBe('submit');
    expect(decide({ ...CONTEXT, store: signed, pinned }, OBSERVED, NOW).step).toBe('upload');
    expect(decide({ ...CONTEXT, store, pinned }, OBSERVED, NOW).step).toBe('submit');
  });

  it('depends on the version that the store last showed as live', () => {
    const target = { ...TARGET, status: { ...TARGET.status, liveVersion: '1.3' } };
    expect(decide({ ...CONTEXT, target }, { ...OBSERVED, live: UNKNOWN }, NOW).step).toBe('nothing');
    expect(decide({ ...CONTEXT, target }, OBSERVED, NOW).step).toBe('upload');
  });

  it('postpones what the store throttles, and nothing else', () => {
    const until = new Date(NOW.getTime() + 60_000);
    const given = (throttles: TargetContext['throttles'], state: ReleaseEntity['state'] = 'queued') => {
      const release = { ...RELEASE, version: '1.2', state, stateAt: NOW };
      return decide({ ...CONTEXT, release, releases: [release], throttles }, OBSERVED, NOW);
    };
    expect(given({ uploads: until, writes: null })).toEqual({
      step: 'wait',
      phase: 'queued',
      because: `The store accepts no uploads with this credential before ${until.toISOString()}. Version 1.2 is pinned, and the store does not have it.`,
      release: null,
      throttledUntil: until,
    });
    expect(given({ uploads: NOW, writes: until }).step).toBe('upload');
    expect(given({ uploads: until, writes: null }, 'submitting').step).toBe('submit');
    expect(given({ uploads: null, writes: until }, 'submitting').because).toContain('no changes with this credential');
    expect(given({ uploads: until, writes: until }, 'processing').step).toBe('poll');
  });

  it('depends on how long the release has been in its state', () => {
    const release = { ...RELEASE, version: '1.2', state: 'in_review' as const };
    const knowledge = { ...CONTEXT, release, releases: [release] };
    expect(decide(knowledge, OBSERVED, EARLIER).step).toBe('wait');
    expect(decide(knowledge, OBSERVED, NOW).step).toBe('ask_human');
  });

  it('depends on who submitted the release and on earlier verdicts', () => {
    const submitted = { ...RELEASE, version: '1.2', state: 'submitting' as const };
    const stepFor = (release: ReleaseEntity): string =>
      decide({ ...CONTEXT, release, releases: [release] }, pending('1.2', 'rejected'), EARLIER).step;
    expect(stepFor(submitted)).toBe('ask_human');
    expect(stepFor({ ...submitted, submittedByPierhead: false })).toBe('submit');
    expect(stepFor({ ...submitted, earlierVerdict: 'rejected' })).toBe('submit');
  });

  describe('to withdraw the version in review, so that the pinned one can replace it', () => {
    const withReleases = (...releases: ReleaseEntity[]): TargetContext<TargetWithStatus> => ({ ...CONTEXT, releases });

    it('is made for what Pierhead submitted', () => {
      expect(decide(withReleases(RELEASE), pending('1.1'), NOW).step).toBe('cancel');
    });

    it('is made however the store writes the version’s number', () => {
      expect(decide(withReleases(RELEASE), pending('1.1.0'), NOW).step).toBe('cancel');
    });

    it('is made for what Pierhead submitted when the answer was lost', () => {
      expect(decide(withReleases({ ...RELEASE, state: 'submitting' }), pending('1.1'), NOW).step).toBe('cancel');
    });

    it('is not made where the target says to wait', () => {
      const target = { ...TARGET, onPending: 'wait' as const };
      expect(decide({ ...withReleases(RELEASE), target }, pending('1.1'), NOW).step).toBe('wait');
    });

    it.each<[string, readonly ReleaseEntity[]]>([
      ['a person sent', [{ ...RELEASE, submittedByPierhead: false }]],
      ['nobody here knows', []],
      ['has another version than ours', [{ ...RELEASE, version: '1.0' }]],
      ['is ours by an older release only', [{ ...RELEASE, state: 'cancelled' }, RELEASE]],
    ])('is not made for what %s', (_whose, releases) => {
      expect(decide(withReleases(...releases), pending('1.1'), NOW).step).toBe('wait');
    });

    it.each(['live', 'rejected', 'failed', 'superseded', 'cancelled'] as const)(
      'is not made when ours had ended as %s: a person sent it again',
      (state) => {
        expect(decide(withReleases({ ...RELEASE, state }), pending('1.1'), NOW).step).toBe('wait');
      },
    );
  });

  it.each<[string, Partial<TargetWithStatus>, string | null, string]>([
    ['is released where the target releases by itself', {}, null, 'release'],
    ['waits where a person releases', { releaseMode: 'manual' }, null, 'wait'],
    ['waits where the release of another version was requested', { releaseMode: 'manual' }, '1.1', 'wait'],
    ['is released once that was requested', { releaseMode: 'manual' }, '1.2', 'release'],
  ])('about an approved version: it %s', (_, wish, releaseRequested, step) => {
    const target = { ...TARGET, ...wish, status: { ...TARGET.status, releaseRequested } };
    const release = { ...RELEASE, version: '1.2', state: 'approved' as const };
    const context = { ...CONTEXT, target, release, releases: [release] };
    expect(decide(context, pending('1.2', 'approved'), NOW).step).toBe(step);
  });

  it.each<[string, boolean, string | null, string]>([
    ['that nobody requested is for a person', true, null, 'release'],
    ['that Pierhead did not submit waits for a request', false, null, 'wait'],
    ['that Pierhead did not submit is released on request', false, '1.2', 'release'],
    ['that Pierhead did not submit waits while another is requested', false, '1.1', 'wait'],
  ])('about the release of a version %s', (_, submittedByPierhead, releaseRequested, step) => {
    const target = { ...TARGET, status: { ...TARGET.status, releaseRequested } };
    const release = { ...RELEASE, version: '1.2', state: 'approved' as const, submittedByPierhead };
    const context = { ...CONTEXT, target, release, releases: [release] };
    expect(decide(context, pending('1.2', 'approved'), NOW).step).toBe(step);
  });

  it.each<[string, Partial<TargetWithStatus>, Partial<ReleaseEntity>, string]>([
    ['is released', {}, {}, 'release'],
    ['waits while its release is on its way', {}, { state: 'releasing', stateAt: NOW }, 'wait'],
    ['is released again when that did not arrive', {}, { state: 'releasing' }, 'release'],
    ['waits where a person releases', { releaseMode: 'manual' }, {}, 'wait'],
    ['waits when a person submitted it', {}, { submittedByPierhead: false }, 'wait'],
  ])('about an approved version before the pinned one: it %s', (_, wish, given, step) => {
    const target = { ...TARGET, onPending: 'wait' as const, ...wish };
    const releases = [{ ...RELEASE, state: 'approved' as const, ...given }];
    expect(decide({ ...CONTEXT, target, releases }, pending('1.1', 'approved'), NOW).step).toBe(step);
  });

  it('brings an older version back where that is pinned', () => {
    const pinned = { ...CONTEXT.pinned, rollbackOf: '1.0' } as TargetContext['pinned'];
    expect(decide({ ...CONTEXT, pinned }, OBSERVED, NOW).step).toBe('rollback');
  });

  it('waits for sources where the store takes them', () => {
    const pinned = { ...CONTEXT.pinned, sourceDueAt: new Date(NOW.getTime() + 60_000) } as TargetContext['pinned'];
    const amo = { ...CHROME, capabilities: { ...CHROME.capabilities, sourceUpload: true } } as Store;
    expect(decide({ ...CONTEXT, pinned, store: amo }, OBSERVED, NOW).because).toContain('source');
    expect(decide({ ...CONTEXT, pinned }, OBSERVED, NOW).because).not.toContain('source');
    expect(decide({ ...CONTEXT, store: amo }, OBSERVED, NOW).because).not.toContain('source');
  });

  it('repeats the words of the store that refused the version', () => {
    const refusal = { step: 'upload' as const, kind: 'artifact' as const, message: 'It has no icon.' };
    const release = { ...RELEASE, version: '1.2', state: 'failed' as const, refusal };
    expect(decide({ ...CONTEXT, release }, OBSERVED, NOW).because).toContain('It has no icon.');
    expect(decide({ ...CONTEXT, release: { ...release, refusal: null } }, OBSERVED, NOW).because).not.toContain('null');
  });

  it('can be made in every state of a release', () => {
    for (const state of RELEASE_STATES) {
      const release = { ...RELEASE, version: '1.2', state, stateAt: NOW };
      expect(decide({ ...CONTEXT, release, releases: [release] }, OBSERVED, NOW).because).not.toBe('');
    }
  });
});

describe('the release that a step is about', () => {
  const ours = { ...RELEASE, id: 'pinned', version: '1.2' };
  const about = (step: CallingStep, observed: Observed): string | null => {
    const state = { ...CONTEXT, release: ours, releases: [ours, RELEASE], observed } as unknown as Assessment;
    return releaseOf(step, state)?.id ?? null;
  };

  it.each<[CallingStep, Observed, string | null]>([
    ['upload', pending('1.1'), 'pinned'],
    ['submit', pending('1.1'), 'pinned'],
    ['cancel', pending('1.1'), 'release'],
    ['cancel', OBSERVED, null],
    ['release', pending('1.1', 'approved'), 'release'],
    ['release', pending('1.2', 'approved'), 'pinned'],
    ['release', OBSERVED, 'pinned'],
  ])('%s is the one in the way, or the pinned one', (step, observed, id) => {
    expect(about(step, observed)).toBe(id);
  });

  it('is the pinned one also when a person submitted it', () => {
    const theirs = { ...ours, submittedByPierhead: false };
    const observed = pending('1.2', 'approved');
    const state = { ...CONTEXT, release: theirs, releases: [theirs, RELEASE], observed } as unknown as Assessment;
    expect(releaseOf('release', state)?.id).toBe('pinned');
  });
});

describe('a target', () => {
  it('offers its versions to all users, or to a part', () => {
    expect([percentOf(TARGET), percentOf({ ...TARGET, rolloutPercent: 5 })]).toEqual([100, 5]);
  });

  it('is driven for each of its platforms where the store has releases of each', () => {
    const target = { ...TARGET, platforms: ['macos', 'ios'] };
    const apple = { capabilities: { releasesPerPlatform: true } } as Store;
    expect([platformsOf(apple, target), platformsOf(CHROME, target)]).toEqual([['macos', 'ios'], [null]]);
    const ios = { ...TARGET.status, liveVersion: '0.9', nextCheckAt: null };
    const both = { ...target, status: { ...TARGET.status, platformStatuses: { ios } } } as TargetWithStatus;
    expect(ofPlatform(both, null)).toBe(both);
    expect(ofPlatform(both, 'ios')).toMatchObject({ id: 'target', status: { liveVersion: '0.9' } });
  });

  it('is worked on with its credential, and not without one', () => {
    expect(credentialOf(TARGET)).toBe('credential');
    expect(() => credentialOf({ ...TARGET, credentialId: null })).toThrow('complete target');
  });
});

describe('a sentence of the timeline', () => {
  const store = { title: 'App Store' };

  it.each<[sentence: string, platform: string | null, withTitle: string]>([
    ['Version 1.0 is live.', null, 'App Store: Version 1.0 is live.'],
    ['Version 1.0 is live.', 'macos', 'App Store (macOS): Version 1.0 is live.'],
    ['App Store needs a person: No icon.', null, 'App Store needs a person: No icon.'],
    ['App Store needs a person: No icon.', 'ios', 'App Store (iOS) needs a person: No icon.'],
    ['App Store Connect answered 502.', 'ios', 'App Store (iOS): App Store Connect answered 502.'],
  ])('names the store once: %s (%s)', (sentence, platform, expected) => {
    expect(withTitle(store, platform, sentence)).toBe(expected);
  });
});

describe('newlyServed', () => {
  it.each<[served: Observed['live'], before: string | null, expected: string | null]>([
    [known('1.1'), '1.0', '1.1'],
    [known('1.0'), '1.1', '1.0'],
    [known('1.0.0'), '1.0', null],
    [known('1.3.0'), '1.0', null],
    [known('1.0'), null, null],
    [known(null), '1.0', null],
    [UNKNOWN, '1.0', null],
  ])('of %j after %j is %j', (live, liveVersion, expected) => {
    const target = { ...TARGET, status: { ...TARGET.status, liveVersion } };
    const releases = [{ version: '1.3' }] as unknown as Parameters<typeof newlyServed>[0]['releases'];
    expect(newlyServed({ target, releases }, { ...OBSERVED, live })).toBe(expected);
  });
});

describe('the versions that a target shows', () => {
  it.each<[sentence: string, observed: Partial<Observed>, since: Date | null]>([
    ['while it stays', { live: known('1.0.0'), rolloutPercent: 10 }, EARLIER],
    ['while the store does not say what is live', { live: UNKNOWN }, EARLIER],
    ['anew for another share', { live: known('1.0'), rolloutPercent: 25 }, NOW],
    ['anew for another version', { live: known('1.1'), rolloutPercent: 10 }, NOW],
    ['of nothing once it goes to all', { live: known('1.0') }, null],
  ])('keep the time since when a share is seen, %s', (_sentence, observed, offeredSince) => {
    expect(versionsOf(CONTEXT, { ...OBSERVED, ...observed }, NOW)).toMatchObject({ offeredSince });
  });

  it.each<[sentence: string, version: string, submittedByPierhead: boolean, expected: boolean]>([
    ['that Pierhead submitted', '1.1.0', true, true],
    ['that a person submitted', '1.1', false, false],
    ['of which there is no release', '1.2', true, false],
  ])('tell of a live version %s that it is so', (_sentence, version, submittedByPierhead, liveByPierhead) => {
    const context = { ...CONTEXT, releases: [{ ...RELEASE, version, submittedByPierhead }] };
    expect(versionsOf(context, { ...OBSERVED, live: known('1.1') }, NOW)).toMatchObject({ liveByPierhead });
  });

  it.each<[sentence: string, observed: Partial<Observed>, offered: number | null]>([
    ['what the store says', { live: known('1.1'), rolloutPercent: 50 }, 50],
    ['everybody, where it names no share', { live: known('1.1') }, null],
    ['everybody, where it names all', { live: known('1.1'), rolloutPercent: 100 }, null],
    ['what was known, where the store does not say what is live', { live: UNKNOWN, rolloutPercent: null }, 10],
  ])('are offered to %s', (_sentence, observed, offeredPercent) => {
    expect(versionsOf(CONTEXT, { ...OBSERVED, ...observed }, NOW)).toMatchObject({ offeredPercent });
  });

  it.each<[sentence: string, observed: Partial<Observed>, live: string | null, submitted: string | null]>([
    ['what the store says', { live: known('1.1'), ...submission('1.2', 'in_review') }, '1.1', '1.2'],
    ['that nothing is live and nothing in review', {}, null, null],
    ['what was known, where the store tells nothing', { live: UNKNOWN, submission: UNKNOWN }, '1.0', '1.1'],
    ['an approved version as submitted', submission('1.2', 'approved'), null, '1.2'],
    ['a version that is being released as submitted', submission('1.2', 'releasing'), null, '1.2'],
    ['a version in an unknown state as submitted', submission('1.2', 'unknown'), null, '1.2'],
    ['a rejected version as not submitted', submission('1.2', 'rejected'), null, null],
    ['a cancelled version as not submitted', submission('1.2', 'cancelled'), null, null],
  ])('are %s', (_sentence, observed, liveVersion, submittedVersion) => {
    expect(versionsOf(CONTEXT, { ...OBSERVED, ...observed }, NOW)).toMatchObject({ liveVersion, submittedVersion });
  });
});

function submission(version: string, state: Submission['state']): Pick<Observed, 'submission'> {
  return { submission: known({ version, state }) };
}
