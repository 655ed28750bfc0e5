/** AMO's channels (src/stores/README.md#firefox-channels). */
export type Channel = 'listed' | 'unlisted';
/** `file.status` (src/stores/README.md#firefox-states). */
export type FileStatus = 'public' | 'disabled' | 'unreviewed';
/** `addon.status` (src/stores/README.md#firefox-states). */
export type AddonStatus = 'public' | 'nominated' | 'incomplete' | 'rejected' | 'disabled' | 'deleted';

/** An uploaded file in the sandbox's folder. */
export interface StoredFile {
  readonly path: string;
  readonly name: string;
  /** The media type in the form. */
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
}

/** Texts by locale. */
export type Localized = Readonly<Record<string, string>>;

/** An uploaded package and its validation. */
export interface Upload {
  readonly uuid: string;
  readonly issuer: string;
  readonly channel: Channel;
  readonly file: StoredFile;
  readonly createdAt: Date;
  /** The errors of its validation; none when it is valid. */
  readonly errors: readonly string[];
  /** From the manifest; `null` when it could not be read. */
  readonly version: string | null;
  readonly guid: string | null;
  readonly name: string | null;
  readonly locksAndroid: boolean;
  /** How many reads find it in validation. */
  pollsLeft: number;
  isSubmitted: boolean;
}

/** A version; `file` is `null` when the control plane created it. */
export interface AddonVersion {
  readonly id: number;
  readonly version: string;
  readonly channel: Channel;
  status: FileStatus;
  /** The developer disabled it. */
  isDisabled: boolean;
  /** It was signed at some time; only such a version can be rolled back to. */
  wasApproved: boolean;
  readonly createdAt: Date;
  readonly file: StoredFile | null;
  source: Omit<StoredFile, 'path'> | null;
  releaseNotes: Localized | null;
  approvalNotes: string;
  license: string | null;
  compatibility: readonly string[];
  /** Its manifest says for which versions of Firefox for Android it is, which cannot be changed. */
  readonly locksAndroid: boolean;
  /** The version whose code it contains, when a rollback created it. */
  readonly rolledBackTo: string | null;
}

/** What a user wrote about an add-on. */
export interface UserRating {
  readonly id: number;
  readonly score: number;
  readonly body: string | null;
  readonly user: string;
  readonly version: string | null;
  /** As `2030-01-31T10:00:00Z`. */
  readonly created: string;
  /** The developer's answer. */
  readonly reply: string | null;
}

/** How an add-on behaves; set when it is created and by `PATCH /__sim/firefox/addons/{guid}`. */
export interface AddonBehavior {
  /** Hidden by its developer. */
  isDisabled: boolean;
  /** Missing metadata, for which listed versions are refused. */
  missingMetadata: readonly string[];
  /** Approves listed versions this long after their creation; `null` leaves it to the control plane. */
  approveAfterSeconds: number | null;
  /** The same for unlisted versions, which need no reviewer (src/stores/README.md#firefox-channels). */
  signAfterSeconds: number | null;
  /** What AMO says of its users and ratings (src/stores/README.md#firefox-figures). */
  averageDailyUsers: number;
  weeklyDownloads: number;
  /** How many gave one star, two, and so on. */
  stars: readonly number[];
  /** What users wrote, one of each user. */
  ratings: readonly UserRating[];
  /** Digest of the file that somebody has put in place of the live one; null for none. */
  replacedDigest: string | null;
}

/** Acts of AMO, so that a test can check that nothing was done twice. */
export interface AddonCounters {
  /** Packages accepted for this add-on, by the id in their manifest. */
  uploads: number;
  /** Versions created by the API. */
  versions: number;
  /** Versions changed or deleted by the API. */
  edits: number;
  rollbacks: number;
  /** Refused changes of this add-on, after authentication. */
  refused: number;
}

/** An add-on and everything that belongs to it. */
export interface Addon extends AddonBehavior {
  readonly id: number;
  readonly guid: string;
  readonly slug: string;
  name: string;
  readonly defaultLocale: string;
  /** Issuers of its authors' keys. */
  readonly authors: string[];
  /** Disabled by Mozilla. */
  isTakenDown: boolean;
  /** Oldest first. */
  versions: AddonVersion[];
  /** Numbers of deleted versions. */
  readonly usedNumbers: string[];
  readonly counters: AddonCounters;
}

export const NOTHING_COUNTED: Readonly<AddonCounters> = { uploads: 0, versions: 0, edits: 0, rollbacks: 0, refused: 0 };

/** The newest signed version of a channel; users get that of the listed one. */
export function currentOf({ versions }: Addon, channel: Channel): AddonVersion | undefined {
  return versions.findLast((one) => one.channel === channel && one.status === 'public' && !one.isDisabled);
}

/** `addon.status`, which follows from the listed versions (src/stores/README.md#firefox-states). */
export function statusOf(addon: Addon): AddonStatus {
  if (addon.isTakenDown) return 'disabled';
  if (currentOf(addon, 'listed')) return 'public';
  const listed = addon.versions.filter(({ channel }) => channel === 'listed');
  if (listed.some(({ status }) => status === 'unreviewed')) return 'nominated';
  return 'incomplete';
}
