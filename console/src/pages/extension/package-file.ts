import { FlateErrorCode, unzipSync, type FlateError, type Unzipped, type UnzipFileInfo } from 'fflate';

/** Manifest of a package, read in the browser before anything is sent. */
export interface PackageFacts {
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Bytes. */
  readonly size: number;
  /** In hex; null where the browser computes no digests, which is so without HTTPS. */
  readonly sha256: string | null;
}

/** A file that is no package, in words for its author. */
export class NoPackage extends Error {}

/** Reads the manifest, size and digest of a zip. @throws NoPackage */
export async function readPackage(file: Blob): Promise<PackageFacts> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { 'manifest.json': manifest } = unzip(bytes);
  if (manifest === undefined)
    throw new NoPackage('The zip has no manifest.json at its root. Zip the contents of the folder, not the folder.');
  return { manifest: parse(new TextDecoder().decode(manifest)), size: file.size, sha256: await digestOf(bytes) };
}

const MAX_MANIFEST = 1_048_576;

function isManifest({ name, originalSize }: UnzipFileInfo): boolean {
  if (name !== 'manifest.json') return false;
  if (originalSize > MAX_MANIFEST) throw new NoPackage('The zip is damaged.');
  return true;
}

function unzip(bytes: Uint8Array): Unzipped {
  try {
    return unzipSync(bytes, { filter: isManifest });
  } catch (error) {
    if (error instanceof NoPackage) throw error;
    const isZip = (error as Partial<FlateError>).code !== FlateErrorCode.InvalidZipData;
    throw new NoPackage(isZip ? 'The manifest.json in the zip is damaged.' : 'This file is not a zip.');
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const manifest: unknown = JSON.parse(text);
    if (typeof manifest === 'object' && manifest !== null) return manifest as Readonly<Record<string, unknown>>;
  } catch {
    // Said below.
  }
  throw new NoPackage('The manifest.json in the zip is not JSON.');
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  // Absent where the page is not served from a secure origin.
  if (crypto.subtle === undefined) return null;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
