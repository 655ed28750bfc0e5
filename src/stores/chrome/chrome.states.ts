import { asList, asRecord, asText, redact } from '../../common/net/index.js';
import { compareVersions } from '../../common/version/version.js';
import { known, UNKNOWN, type Known, type Observed, type Submission, type UploadState } from '../store.js';

/** Where a revision of an item stands; `live` is published, to everyone or to testers. */
export type RevisionState = 'in_review' | 'approved' | 'live' | 'rejected' | 'cancelled' | 'unknown';

/** `ItemState` (facts: stores 1.5, CWS-DISC). */
const ITEM_STATES: ReadonlyMap<unknown, RevisionState> = new Map([
  ['PENDING_REVIEW', 'in_review'],
  ['STAGED', 'approved'],
  ['PUBLISHED', 'live'],
  ['PUBLISHED_TO_TESTERS', 'live'],
  ['REJECTED', 'rejected'],
  ['CANCELLED', 'cancelled'],
]);

/** `UploadState`; the reference's prose spells one value differently from its enum (facts: stores 1.5). */
const UPLOAD_STATES: ReadonlyMap<unknown, UploadState> = new Map([
  ['SUCCEEDED', 'ready'],
  ['IN_PROGRESS', 'processing'],
  ['UPLOAD_IN_PROGRESS', 'processing'],
  ['FAILED', 'failed'],
  ['NOT_FOUND', 'none'],
]);

/** Maps any `ItemState`, known to us or not. */
export function revisionStateOf(state: unknown): RevisionState {
  return ITEM_STATES.get(state) ?? 'unknown';
}

/** Maps any `UploadState`; an absent one means that the store says nothing, which is not success. */
export function uploadStateOf(state: unknown): Known<UploadState> {
  if (state === undefined || state === null) return known('none');
  const mapped = UPLOAD_STATES.get(state);
  return mapped === undefined ? UNKNOWN : known(mapped);
}

/** Whether an answer is a `FetchItemStatusResponse` at all: the fields that Google never leaves out are there. */
export function isItemStatus(json: unknown): boolean {
  const status = asRecord(json);
  return asText(status?.['name']) !== undefined || asText(status?.['itemId']) !== undefined;
}

/** Reads a `FetchItemStatusResponse` (facts: stores 1.5). An absent part is known to be nothing; an odd one is unknown. */
export function observedFrom(json: unknown): Observed {
  const status = asRecord(json) ?? {};
  const published = revisionOf(status['publishedItemRevisionStatus']);
  const submitted = revisionOf(status['submittedItemRevisionStatus']);
  return {
    live: liveOf(published, submitted),
    submission: submissionOf(submitted),
    upload: uploadStateOf(status['lastAsyncUploadState']),
    takenDown: status['takenDown'] === true,
    warned: status['warned'] === true,
    rolloutPercent: null,
    raw: redact(json),
  };
}

interface Revision {
  readonly state: RevisionState;
  readonly version: string | undefined;
}

/** `ItemRevisionStatus`: absent is `null`, and of several channels the highest version is ours (facts: stores 1.5). */
function revisionOf(value: unknown): Revision | null {
  if (value === undefined || value === null) return null;
  const revision = asRecord(value);
  const [version] = asList(revision?.['distributionChannels'])
    .map((channel) => asText(asRecord(channel)?.['crxVersion']))
    .filter((one) => one !== undefined)
    .sort((a, b) => compareVersions(b, a));
  return { state: revisionStateOf(revision?.['state']), version };
}

function liveOf(published: Revision | null, submitted: Revision | null): Known<string | null> {
  const live = [published, submitted].filter((revision) => revision?.state === 'live');
  if (published === null && live.length === 0) return known(null);
  const [version] = live
    .map((revision) => revision?.version)
    .filter((one) => one !== undefined)
    .sort((a, b) => compareVersions(b, a));
  return version === undefined ? UNKNOWN : known(version);
}

function submissionOf(submitted: Revision | null): Known<Submission | null> {
  if (submitted === null || submitted.state === 'live') return known(null);
  const { version, state } = submitted;
  return version === undefined ? UNKNOWN : known({ version, state });
}
