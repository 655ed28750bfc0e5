import { createHash, X509Certificate } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { quotable } from '../../../common/net/pure.js';
import { InvalidArchive } from '../archive-errors.js';
import { MAX_ENTRIES, MAX_NAME_BYTES } from '../archive-limits.js';
import type { BoundedReader } from '../zip/index.js';
import { childOf, parseXml, textOf, type XmlElement } from './xml.js';

/** A file in the heap of a xar archive. */
export interface XarFile {
  readonly path: string;
  /** Position in the archive. */
  readonly at: number;
  /** Bytes as they are kept. */
  readonly length: number;
  /** Bytes once unpacked. */
  readonly size: number;
  /** Kept as it is, or packed by zlib, which xar calls gzip. */
  readonly isDeflated: boolean;
}

/** A xar archive, which an installer package is. */
export interface XarArchive {
  readonly files: readonly XarFile[];
  /** Subject of the certificate that it is signed with; null when it is not signed. */
  readonly signer: string | null;
}

export const XAR_MAGIC = 'xar!';
const HEADER_BYTES = 28;
/** That of a package of one app has some kilobytes. */
const MAX_TOC_BYTES = 4 * 1024 * 1024;

/** Digests of the table of contents, by their number in the header. */
const CHECKSUMS: Readonly<Record<number, { readonly algorithm: string; readonly style: string }>> = {
  1: { algorithm: 'sha1', style: 'sha1' },
  2: { algorithm: 'md5', style: 'md5' },
  3: { algorithm: 'sha256', style: 'sha256' },
  4: { algorithm: 'sha512', style: 'sha512' },
};

/** Reads the table of contents, and checks it against its digest. @throws InvalidArchive */
export async function readXar(reader: BoundedReader): Promise<XarArchive> {
  const header = await reader.readAt(0, HEADER_BYTES);
  const headerBytes = header.readUInt16BE(4);
  const packedBytes = Number(header.readBigUInt64BE(8));
  const tocBytes = Number(header.readBigUInt64BE(16));
  const checksum = header.readUInt32BE(24);
  if (headerBytes < HEADER_BYTES || header.readUInt16BE(6) !== 1) throw damaged('its header is of an unknown kind');
  if (packedBytes > MAX_TOC_BYTES || tocBytes > MAX_TOC_BYTES) throw damaged('its table of contents is too large');
  const packed = Buffer.from(await reader.readAt(headerBytes, packedBytes));
  const heapAt = headerBytes + packedBytes;
  const toc = childOf(parseXml(inflated(packed), 'table of contents of the package'), 'toc');
  if (toc === undefined) throw damaged('it has no table of contents');
  await assertDigest(reader, heapAt, { packed, checksum, toc });
  const files: XarFile[] = [];
  collectFiles(toc, '', { heapAt, size: reader.size, files });
  return { files, signer: signerOf(toc) };
}

function inflated(packed: Buffer): string {
  try {
    return inflateSync(packed, { maxOutputLength: MAX_TOC_BYTES }).toString('utf8');
  } catch {
    throw damaged('its table of contents cannot be unpacked');
  }
}

interface Digested {
  readonly packed: Buffer;
  readonly checksum: number;
  readonly toc: XmlElement;
}

/** The signature covers this digest, so a package that contradicts it is not what was signed. */
async function assertDigest(reader: BoundedReader, heapAt: number, { packed, checksum, toc }: Digested): Promise<void> {
  const known = CHECKSUMS[checksum];
  const element = childOf(toc, 'checksum');
  if (known === undefined || element?.attributes['style']?.toLowerCase() !== known.style)
    throw damaged('its table of contents has no digest');
  const digest = createHash(known.algorithm).update(packed).digest();
  const kept = await reader.readAt(heapAt + numberIn(element, 'offset'), digest.length);
  if (!digest.equals(kept)) throw damaged('its table of contents does not match its digest');
}

interface Collecting {
  readonly heapAt: number;
  readonly size: number;
  readonly files: XarFile[];
}

function collectFiles(within: XmlElement, folder: string, collecting: Collecting): void {
  for (const element of within.children) {
    if (element.name !== 'file') continue;
    const path = `${folder}${textOf(element, 'name')}`;
    if (collecting.files.length >= MAX_ENTRIES || path.length > MAX_NAME_BYTES) throw damaged('it has too many files');
    const data = childOf(element, 'data');
    if (data !== undefined) collecting.files.push(fileOf(path, data, collecting));
    collectFiles(element, `${path}/`, collecting);
  }
}

function fileOf(path: string, data: XmlElement, { heapAt, size: archiveSize }: Collecting): XarFile {
  const at = heapAt + numberIn(data, 'offset');
  const length = numberIn(data, 'length');
  const style = childOf(data, 'encoding')?.attributes['style'] ?? 'application/octet-stream';
  if (at + length > archiveSize) throw damaged(`${quotable(path)} is cut off`);
  if (style !== 'application/octet-stream' && style !== 'application/x-gzip')
    throw damaged(`${quotable(path)} is packed as ${quotable(style)}`);
  return { path, at, length, size: numberIn(data, 'size'), isDeflated: style === 'application/x-gzip' };
}

/** The first certificate is that of the signer; those after it lead to Apple's root, which Apple checks. */
function signerOf(toc: XmlElement): string | null {
  for (const name of ['signature', 'x-signature']) {
    const data = childOf(childOf(childOf(toc, name), 'KeyInfo'), 'X509Data');
    const encoded = textOf(data, 'X509Certificate');
    if (encoded === '') continue;
    try {
      const { subject } = new X509Certificate(Buffer.from(encoded, 'base64'));
      return quotable(/^CN=(.+)$/m.exec(subject)?.[1] ?? subject);
    } catch {
      throw damaged('its certificate cannot be read');
    }
  }
  return null;
}

function numberIn(element: XmlElement, name: string): number {
  const text = textOf(element, name);
  if (!/^\d{1,15}$/.test(text)) throw damaged(`its table of contents has no ${name} where one belongs`);
  return Number(text);
}

const damaged = (why: string): InvalidArchive => new InvalidArchive(`The installer package cannot be read: ${why}.`);
