/** AMO's channels (docs/stores.md#firefox-channels). */
export type Channel = 'listed' | 'unlisted';
/** `file.status` (docs/stores.md#firefox-states). */
export type FileStatus = 'public' | 'disabled' | 'unreviewed';
/** `addon.status` (docs/stores.md#firefox-states). */
export type AddonStatus = 'public' | 'nominated' | 'incomplete' | 'rejected' | 'disabled' | 'deleted';

/** A file that was sent, lying in the sandbox's folder. */
export interface StoredFile {
  readonly path: string;
  readonly name: string;
  /** As the part of the form named it. */
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
}

/** Texts by locale, as AMO keeps what users read. */
export type Localized = Readonly<Record<string, string>>;

/** A package that was sent, and what its validation finds. */
export interface Upload {
  readonly uuid: string;
  readonly issuer: string;
  readonly channel: Channel;
  readonly file: StoredFile;
  readonly createdAt: Date;
  /** What the validation finds; nothing makes it valid. */
  readonly errors: readonly string[];
  /** As the manifest says; `null` where it could not be read. */
  readonly version: string | null;
  readonly guid: string | null;
  readonly name: string | null;
  /** Reads that find it still being validated. */
  pollsLeft: number;
  isSubmitted: boolean;
}

/** One version, in whichever channel; `file` is `null` where the control plane made it up. */
export interface AddonVersion {
  readonly id: number;
  readonly version: string;
  readonly channel: Channel;
  status: FileStatus;
  /** Its developer disabled it. */
  isDisabled: boolean;
  /** It was signed at some time, which a rollback needs. */
  wasApproved: boolean;
  readonly createdAt: Date;
  readonly file: StoredFile | null;
  source: Omit<StoredFile, 'path'> | null;
  releaseNotes: Localized | null;
  approvalNotes: string;
  license: string | null;
  compatibility: readonly string[];
  /** The version whose code it is, when a rollback made it. */
  readonly rolledBackTo: string | null;
}

/** How an add-on behaves; set on making it and by `PATCH /__sim/firefox/addons/{guid}`. */
export interface AddonKnobs {
  /** Hidden by its developer. */
  isDisabled: boolean;
  /** What the listing still lacks; a listed version is refused with it. */
  missingMetadata: readonly string[];
  /** Approves listed versions by itself this long after they were made; `null` leaves it to the control plane. */
  approveAfterSeconds: number | null;
  /** The same for unlisted ones, which nobody needs to look at (docs/stores.md#firefox-channels). */
  signAfterSeconds: number | null;
}

/** What AMO did, so that a test can see that nothing was done twice. */
export interface AddonCounters {
  /** Packages taken for this add-on, by the id in their manifest. */
  uploads: number;
  /** Versions made by API. */
  versions: number;
  /** Versions changed or deleted by API. */
  edits: number;
  rollbacks: number;
  /** Changes of this add-on that AMO refused, once it had accepted the caller. */
  refused: number;
}

/** An add-on with everything that is behind it. */
export interface Addon extends AddonKnobs {
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
  /** Numbers that were used and whose versions are gone. */
  readonly burnt: string[];
  readonly counters: AddonCounters;
}

export const NOTHING_COUNTED: Readonly<AddonCounters> = { uploads: 0, versions: 0, edits: 0, rollbacks: 0, refused: 0 };

/** The newest version of a channel that is signed; of the listed one it is what users are given. */
export function currentOf({ versions }: Addon, channel: Channel): AddonVersion | undefined {
  return versions.findLast((one) => one.channel === channel && one.status === 'public' && !one.isDisabled);
}

/** What `addon.status` says (docs/stores.md#firefox-states): it follows from the listed versions. */
export function statusOf(addon: Addon): AddonStatus {
  if (addon.isTakenDown) return 'disabled';
  if (currentOf(addon, 'listed')) return 'public';
  const listed = addon.versions.filter(({ channel }) => channel === 'listed');
  if (listed.some(({ status }) => status === 'unreviewed')) return 'nominated';
  return 'incomplete';
}
