import { type Entry, getFileNameLowLevel } from 'yauzl';
import { quotable } from '../../../common/net/pure.js';
import { InvalidArchive } from '../archive-errors.js';
import {
  MAX_ENTRY_RATIO,
  MAX_NAME_BYTES,
  MAX_NAMES_BYTES,
  MAX_TOTAL_BYTES,
  MAX_TOTAL_RATIO,
  TOTAL_RATIO_FROM_BYTES,
} from '../archive-limits.js';

export const STORED = 0;
export const DEFLATED = 8;
/** The fixed part of an entry's local header, before its name. */
export const LOCAL_HEADER_BYTES = 30;
const FILE_TYPE = 0o170000;
const SYMBOLIC_LINK = 0o120000;
const PLAIN_TYPES = new Set([0, 0o100000, 0o040000]);
const UNIX_HOSTS = new Set([3, 19]);

/** One entry as the zip's directory describes it; sizes in bytes. */
export interface PackedFile {
  readonly name: string;
  readonly nameBytes: Buffer;
  readonly deflated: boolean;
  readonly packedSize: number;
  readonly size: number;
  readonly crc32: number;
  readonly headerAt: number;
}

/** Takes one entry of the directory, or refuses the package for what this entry alone shows. */
export function acceptEntry(entry: Entry): PackedFile {
  const name = safeName(entry);
  const refuse = (why: string): InvalidArchive => new InvalidArchive(`The entry "${quotable(name)}" ${why}.`);
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  if (type === SYMBOLIC_LINK) throw refuse('is a symbolic link');
  if (UNIX_HOSTS.has(entry.versionMadeBy >>> 8) && !PLAIN_TYPES.has(type)) {
    throw refuse('is neither a file nor a folder');
  }
  if (entry.isEncrypted()) throw refuse('is encrypted');
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw refuse(`is packed by method ${entry.compressionMethod}; only stored and deflated entries are accepted`);
  }
  if (entry.uncompressedSize > MAX_ENTRY_RATIO * entry.compressedSize) {
    throw refuse(`claims to unpack to more than ${MAX_ENTRY_RATIO} times its size, which no packer reaches`);
  }
  return {
    name,
    nameBytes: Buffer.from(entry.fileNameRaw),
    deflated: entry.compressionMethod === DEFLATED,
    packedSize: entry.compressedSize,
    size: entry.uncompressedSize,
    crc32: entry.crc32,
    headerAt: entry.relativeOffsetOfLocalHeader,
  };
}

function safeName(entry: Entry): string {
  if (entry.fileNameLength > MAX_NAME_BYTES) {
    throw new InvalidArchive(`The name of an entry is longer than ${MAX_NAME_BYTES} bytes.`);
  }
  const header = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, [], true);
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
  for (const each of [header, name]) {
    const fault = faultOfName(each);
    if (fault !== undefined) throw new InvalidArchive(`The entry "${quotable(each)}" ${fault}.`);
  }
  return name;
}

function faultOfName(name: string): string | undefined {
  if (name === '') return 'has no name';
  if (name.includes('\0')) return 'has a NUL character in its name';
  if (name.includes('\\')) return 'has a backslash in its name; folders are separated by "/"';
  if (name.startsWith('/')) return 'has an absolute path';
  if (/^[a-z]:/i.test(name)) return 'has a drive letter in its name';
  if (name.split('/').includes('..')) return 'leaves the package with ".."';
  return undefined;
}

/** Checks across entries: total size, duplicate names, overlapping data. */
export class PackageLayout {
  private readonly names = new Set<string>();
  private namesBytes = 0;
  private readonly spans: { readonly start: number; readonly end: number }[] = [];
  private size = 0;
  private packedSize = 0;

  /** Counts one entry in, or refuses the package once it is too large. */
  add(file: PackedFile): void {
    this.size += file.size;
    this.packedSize += file.packedSize;
    if (this.size > MAX_TOTAL_BYTES) {
      throw new InvalidArchive(`The package unpacks to more than ${MAX_TOTAL_BYTES / 1024 ** 3} GiB.`);
    }
    this.namesBytes += file.nameBytes.length;
    if (this.namesBytes > MAX_NAMES_BYTES) {
      throw new InvalidArchive(`The names of the entries are longer than ${MAX_NAMES_BYTES / 1024 ** 2} MiB together.`);
    }
    // A folder that is listed twice holds nothing twice, and some tools list it so.
    if (this.names.has(file.name) && !file.name.endsWith('/')) {
      throw new InvalidArchive(`The zip contains ${quotable(file.name)} more than once.`);
    }
    this.names.add(file.name);
    const end = file.headerAt + LOCAL_HEADER_BYTES + file.nameBytes.length + file.packedSize;
    this.spans.push({ start: file.headerAt, end });
  }

  /** Refuses the package for its sum of entries, or for bytes that serve two of them. */
  check(directoryStart: number): void {
    if (this.size > TOTAL_RATIO_FROM_BYTES && this.size > MAX_TOTAL_RATIO * this.packedSize) {
      throw new InvalidArchive(`The package unpacks to more than ${MAX_TOTAL_RATIO} times its size, as zip bombs do.`);
    }
    let free = 0;
    for (const { start, end } of this.spans.toSorted((a, b) => a.start - b.start)) {
      if (start < free) throw new InvalidArchive('Two entries of the zip share the same bytes, as zip bombs do.');
      free = end;
    }
    if (free > directoryStart) {
      throw new InvalidArchive('The zip is damaged: an entry reaches into the list of entries at its end.');
    }
  }
}
