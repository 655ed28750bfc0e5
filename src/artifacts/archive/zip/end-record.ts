import { InvalidArchive } from '../archive-errors.js';
import type { BoundedReader } from './bounded-reader.js';

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const LOCATOR_SIGNATURE = 0x07064b50;
const END64_BYTES = 56;
const END64_SIGNATURE = 0x06064b50;
const IN_ZIP64_16 = 0xffff;
const IN_ZIP64_32 = 0xffffffff;

/** Start of the list of entries, according to the zip's end record. */
interface DirectoryPlace {
  readonly start: number;
  readonly end: number;
}

interface EndRecord {
  readonly entriesHere: number;
  readonly entries: number;
  readonly size: number;
  readonly start: number;
}

/**
 * Finds the list of entries and makes sure that there is only one way to find it: zip tools differ in which of the
 * records at the end they believe, so a zip in which these disagree shows different files to us and to a store.
 */
export async function placeOfDirectory(reader: BoundedReader, commentBytes: number): Promise<DirectoryPlace> {
  const endAt = reader.size - END_BYTES - commentBytes;
  const record = readEnd(await reader.readAt(endAt, END_BYTES));
  const locatorAt = endAt - LOCATOR_BYTES;
  const locator = locatorAt < 0 ? null : await reader.readAt(locatorAt, LOCATOR_BYTES);
  if (locator?.readUInt32LE(0) !== LOCATOR_SIGNATURE) return agreed(record, endAt);

  const record64At = readUInt64(locator, 8);
  const bytes = await reader.readAt(record64At, END64_BYTES);
  const ends = record64At + 12 + readUInt64(bytes, 4);
  if (bytes.readUInt32LE(0) !== END64_SIGNATURE || ends !== locatorAt) throw disagreement();
  const record64 = readEnd64(bytes);
  if (!sameUnlessDeferred(record, record64)) throw disagreement();
  return agreed(record64, record64At);
}

function agreed(record: EndRecord, end: number): DirectoryPlace {
  if (record.entriesHere !== record.entries || record.start + record.size !== end) throw disagreement();
  return { start: record.start, end };
}

function readEnd(bytes: Buffer): EndRecord {
  return {
    entriesHere: bytes.readUInt16LE(8),
    entries: bytes.readUInt16LE(10),
    size: bytes.readUInt32LE(12),
    start: bytes.readUInt32LE(16),
  };
}

function readEnd64(bytes: Buffer): EndRecord {
  return {
    entriesHere: readUInt64(bytes, 24),
    entries: readUInt64(bytes, 32),
    size: readUInt64(bytes, 40),
    start: readUInt64(bytes, 48),
  };
}

function sameUnlessDeferred(record: EndRecord, record64: EndRecord): boolean {
  return (
    (record.entries === record64.entries || record.entries === IN_ZIP64_16) &&
    (record.size === record64.size || record.size === IN_ZIP64_32) &&
    (record.start === record64.start || record.start === IN_ZIP64_32)
  );
}

function readUInt64(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}

function disagreement(): InvalidArchive {
  return new InvalidArchive(
    'The records at the end of the zip contradict each other about where its entries are listed.',
  );
}
