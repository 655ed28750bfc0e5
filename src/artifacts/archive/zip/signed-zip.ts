import type { FileHandle } from 'node:fs/promises';
import {
  CRX_MAGIC,
  CRX_PREAMBLE_BYTES,
  CrxVerification,
  InvalidCrx,
  readCrxHeader,
  zipStartOf,
} from '../../../stores/pure.js';
import { InvalidArchive } from '../archive-errors.js';

const PIECE_BYTES = 1024 * 1024;

/**
 * Finds where the zip in a package begins: at 0, or behind the signatures of a CRX, which are checked.
 * @param size bytes of the file
 * @throws InvalidArchive for a CRX that is damaged or was changed after it was signed
 */
export async function findZip(file: FileHandle, size: number): Promise<number> {
  const preamble = await readAt(file, 0, Math.min(CRX_PREAMBLE_BYTES, size));
  if (preamble.toString('latin1', 0, CRX_MAGIC.length) !== CRX_MAGIC) return 0;
  try {
    const start = zipStartOf(preamble);
    const header = await readAt(file, CRX_PREAMBLE_BYTES, start - CRX_PREAMBLE_BYTES);
    const verification = new CrxVerification(readCrxHeader(header));
    for (let at = start; at < size; at += PIECE_BYTES)
      verification.update(await readAt(file, at, Math.min(PIECE_BYTES, size - at)));
    verification.end();
    return start;
  } catch (error) {
    throw error instanceof InvalidCrx ? new InvalidArchive(error.message) : error;
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new InvalidArchive('The CRX is truncated.');
  return buffer;
}
