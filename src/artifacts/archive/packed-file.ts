import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { InvalidArchive, shown } from './archive-errors.js';
import type { BoundedReader } from './bounded-reader.js';
import type { PackedFile } from './entry-rules.js';

const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;
const SIZES_FOLLOW_DATA = 0x8;
const IN_ZIP64 = 0xffffffff;
const inflate = promisify(inflateRaw);

/** The content of one entry, or a refusal where the zip does not hold what its directory declares. */
export async function readPackedFile(reader: BoundedReader, file: PackedFile): Promise<Buffer> {
  const refuse = (why: string): InvalidArchive => new InvalidArchive(`The entry "${shown(file.name)}" ${why}.`);
  const packed = await reader.readAt(await dataPosition(reader, file, refuse), file.packedSize);
  const content = file.deflated ? await inflated(packed, file.size, refuse) : packed;
  if (content.length !== file.size) {
    throw refuse(`unpacks to ${content.length} bytes where the zip declares ${file.size}`);
  }
  if (crc32(content) !== file.crc32) throw refuse('is damaged: its checksum is wrong');
  return content;
}

/** A tool that reads the zip front to back sees the header before the data, so that has to tell the same story. */
async function dataPosition(
  reader: BoundedReader,
  file: PackedFile,
  refuse: (why: string) => InvalidArchive,
): Promise<number> {
  const header = await reader.readAt(file.headerAt, LOCAL_HEADER_BYTES + file.nameBytes.length);
  const same =
    header.readUInt32LE(0) === LOCAL_HEADER_SIGNATURE &&
    header.readUInt16LE(8) === (file.deflated ? 8 : 0) &&
    header.readUInt16LE(26) === file.nameBytes.length &&
    header.subarray(LOCAL_HEADER_BYTES).equals(file.nameBytes) &&
    ((header.readUInt16LE(6) & SIZES_FOLLOW_DATA) !== 0 ||
      ([file.packedSize, IN_ZIP64].includes(header.readUInt32LE(18)) &&
        [file.size, IN_ZIP64].includes(header.readUInt32LE(22))));
  if (!same) throw refuse('is described in two ways by the zip');
  return file.headerAt + LOCAL_HEADER_BYTES + file.nameBytes.length + header.readUInt16LE(28);
}

async function inflated(packed: Buffer, size: number, refuse: (why: string) => InvalidArchive): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: Math.max(size, 1) });
  } catch (error) {
    const larger =
      typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw refuse(
      larger ? `unpacks to more than the ${size} bytes that the zip declares` : 'is damaged: it cannot be unpacked',
    );
  }
}
