import { asList, asNumber, asRecord, asText, cutText, redact, redactText } from '../../common/net/index.js';
import { compareVersions } from '../version.js';
import { known, UNKNOWN, type Known, type Observed, type Submission, type UploadState } from '../store.js';

/** Where versions are made (docs/stores.md#firefox-channels); the first is the default. */
export const CHANNELS = ['listed', 'unlisted'] as const;
export type Channel = (typeof CHANNELS)[number];

/** What an add-on's status means for its listing; `taken_down` is Mozilla's doing. */
export type ListingState = 'public' | 'hidden' | 'taken_down' | 'unknown';

/**
 * `disabled` is a rejected version as well as a superseded one or one that its developer disabled
 * (docs/stores.md#firefox-states).
 */
export type FileState = 'signed' | 'in_review' | 'disabled' | 'unknown';

/** `Addon.status` (docs/stores.md#firefox-states). */
const LISTING_STATES: ReadonlyMap<unknown, ListingState> = new Map([
  ['public', 'public'],
  ['nominated', 'hidden'],
  ['incomplete', 'hidden'],
  ['rejected', 'hidden'],
  ['deleted', 'hidden'],
  ['disabled', 'taken_down'],
]);

/** `Version.file.status` (docs/stores.md#firefox-states). */
const FILE_STATES: ReadonlyMap<unknown, FileState> = new Map([
  ['public', 'signed'],
  ['unreviewed', 'in_review'],
  ['disabled', 'disabled'],
]);

const MAX_SHOWN = 5;
const MAX_MESSAGES = 5;
const MAX_WORDS = 1000;

/** Maps any `Addon.status`, known to us or not. */
export const listingStateOf = (status: unknown): ListingState => LISTING_STATES.get(status) ?? 'unknown';

/** Maps any `Version.file.status`, known to us or not. */
export const fileStateOf = (status: unknown): FileState => FILE_STATES.get(status) ?? 'unknown';

/** The target's channel, by its setting. */
export const channelOf = (setting: string | null): Channel => CHANNELS.find((one) => one === setting) ?? CHANNELS[0];

/** A version as the store holds it. */
export interface HeldVersion {
  /** The store's own number for it; `undefined` where the answer has none. */
  readonly id: string | undefined;
  readonly version: string;
  readonly channel: string | undefined;
  readonly state: FileState;
  /** Its developer disabled it. */
  readonly isDisabled: boolean;
  /** Where its file is, which is signed once the version is. */
  readonly url: string | undefined;
}

/** Reads a Version (docs/stores.md#firefox-objects); `null` for anything else. */
export function heldVersion(json: unknown): HeldVersion | null {
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
  };
}

/** Maps an Upload (docs/stores.md#firefox-objects); `null` is an upload that the store does not have. */
export function uploadStateOf(json: unknown): Known<UploadState> {
  if (json === null) return known('none');
  const { processed, valid } = asRecord(json) ?? {};
  if (processed === false) return known('processing');
  if (processed !== true || typeof valid !== 'boolean') return UNKNOWN;
  return known(valid ? 'ready' : 'failed');
}

/** The errors of a validation, in its own words. */
export function validationErrors(upload: unknown): string {
  const messages = asList(asRecord(asRecord(upload)?.['validation'])?.['messages'])
    .map(asRecord)
    .filter((message) => message?.['type'] === 'error')
    .map((message) => [asText(message?.['message']), asText(message?.['file'])].filter(Boolean).join(' in '))
    .filter((text) => text !== '');
  return cutText(redactText([...new Set(messages)].slice(0, MAX_MESSAGES).join('; ')), MAX_WORDS);
}

/** The answers that one look consists of. */
export interface Look {
  readonly addon: unknown;
  /** The newest versions of both channels, newest first. */
  readonly versions: unknown;
  /** The upload under way; `null` when there is none. */
  readonly upload: unknown;
}

/** What a look shows of one channel (docs/stores.md#firefox-states). */
export function observedFrom({ addon, versions, upload }: Look, channel: Channel): Observed {
  const item = asRecord(addon) ?? {};
  const page = asRecord(versions);
  const all = asList(page?.['results'])
    .map(heldVersion)
    .filter((one) => one !== null);
  const held = all.filter((one) => one.channel === channel);
  const isWhole = (page?.['next'] ?? null) === null;
  const listing = listingStateOf(item['status']);
  const live = channel === 'listed' ? listedLive(item, listing) : signedLive(held, listing, isWhole);
  return {
    live,
    submission: submissionOf(held[0], live, isWhole, channel === 'listed' && isServed(item, listing)),
    upload: uploadStateOf(upload),
    takenDown: listing === 'taken_down',
    warned: false,
    rolloutPercent: null,
    raw: redact({
      guid: item['guid'],
      status: item['status'],
      is_disabled: item['is_disabled'],
      current_version: currentOf(item),
      versions: all.slice(0, MAX_SHOWN),
    }),
  };
}

/** What is known of an item that the store hides because Mozilla disabled it. */
export const takenDownFrom = (raw: unknown): Observed => ({
  live: known(null),
  submission: UNKNOWN,
  upload: UNKNOWN,
  takenDown: true,
  warned: false,
  rolloutPercent: null,
  raw,
});

/** The listed version that users are given; `null` when there is none or the answer does not say. */
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

/** The highest signed version: whoever distributes by himself serves that one. */
function signedLive(held: readonly HeldVersion[], listing: ListingState, isWhole: boolean): Known<string | null> {
  if (listing === 'taken_down') return known(null);
  const [highest] = held
    .filter(({ state, isDisabled }) => state === 'signed' && !isDisabled)
    .map(({ version }) => version)
    .sort((a, b) => compareVersions(b, a));
  if (highest !== undefined) return known(highest);
  return isWhole ? known(null) : UNKNOWN;
}

/** What the channel's newest version is waiting for, or what was decided about it. */
function submissionOf(
  newest: HeldVersion | undefined,
  live: Known<string | null>,
  isWhole: boolean,
  isServing: boolean,
): Known<Submission | null> {
  if (newest === undefined) return isWhole ? known(null) : UNKNOWN;
  const { version, state, isDisabled } = newest;
  const isAboveLive = !live.known || live.value === null || compareVersions(version, live.value) > 0;
  switch (state) {
    case 'in_review':
    case 'unknown':
      return known({ version, state });
    case 'signed':
      // Signed and not yet current: the listing follows in a moment.
      return known(isServing && isAboveLive ? { version, state: 'releasing' } : null);
    case 'disabled':
      return known(isAboveLive ? { version, state: isDisabled ? 'cancelled' : 'rejected' } : null);
  }
}
