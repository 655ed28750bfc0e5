import { describe, expect, it } from 'vitest';
import { Refusal } from '../answer.js';
import { type Item, type ItemBehavior, newItem, type SubmittedState } from './item.js';
import { cancelSubmission, type ReceivedPackage, passUploadPoll, publish, upload } from './item-machine.js';
import type { PublishRequest } from './requests.js';
import { approve, closeSubmission, goLive, passReviewPoll, applyDue } from './review.js';
import { statusBody } from './status.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);
const PUBLISH: PublishRequest = { publishType: 'DEFAULT_PUBLISH', skipReview: false, blockOnWarnings: false };
const STAGE: PublishRequest = { ...PUBLISH, publishType: 'STAGED_PUBLISH' };

const packageOf = (version: string): ReceivedPackage => ({
  version,
  sha256: `sha-${version}`,
  size: 1,
  fileName: null,
  signature: null,
});
const stored = (version: string) => ({ version, sha256: null, size: null });
const fresh = (behavior: Partial<ItemBehavior> = {}): Item => ({ ...newItem('p', 'i'), ...behavior });
const live = (version: string, behavior: Partial<ItemBehavior> = {}): Item =>
  goLive(fresh(behavior), stored(version), 100, NOW);
const withDraft = (item: Item, version: string): Item => upload(item, packageOf(version), NOW).item;
const submitted = (item: Item, version: string, request = PUBLISH): Item =>
  publish(withDraft(item, version), request, NOW).item;

/** The words and the violation with which a step is refused. */
function refusalOf(step: () => unknown): { status: string; message: string; reason?: string } {
  try {
    step();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { error: body } = JSON.parse(error.answer.body) as {
      error: { status: string; message: string; details?: { fieldViolations?: { reason?: string }[] }[] };
    };
    const reason = body.details?.flatMap((detail) => detail.fieldViolations ?? [])[0]?.reason;
    return { status: body.status, message: body.message, ...(reason !== undefined && { reason }) };
  }
  throw new Error('it was not refused');
}

describe('an upload', () => {
  it('becomes the draft, and a second one replaces it', () => {
    const item = withDraft(withDraft(live('1.0'), '1.1'), '1.1');
    expect(item.draft).toEqual({ version: '1.1', sha256: 'sha-1.1', size: 1 });
    expect(item.counters.uploads).toBe(2);
  });

  it.each(['1.0', '0.9', '1.0.0'])('of %s is refused when 1.0 is live', (version) => {
    expect(refusalOf(() => withDraft(live('1.0'), version)).reason).toBe('PKG_INVALID_VERSION_NUMBER');
  });

  it.each<SubmittedState>(['PENDING_REVIEW', 'STAGED'])('is refused while a revision is %s', (state) => {
    const item = submitted(live('1.0'), '1.1');
    const closed = item.submitted ? { ...item, submitted: { ...item.submitted, state } } : item;
    expect(refusalOf(() => withDraft(closed, '1.2'))).toEqual({
      status: 'FAILED_PRECONDITION',
      message: 'You may not edit or publish an item that is in review.',
    });
  });

  it('is accepted again after a rejection, also with the same version', () => {
    const rejected = closeSubmission(submitted(live('1.0'), '1.1'), 'REJECTED');
    expect(submitted(rejected, '1.1').submitted?.state).toBe('PENDING_REVIEW');
  });

  it('must be a CRX for an item with verified uploads', () => {
    expect(refusalOf(() => withDraft(fresh({ verifiedCrx: true }), '1.0')).reason).toBe('PKG_MUST_UPDATE_AS_CRX');
    expect(
      upload(fresh({ verifiedCrx: true }), { ...packageOf('1.0'), signature: 'of_item' as const }, NOW).finished,
    ).toBe(true);
  });
});

describe('an asynchronous upload', () => {
  const stateOf = (item: Item, at = NOW): unknown => statusBody(item, at).lastAsyncUploadState;

  it('is in progress for the configured number of polls, and then becomes the draft', () => {
    let item = withDraft(fresh({ asyncUploadPolls: 2 }), '1.0');
    expect(item.draft).toBeNull();
    item = passUploadPoll(item);
    item = passUploadPoll(item);
    expect(stateOf(item)).toBe('IN_PROGRESS');
    expect(refusalOf(() => publish(item, PUBLISH, NOW)).status).toBe('FAILED_PRECONDITION');
    item = passUploadPoll(item);
    expect(stateOf(item)).toBe('SUCCEEDED');
    expect(item.draft?.version).toBe('1.0');
  });

  it('keeps the earlier draft when it fails', () => {
    const item = withDraft({ ...withDraft(fresh(), '1.0'), asyncUploadPolls: 0, asyncUploadOutcome: 'FAILED' }, '1.1');
    expect(stateOf(passUploadPoll(item))).toBe('FAILED');
    expect(passUploadPoll(item).draft?.version).toBe('1.0');
  });

  it('can be absent once it has ended, and is forgotten after a day', () => {
    const silent = withDraft(fresh({ asyncUploadPolls: 0, asyncUploadOutcome: 'ABSENT' }), '1.0');
    expect(stateOf(passUploadPoll(silent))).toBeUndefined();
    const done = passUploadPoll(withDraft(fresh({ asyncUploadPolls: 0 }), '1.0'));
    expect(stateOf(done, later(24 * 3600))).toBe('SUCCEEDED');
    expect(stateOf(done, later(24 * 3600 + 1))).toBeUndefined();
  });

  it("can use the spelling of the reference's prose", () => {
    const behavior = { asyncUploadPolls: 1, uploadInProgressSpelling: 'UPLOAD_IN_PROGRESS' } as const;
    expect(stateOf(withDraft(fresh(behavior), '1.0'))).toBe('UPLOAD_IN_PROGRESS');
  });
});

describe('publishing', () => {
  it('needs a draft, once', () => {
    expect(refusalOf(() => publish(live('1.0'), PUBLISH, NOW)).message).toMatch(/^Publish condition not met/);
    expect(refusalOf(() => publish(submitted(live('1.0'), '1.1'), PUBLISH, NOW)).message).toMatch(/in review/);
  });

  it('goes live on approval and leaves no submission', () => {
    const item = approve(submitted(live('1.0'), '1.1'), NOW);
    expect(statusBody(item, NOW)).toEqual({
      name: 'publishers/p/items/i',
      itemId: 'i',
      publishedItemRevisionStatus: {
        state: 'PUBLISHED',
        distributionChannels: [{ crxVersion: '1.1', deployPercentage: 100 }],
      },
    });
  });

  it('waits when staged, and is released by publishing again', () => {
    const staged = approve(submitted(live('1.0'), '1.1', STAGE), NOW);
    expect(staged.submitted?.state).toBe('STAGED');
    const { item, state } = publish(staged, PUBLISH, NOW);
    expect([state, item.published?.package.version, item.submitted]).toEqual(['PUBLISHED', '1.1', null]);
    expect(item.counters).toMatchObject({ publishes: 2, submissions: 1, releases: 1 });
  });

  it('of a private item reaches testers only', () => {
    const item = approve(submitted(fresh({ visibility: 'private' }), '1.0'), NOW);
    expect(statusBody(item, NOW).publishedItemRevisionStatus).toMatchObject({ state: 'PUBLISHED_TO_TESTERS' });
  });

  it('skips the review only for a qualifying update of an item in good standing', () => {
    const skip = { ...PUBLISH, skipReview: true };
    const good = withDraft(live('1.0', { skipReviewQualifies: true }), '1.1');
    expect(publish(good, skip, NOW).state).toBe('PUBLISHED');
    const unpublished = withDraft(fresh({ skipReviewQualifies: true }), '1.1');
    for (const bad of [{ ...good, skipReviewQualifies: false }, { ...good, warned: true }, unpublished]) {
      expect(refusalOf(() => publish(bad, skip, NOW)).status).toBe('INVALID_ARGUMENT');
    }
  });

  it('is blocked by warnings only with blockOnWarnings', () => {
    const warned = withDraft(fresh({ warnings: [{ reason: 'BROAD_HOSTS', description: 'Broad hosts.' }] }), '1.0');
    expect(refusalOf(() => publish(warned, { ...PUBLISH, blockOnWarnings: true }, NOW)).reason).toBe('BROAD_HOSTS');
    expect(publish(warned, PUBLISH, NOW).state).toBe('PENDING_REVIEW');
  });

  it('takes its percentage from the request, else from the dashboard', () => {
    const item = withDraft(live('1.0', { dashboardDeployPercentage: 40 }), '1.1');
    expect(publish(item, PUBLISH, NOW).item.submitted?.deployPercentage).toBe(40);
    expect(publish(item, { ...PUBLISH, deployPercentage: 0 }, NOW).item.submitted?.deployPercentage).toBe(0);
  });
});

describe('a review', () => {
  it('can be cancelled, which leaves the package as the draft', () => {
    const item = cancelSubmission(submitted(live('1.0'), '1.1'));
    expect([item.submitted?.state, item.draft?.version]).toEqual(['CANCELLED', '1.1']);
    expect(refusalOf(() => cancelSubmission(item)).status).toBe('FAILED_PRECONDITION');
  });

  it('can end after a configured time', () => {
    const item = submitted(fresh({ approveAfterSeconds: 60 }), '1.0');
    expect(applyDue(item, later(59)).submitted?.state).toBe('PENDING_REVIEW');
    expect(applyDue(item, later(60)).published?.package.version).toBe('1.0');
  });

  it('can end after a configured number of polls', () => {
    const once = passReviewPoll(submitted(fresh({ approveAfterPolls: 1 }), '1.0'), NOW);
    expect(once.submitted?.state).toBe('PENDING_REVIEW');
    expect(passReviewPoll(once, NOW).published?.package.version).toBe('1.0');
  });
});
