import { asList, asNumber, asRecord, asText, truncate, redact, redactText } from '../../common/net/pure.js';
import { compareVersions } from '../version.js';
import { known, UNKNOWN, type Known, type Observed, type Submission, type UploadState } from '../store.js';

/** The channels of versions, the default first (src/stores/README.md#firefox-channels). */
export const CHANNELS = ['listed', 'unlisted'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The state of an add-on's listing; `taken_down` means disabled by Mozilla. */
export type ListingState = 'public' | 'hidden' | 'taken_down' | 'unknown';

/**
 * `disabled` is a rejected version as well as a superseded one or one that its developer disabled
 * (src/stores/README.md#firefox-states).
 */
export type FileState = 'signed' | 'in_review' | 'disabled' | 'unknown';

/** `Addon.status` (src/stores/README.md#firefox-states). */
const LISTING_STATES: ReadonlyMap<unknown, ListingState> = new Map([
  ['public', 'public'],
  ['nominated', 'hidden'],
  ['incomplete', 'hidden'],
  ['rejected', 'hidden'],
  ['deleted', 'hidden'],
  ['disabled', 'taken_down'],
]);

/** `Version.file.status` (src/stores/README.md#firefox-states). */
const FILE_STATES: ReadonlyMap<unknown, FileState> = new Map([
  ['public', 'signed'],
  ['unreviewed', 'in_review'],
  ['disabled', 'disabled'],
]);

const MAX_SHOWN = 5;
const MAX_MESSAGES = 5;
const MAX_MESSAGE = 1000;

/** Maps any `Addon.status`, documented or not. */
export const listingStateOf = (status: unknown): ListingState => LISTING_STATES.get(status) ?? 'unknown';

/** Maps any `Version.file.status`, documented or not. */
export const fileStateOf = (status: unknown): FileState => FILE_STATES.get(status) ?? 'unknown';

/** The channel in a target's settings. */
export const channelOf = (setting: string | null): Channel => CHANNELS.find((one) => one === setting) ?? CHANNELS[0];

/** A version at the store. */
export interface AddonVersion {
  /** The store's id of the version. */
  readonly id: string | undefined;
  readonly version: string;
  readonly channel: string | undefined;
  readonly state: FileState;
  /** The developer disabled it. */
  readonly isDisabled: boolean;
  /** The URL of its file, which is signed once the version is approved. */
  readonly url: string | undefined;
  /** Digest of that file, such as `sha256:…`. */
  readonly digest: string | undefined;
  /** The apps that it is for, as AMO names them. */
  readonly apps: readonly string[];
}

/** Reads a Version (src/stores/README.md#firefox-objects); `null` for other answers. */
export function addonVersionFrom(json: unknown): AddonVersion | null {
  const body = asRecord(json);
  const version = asText(body?.['version']);
  if (body === undefined || version === undefined) return null;
  const file = asRecord(body['file']);
  return {
    id: asNumber(body['id'])?.toString(),
    version,
    channel: asText(body['channel']),
    state: fileStateOf(file?.['status']),
    isDisabled: body['is_disabled'] === true,
    url: asText(file?.['url']),
    digest: asText(file?.['hash']),
    apps: Object.keys(asRecord(body['compatibility']) ?? {}),
  };
}

/** The approved versions of a channel, newest first. @param versions a page of Versions */
export const approvedFrom = (versions: unknown, channel: Channel): readonly AddonVersion[] =>
  versionsFrom(versions).filter((one) => one.channel === channel && one.state === 'signed' && !one.isDisabled);

/** The versions of both channels that a page of Versions lists. */
const versionsFrom = (page: unknown): readonly AddonVersion[] =>
  asList(asRecord(page)?.['results'])
    .map(addonVersionFrom)
    .filter((one) => one !== null);

/** Maps an Upload (src/stores/README.md#firefox-objects); `null` is an upload that the store does not have. */
export function uploadStateOf(json: unknown): Known<UploadState> {
  if (json === null) return known('none');
  const { processed, valid } = asRecord(json) ?? {};
  if (processed === false) return known('processing');
  if (processed !== true || typeof valid !== 'boolean') return UNKNOWN;
  return known(valid ? 'ready' : 'failed');
}

/** The error messages of a validation. */
export function validationErrors(upload: unknown): string {
  const messages = asList(asRecord(asRecord(upload)?.['validation'])?.['messages'])
    .map(asRecord)
    .filter((message) => message?.['type'] === 'error')
    .map((message) => [asText(message?.['message']), asText(message?.['file'])].filter(Boolean).join(' in '))
    .filter((text) => text !== '');
  return truncate(redactText([...new Set(messages)].slice(0, MAX_MESSAGES).join('; ')), MAX_MESSAGE);
}

/** The answers from which an add-on's state is read. */
export interface AddonAnswers {
  readonly addon: unknown;
  /** The newest versions of both channels, newest first. */
  readonly versions: unknown;
  /** The upload under way; `null` when there is none. */
  readonly upload: unknown;
}

/** The state of one channel (src/stores/README.md#firefox-states). */
export function observedFrom({ addon, versions, upload }: AddonAnswers, channel: Channel): Observed {
  const item = asRecord(addon) ?? {};
  const all = versionsFrom(versions);
  const ofChannel = all.filter((one) => one.channel === channel);
  const isComplete = (asRecord(versions)?.['next'] ?? null) === null;
  const listing = listingStateOf(item['status']);
  const live = channel === 'listed' ? listedLive(item, listing) : signedLive(ofChannel, listing, isComplete);
  return {
    live,
    submission: submissionOf(ofChannel[0], live, isComplete, channel === 'listed' && isServed(item, listing)),
    upload: uploadStateOf(upload),
    takenDown: listing === 'taken_down',
    warned: false,
    rolloutPercent: null,
    fileDigest: digestOf(ofChannel, live),
    raw: redact({
      guid: item['guid'],
      status: item['status'],
      is_disabled: item['is_disabled'],
      current_version: currentOf(item),
      versions: all.slice(0, MAX_SHOWN),
    }),
  };
}

/** The state of an add-on that is hidden because Mozilla disabled it. */
export const takenDownFrom = (raw: unknown): Observed => ({
  live: known(null),
  submission: UNKNOWN,
  upload: UNKNOWN,
  takenDown: true,
  warned: false,
  rolloutPercent: null,
  raw,
});

/** The listed version that users get; `null` when there is none or the answer does not contain it. */
export const currentOf = (addon: Readonly<Record<string, unknown>>): string | null =>
  asText(asRecord(addon['current_version'])?.['version']) ?? null;

const isServed = (addon: Readonly<Record<string, unknown>>, listing: ListingState): boolean =>
  listing === 'public' && addon['is_disabled'] !== true;

function listedLive(addon: Readonly<Record<string, unknown>>, listing: ListingState): Known<string | null> {
  if (listing === 'unknown') return UNKNOWN;
  if (!isServed(addon, listing)) return known(null);
  const current = currentOf(addon);
  return current === null && addon['current_version'] !== null ? UNKNOWN : known(current);
}

/** Of the signed file of the live version. */
const digestOf = (versions: readonly AddonVersion[], live: Known<string | null>): string | undefined =>
  versions.find(
    ({ version, state }) =>
      state === 'signed' && live.known && live.value !== null && compareVersions(version, live.value) === 0,
  )?.digest;

/** The highest signed version, which the developer can distribute. */
function signedLive(
  versions: readonly AddonVersion[],
  listing: ListingState,
  isComplete: boolean,
): Known<string | null> {
  if (listing === 'taken_down') return known(null);
  const [highest] = versions
    .filter(({ state, isDisabled }) => state === 'signed' && !isDisabled)
    .map(({ version }) => version)
    .sort((a, b) => compareVersions(b, a));
  if (highest !== undefined) return known(highest);
  return isComplete ? known(null) : UNKNOWN;
}

/** The review state of the channel's newest version. */
function submissionOf(
  newest: AddonVersion | undefined,
  live: Known<string | null>,
  isComplete: boolean,
  isServing: boolean,
): Known<Submission | null> {
  if (newest === undefined) return isComplete ? known(null) : UNKNOWN;
  const { version, state, isDisabled } = newest;
  const isAboveLive = !live.known || live.value === null || compareVersions(version, live.value) > 0;
  switch (state) {
    case 'in_review':
    case 'unknown':
      return known({ version, state });
    case 'signed':
      // Signed but not current yet: the listing is updated shortly afterwards.
      return known(isServing && isAboveLive ? { version, state: 'releasing' } : null);
    case 'disabled':
      return known(isAboveLive ? { version, state: isDisabled ? 'cancelled' : 'rejected' } : null);
  }
}
