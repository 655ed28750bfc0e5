import { createHash, randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal, textAnswer } from '../answer.js';
import type { StoreCall } from '../stand-in.js';
import { googleRefusal } from './errors.js';
import { relatedMedia } from './multipart-related.js';

/** The largest package the store takes (src/stores/README.md#chrome-upload). */
const MAX_PACKAGE_BYTES = 2_147_483_648;

/** An uploaded package in a file. */
export interface ReceivedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** The `X-Goog-Upload-File-Name` header, by which a signed CRX is recognized (src/stores/README.md#chrome-upload). */
  readonly fileName: string | null;
}

/** Streams an uploaded package into a file, and deletes it after use, so that no package is kept in memory. */
export async function withReceivedFile<T>(
  call: StoreCall,
  directory: string,
  use: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  const path = join(directory, `${randomUUID()}.package`);
  try {
    const written = await writeTo(path, mediaOf(call));
    const fileName = call.headers['x-goog-upload-file-name'];
    return await use({ path, ...written, fileName: typeof fileName === 'string' ? fileName : null });
  } finally {
    await rm(path, { force: true });
  }
}

async function writeTo(path: string, media: AsyncIterable<Buffer>): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of media) {
      size += chunk.length;
      if (size > MAX_PACKAGE_BYTES) throw tooLarge();
      hash.update(chunk);
      await file.appendFile(chunk);
    }
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest('hex') };
}

/** Raw bytes, or the media part of multipart/related (src/stores/README.md#chrome-upload). */
function mediaOf(call: StoreCall): AsyncIterable<Buffer> {
  const raw = call.stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  const uploadType = call.url.searchParams.get('uploadType') ?? call.headers['x-goog-upload-protocol'] ?? 'media';
  if (uploadType === 'media' || uploadType === 'raw') return raw;
  if (uploadType !== 'multipart') {
    throw googleRefusal('INVALID_ARGUMENT', `Upload type ${String(uploadType)} is not supported for this method.`);
  }
  const type = call.headers['content-type'] ?? '';
  const boundary = /^multipart\/related\b.*;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type);
  const found = boundary?.[1] ?? boundary?.[2];
  if (found === undefined)
    throw googleRefusal('INVALID_ARGUMENT', 'Multipart upload needs multipart/related with a boundary.');
  return relatedMedia(raw, found);
}

function tooLarge(): Refusal {
  const page = 'Error 413 (Request Entity Too Large)';
  return new Refusal(textAnswer(413, 'text/html; charset=UTF-8', page), page);
}
