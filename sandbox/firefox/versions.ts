import { compareVersions } from '../versions.js';
import type { Addon, AddonVersion, Channel, Localized, StoredFile, Upload } from './addon.js';
import { fieldRefusal } from './errors.js';
import { isArchive } from './package-reader.js';
import { type Fields, fields, listOf, text } from '../input.js';

/** The metadata of a new version. */
export interface VersionTexts {
  readonly releaseNotes: Localized | null;
  readonly approvalNotes: string;
  readonly license: string | null;
  readonly compatibility: readonly string[];
}

/** Reads the metadata that is present (src/stores/README.md#firefox-calls). */
export function readTexts(body: Fields): Partial<VersionTexts> {
  const { release_notes: notes, approval_notes: approval, license, compatibility } = body;
  return {
    ...(notes !== undefined && { releaseNotes: notes === null ? null : localized(notes) }),
    ...(approval !== undefined && { approvalNotes: text(approval, 'approval_notes') }),
    ...(license !== undefined && { license: text(license, 'license') }),
    ...(compatibility !== undefined && { compatibility: apps(compatibility) }),
  };
}

function localized(value: unknown): Localized {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fieldRefusal('release_notes', 'You must provide an object of {lang-code:value}.');
  }
  return Object.fromEntries(Object.entries(value).map(([locale, one]) => [locale, translation(locale, one)]));
}

/** The locales of addons.mozilla.org, in lower case (src/stores/README.md#firefox-calls). */
const LOCALES: ReadonlySet<string> = new Set(
  'af ar ast az bg bn bs ca cak cs da de dsb el en-ca en-gb en-us es et eu fa fi fr fy-nl ga-ie gu he hr hsb hu id it ja ka kab ko lt lv mk mn ms mt nb-no nl nn-no pa-in pl pt-br pt-pt ro ru sk sl sq sv-se te th tr uk ur vi zh-cn zh-tw'.split(
    ' ',
  ),
);
const MAX_NOTES = 3000;

function translation(locale: string, value: unknown): string {
  if (!LOCALES.has(locale.toLowerCase()))
    throw fieldRefusal('release_notes', `The language code '${locale}' is invalid.`);
  const written = text(value, locale);
  if (written.trim() === '') throw fieldRefusal('release_notes', 'This field may not be blank.');
  if ([...written].length > MAX_NOTES)
    throw fieldRefusal('release_notes', `Ensure this field has no more than ${MAX_NOTES} characters.`);
  return written;
}

function apps(value: unknown): readonly string[] {
  const names = Array.isArray(value)
    ? listOf(text)(value, 'compatibility')
    : Object.keys(fields(value, 'compatibility'));
  const unknown = names.find((app) => app !== 'firefox' && app !== 'android');
  if (unknown !== undefined) throw fieldRefusal('compatibility', `Invalid app specified: ${unknown}`);
  return names;
}

/** Apps that the manifest names keep what it says (src/stores/README.md#firefox-calls). */
export function assertAppsFree({ locksAndroid }: AddonVersion, { compatibility }: Partial<VersionTexts>): void {
  if (!locksAndroid || compatibility === undefined) return;
  throw fieldRefusal(
    'compatibility',
    'Can not override compatibility information set in the manifest for this application (Firefox for Android)',
  );
}

/** The checks before a new version, in AMO's order (src/stores/README.md#firefox-errors). */
export function assertVersionAllowed(addon: Addon, upload: Upload, texts: Partial<VersionTexts>): string {
  assertUsable(upload);
  const { version, guid, channel } = upload;
  if (version === null) throw fieldRefusal('upload', 'Upload is not valid.');
  if (guid !== null && guid !== addon.guid) {
    throw fieldRefusal(
      null,
      `The add-on ID in your manifest.json (${guid}) does not match the ID of your add-on on AMO (${addon.guid})`,
    );
  }
  assertNumberFree(addon, version);
  if (channel === 'listed') assertListable(addon, version, texts);
  return version;
}

/** Only a valid upload can become a version, and only once. */
export function assertUsable(upload: Upload): void {
  if (upload.isSubmitted) throw fieldRefusal('upload', 'This upload has already been submitted.');
  if (upload.pollsLeft > 0 || upload.errors.length > 0) throw fieldRefusal('upload', 'Upload is not valid.');
}

/** Numbers are unique across both channels and cannot be reused (src/stores/README.md#firefox-channels). */
export function assertNumberFree(addon: Addon, version: string): void {
  if (addon.versions.some((one) => one.version === version)) {
    throw fieldRefusal('version', `Version ${version} already exists.`, 409);
  }
  if (addon.usedNumbers.includes(version)) {
    throw fieldRefusal('version', `Version ${version} was uploaded before and deleted.`, 409);
  }
}

function assertListable(addon: Addon, version: string, { license }: Partial<VersionTexts>): void {
  if (addon.isDisabled) {
    throw fieldRefusal('non_field_errors', 'Listed versions cannot be submitted while add-on is disabled.');
  }
  assertAboveApproved(addon, version);
  const missing = addon.missingMetadata.filter((name) => name !== 'license');
  if (missing.length > 0) {
    const names = missing.map((name) => `'${name}'`).join(', ');
    throw fieldRefusal(
      'non_field_errors',
      `Addon metadata is required to be set to create a listed version: [${names}].`,
    );
  }
  if (addon.missingMetadata.includes('license') && license === undefined) {
    throw fieldRefusal('license', 'This field is required for listed versions.');
  }
}

/** A listed version must be higher than every approved one (src/stores/README.md#firefox-errors). */
export function assertAboveApproved({ versions }: Addon, version: string): void {
  const approved = versions.findLast((one) => one.channel === 'listed' && one.wasApproved)?.version;
  if (approved === undefined || compareVersions(version, approved) > 0) return;
  throw fieldRefusal('version', `Version ${version} must be greater than the previous approved version ${approved}.`);
}

/** Adds a version. A listed one disables the version in review in its channel (src/stores/README.md#firefox-channels). */
export function addVersion(
  addon: Addon,
  values: Pick<AddonVersion, 'id' | 'version' | 'channel' | 'createdAt' | 'file'> & Partial<AddonVersion>,
): AddonVersion {
  if (values.channel === 'listed') disablePending(addon, 'listed');
  const before = addon.versions.findLast(({ channel }) => channel === values.channel);
  const version: AddonVersion = {
    status: 'unreviewed',
    isDisabled: false,
    wasApproved: values.status === 'public',
    source: null,
    releaseNotes: null,
    approvalNotes: '',
    license: before?.license ?? 'all-rights-reserved',
    compatibility: values.locksAndroid === true ? ['firefox', 'android'] : (before?.compatibility ?? ['firefox']),
    locksAndroid: false,
    rolledBackTo: null,
    ...values,
  };
  addon.versions.push(version);
  return version;
}

/** Ends the reviews of a channel. */
export function disablePending({ versions }: Addon, channel: Channel): void {
  for (const one of versions) if (one.channel === channel && one.status === 'unreviewed') one.status = 'disabled';
}

const SOURCE_NAMES = /\.(zip|tar\.gz|tgz|tar\.bz2)$/i;

/**
 * Refuses a source archive by its name or its first bytes (src/stores/README.md#firefox-channels,
 * src/stores/README.md#firefox-errors).
 */
export async function assertSource(source: StoredFile): Promise<void> {
  if (!SOURCE_NAMES.test(source.name)) {
    throw fieldRefusal(
      'source',
      'Unsupported file type, please upload an archive file (.zip, .tar.gz, .tgz, .tar.bz2).',
    );
  }
  if (!(await isArchive(source))) throw fieldRefusal('source', 'Invalid or broken archive.');
}
