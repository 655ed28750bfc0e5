import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type ParseError, parse } from 'jsonc-parser';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { StoredFile } from './addon.js';

const MAX_MANIFEST_BYTES = 1024 * 1024;
const VERSION = /^(0|[1-9]\d{0,8})(\.(0|[1-9]\d{0,8})){0,3}$/;

/** The result of AMO's validation; a package with errors is invalid. */
export interface PackageReport {
  readonly errors: readonly string[];
  readonly version: string | null;
  readonly guid: string | null;
  readonly name: string | null;
  /** The manifest says for which versions of Firefox for Android it is. */
  readonly locksAndroid: boolean;
}

const invalid = (...errors: readonly string[]): PackageReport => ({
  errors,
  version: null,
  guid: null,
  name: null,
  locksAndroid: false,
});

/** Validates a package and its manifest (src/stores/README.md#firefox-objects). */
export async function readPackage(path: string): Promise<PackageReport> {
  let text: string | null;
  try {
    const zip = await openPromise(path, { autoClose: false });
    try {
      text = await manifestOf(zip);
    } finally {
      zip.close();
    }
  } catch {
    return invalid('Invalid or corrupted add-on file.');
  }
  return text === null ? invalid('No manifest.json was found at the root of the extension.') : reportOn(text);
}

/** Whether the first bytes of a source archive match its name. */
export async function isArchive({ path, name }: StoredFile): Promise<boolean> {
  if (/\.zip$/i.test(name)) return isZip(path);
  const file = await open(path);
  try {
    const { buffer: head } = await file.read(Buffer.alloc(3), 0, 3, 0);
    return head.toString('latin1').startsWith(/\.bz2$/i.test(name) ? 'BZh' : '\u001F\u008B');
  } finally {
    await file.close();
  }
}

/** Whether a file is a zip with a readable directory. */
async function isZip(path: string): Promise<boolean> {
  try {
    const zip = await openPromise(path, { autoClose: false });
    try {
      await manifestOf(zip);
      return true;
    } finally {
      zip.close();
    }
  } catch {
    return false;
  }
}

async function manifestOf(zip: ZipFile): Promise<string | null> {
  let manifest: Entry | undefined;
  // All entries are read, because a broken one makes the package invalid.
  for await (const entry of zip.eachEntry()) if (entry.fileName === 'manifest.json') manifest = entry;
  if (!manifest || manifest.uncompressedSize > MAX_MANIFEST_BYTES) return null;
  return (await buffer(await zip.openReadStreamPromise(manifest))).toString('utf8');
}

function reportOn(text: string): PackageReport {
  const faults: ParseError[] = [];
  const manifest: unknown = parse(text.replace(/^\uFEFF/, ''), faults, { allowTrailingComma: false });
  const fields = recordOf(manifest);
  if (faults.length > 0 || !fields) return invalid('Your JSON is not valid.');
  const { name, version, manifest_version: generation } = fields;
  const guid = geckoId(fields);
  const isV3WithoutId = generation === 3 && guid === null;
  const errors = [
    generation === 2 || generation === 3 ? null : '"/manifest_version" must be 2 or 3.',
    typeof name === 'string' && name !== '' ? null : '"/name" is a required property.',
    typeof version === 'string' && VERSION.test(version) ? null : 'The version string should be numeric with dots.',
    isV3WithoutId ? 'The extension ID is required in Manifest Version 3 and above.' : null,
  ].filter((error) => error !== null);
  return {
    errors,
    version: typeof version === 'string' ? version : null,
    guid,
    name: typeof name === 'string' ? name : null,
    locksAndroid: recordOf(settingsOf(fields)?.gecko_android) !== undefined,
  };
}

const settingsOf = (manifest: Readonly<Record<string, unknown>>) =>
  recordOf(manifest.browser_specific_settings) ?? recordOf(manifest.applications);

function geckoId(manifest: Readonly<Record<string, unknown>>): string | null {
  const id = recordOf(settingsOf(manifest)?.gecko)?.id;
  return typeof id === 'string' && id !== '' ? id : null;
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
