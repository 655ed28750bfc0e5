/** What a package says of itself, read in the browser before anything is sent. */
export interface PackageFacts {
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Bytes. */
  readonly size: number;
  /** In hex; null where the browser computes no digests, which is so without HTTPS. */
  readonly sha256: string | null;
}

/** A file that is no package, in words for its author. */
export class NoPackage extends Error {}

const END_RECORD = 0x06_05_4b_50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const ENTRY = 0x02_01_4b_50;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;
const MAX_MANIFEST = 1_048_576;

/** Reads the manifest, size and digest of a zip. @throws NoPackage */
export async function readPackage(file: Blob): Promise<PackageFacts> {
  const entry = await findManifest(file);
  const manifest = parse(await textOf(file, entry));
  return { manifest, size: file.size, sha256: await digestOf(file) };
}

interface Entry {
  readonly offset: number;
  readonly packed: number;
  readonly isDeflated: boolean;
}

const viewOf = async (part: Blob): Promise<DataView> => new DataView(await part.arrayBuffer());

async function findManifest(file: Blob): Promise<Entry> {
  const tail = await viewOf(file.slice(Math.max(0, file.size - END_LENGTH - MAX_COMMENT)));
  let end = tail.byteLength - END_LENGTH;
  while (end >= 0 && tail.getUint32(end, true) !== END_RECORD) end -= 1;
  if (end < 0) throw new NoPackage('This file is not a zip.');
  const start = tail.getUint32(end + 16, true);
  const directory = await viewOf(file.slice(start, start + tail.getUint32(end + 12, true)));
  for (let at = 0; at + ENTRY_LENGTH <= directory.byteLength && directory.getUint32(at, true) === ENTRY;) {
    const length = directory.getUint16(at + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + ENTRY_LENGTH, length));
    if (name === 'manifest.json')
      return {
        offset: directory.getUint32(at + 42, true),
        packed: directory.getUint32(at + 20, true),
        isDeflated: directory.getUint16(at + 10, true) === 8,
      };
    at += ENTRY_LENGTH + length + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
  }
  throw new NoPackage('The zip has no manifest.json at its root. Zip the contents of the folder, not the folder.');
}

async function textOf(file: Blob, { offset, packed, isDeflated }: Entry): Promise<string> {
  const local = await viewOf(file.slice(offset, offset + LOCAL_LENGTH));
  if (local.byteLength < LOCAL_LENGTH || packed > MAX_MANIFEST) throw new NoPackage('The zip is damaged.');
  const start = offset + LOCAL_LENGTH + local.getUint16(26, true) + local.getUint16(28, true);
  const data = file.slice(start, start + packed);
  try {
    const stream = isDeflated ? data.stream().pipeThrough(new DecompressionStream('deflate-raw')) : data.stream();
    return await new Response(stream).text();
  } catch {
    throw new NoPackage('The manifest.json in the zip is damaged.');
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

async function digestOf(file: Blob): Promise<string | null> {
  // Absent where the page is not served from a secure origin.
  if (crypto.subtle === undefined) return null;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
