import { asList, asNumber, asRecord, asText, redact } from '../../common/net/pure.js';
import { offerIn } from '../update-answer.js';
import { compareVersions } from '../version.js';
import { known, UNKNOWN, type Known, type Observed, type Submission, type UploadState } from '../store.js';

/** The state of a revision; `live` means published, to everyone or to testers. */
export type RevisionState = 'in_review' | 'approved' | 'live' | 'rejected' | 'cancelled' | 'unknown';

/** `ItemState` (src/stores/README.md#chrome-status). */
const ITEM_STATES: ReadonlyMap<unknown, RevisionState> = new Map([
  ['PENDING_REVIEW', 'in_review'],
  ['STAGED', 'approved'],
  ['PUBLISHED', 'live'],
  ['PUBLISHED_TO_TESTERS', 'live'],
  ['REJECTED', 'rejected'],
  ['CANCELLED', 'cancelled'],
]);

/** `UploadState`; the reference's prose spells one value differently from its enum (src/stores/README.md#chrome-upload). */
const UPLOAD_STATES: ReadonlyMap<unknown, UploadState> = new Map([
  ['SUCCEEDED', 'ready'],
  ['IN_PROGRESS', 'processing'],
  ['UPLOAD_IN_PROGRESS', 'processing'],
  ['FAILED', 'failed'],
  ['NOT_FOUND', 'none'],
]);

/** Maps any `ItemState`, documented or not. */
export function revisionStateOf(state: unknown): RevisionState {
  return ITEM_STATES.get(state) ?? 'unknown';
}

/** Maps any `UploadState`. When it is absent the store reports nothing, which does not mean success. */
export function uploadStateOf(state: unknown): Known<UploadState> {
  if (state === undefined || state === null) return known('none');
  const mapped = UPLOAD_STATES.get(state);
  return mapped === undefined ? UNKNOWN : known(mapped);
}

/** Whether an answer is a `FetchItemStatusResponse`: it has a field that Google never leaves out. */
export function isItemStatus(json: unknown): boolean {
  const status = asRecord(json);
  return asText(status?.['name']) !== undefined || asText(status?.['itemId']) !== undefined;
}

/** Reads a `FetchItemStatusResponse` (src/stores/README.md#chrome-status). An absent part means none, an undocumented one is unknown. */
export function observedFrom(json: unknown): Observed {
  const status = asRecord(json) ?? {};
  const published = revisionOf(status['publishedItemRevisionStatus']);
  const submitted = revisionOf(status['submittedItemRevisionStatus']);
  const takenDown = status['takenDown'] === true;
  return {
    // The store still reports the version that was published, but serves it to nobody.
    live: takenDown ? known(null) : liveOf(published, submitted),
    submission: submissionOf(submitted),
    upload: uploadStateOf(status['lastAsyncUploadState']),
    takenDown,
    warned: status['warned'] === true,
    rolloutPercent: rolloutOf(published, submitted),
    raw: redact(json),
  };
}

/** The version of an item that an answer of the update service offers (src/stores/README.md#chrome-update-check). */
export function offeredVersion(xml: string, itemId: string): Known<string> {
  const offer = offerIn(xml, itemId);
  return offer === null ? UNKNOWN : known(offer.version);
}

interface Revision {
  readonly state: RevisionState;
  readonly version: string | undefined;
  /** The share of users of that version; null for all of them. */
  readonly percent: number | null;
}

/** Reads an `ItemRevisionStatus`; of several channels, the highest version is the newest (src/stores/README.md#chrome-status). */
function revisionOf(value: unknown): Revision | null {
  if (value === undefined || value === null) return null;
  const revision = asRecord(value);
  const [highest] = asList(revision?.['distributionChannels'])
    .map((channel) => ({
      version: asText(asRecord(channel)?.['crxVersion']),
      percent: asNumber(asRecord(channel)?.['deployPercentage']) ?? 100,
    }))
    .filter((channel): channel is { version: string; percent: number } => channel.version !== undefined)
    .sort((a, b) => compareVersions(b.version, a.version));
  const percent = highest === undefined || highest.percent >= 100 ? null : highest.percent;
  return { state: revisionStateOf(revision?.['state']), version: highest?.version, percent };
}

function liveOf(published: Revision | null, submitted: Revision | null): Known<string | null> {
  if (published === null && submitted?.state !== 'live') return known(null);
  const version = liveRevision(published, submitted)?.version;
  return version === undefined ? UNKNOWN : known(version);
}

const rolloutOf = (published: Revision | null, submitted: Revision | null): number | null =>
  liveRevision(published, submitted)?.percent ?? null;

/** The version that users get: the higher one of two live revisions. */
function liveRevision(...revisions: readonly (Revision | null)[]): Revision | undefined {
  const [live] = revisions
    .filter((revision) => revision?.state === 'live' && revision.version !== undefined)
    .sort((a, b) => compareVersions(b?.version ?? '', a?.version ?? ''));
  return live ?? undefined;
}

function submissionOf(submitted: Revision | null): Known<Submission | null> {
  if (submitted === null || submitted.state === 'live') return known(null);
  const { version, state } = submitted;
  return version === undefined ? UNKNOWN : known({ version, state });
}
