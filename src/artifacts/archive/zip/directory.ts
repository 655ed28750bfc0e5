import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { quotable } from '../../../common/net/pure.js';
import { InvalidArchive } from '../archive-errors.js';
import { MAX_ENTRIES } from '../archive-limits.js';
import type { BoundedReader } from './bounded-reader.js';
import { placeOfDirectory } from './end-record.js';
import { acceptEntry, PackageLayout, type PackedFile } from './entry-rules.js';

/** Goes through the list of entries and refuses what no extension contains. */
export async function readDirectory(reader: BoundedReader): Promise<PackedFile[]> {
  const zip = await openZip(reader);
  if (zip.entryCount === 0) throw new InvalidArchive('The zip is empty.');
  if (zip.entryCount > MAX_ENTRIES) {
    throw new InvalidArchive(`The zip contains ${zip.entryCount} entries; at most ${MAX_ENTRIES} are accepted.`);
  }
  const place = await placeOfDirectory(reader, zip.comment.length);
  const layout = new PackageLayout();
  const found: PackedFile[] = [];
  for await (const entry of entriesOf(zip, reader)) {
    const file = acceptEntry(entry);
    layout.add(file);
    found.push(file);
  }
  // yauzl trusts the count alone, other tools the length: its cursor (a number, whatever its type says) must be at the end.
  if (Number(zip.readEntryCursor) !== place.end) {
    throw new InvalidArchive('The zip lists another number of entries than it declares.');
  }
  layout.check(place.start);
  return found;
}

async function openZip(reader: BoundedReader): Promise<ZipFile> {
  if (reader.size === 0) throw new InvalidArchive('The file is empty.');
  const start = (await reader.readAt(0, Math.min(4, reader.size))).toString('latin1');
  if (start === 'xar!') {
    throw new InvalidArchive('The file is a .pkg, which only the App Store takes: push it for the store safari.');
  }
  if (!start.startsWith('PK')) throw new InvalidArchive('The file is not a zip.');
  try {
    return await fromRandomAccessReaderPromise(reader, reader.size, { autoClose: false, decodeStrings: false });
  } catch (error) {
    throw unreadable(error, reader);
  }
}

async function* entriesOf(zip: ZipFile, reader: BoundedReader): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw unreadable(error, reader);
  }
}

/** yauzl's complaints are about the package; a failing disk is not, and stays what it is. */
function unreadable(error: unknown, reader: BoundedReader): unknown {
  if (error instanceof InvalidArchive || error === reader.fault) return error;
  const words = error instanceof Error ? error.message : String(error);
  if (words.startsWith('End of central directory record signature not found')) {
    return new InvalidArchive('The zip is truncated: the list of entries at its end is missing.');
  }
  return new InvalidArchive(`The zip is damaged or of an unusual kind: ${quotable(words)}.`);
}
