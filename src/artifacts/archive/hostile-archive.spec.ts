import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forge, type Lies } from '../../../test/support/forged-zips.js';
import { InvalidArchive } from './archive-errors.js';
import { inspectArchive } from './inspect-archive.js';

const MANIFEST: Lies = {
  name: 'manifest.json',
  content: Buffer.from('{"manifest_version":3,"name":"Harbour","version":"1.0","permissions":["storage"]}'),
};
const CLIMB = '../evil.js';

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pierhead-hostile-'));
  path = join(folder, 'package.zip');
});

afterAll(() => rm(folder, { recursive: true }));

/** Puts zip64 records before the end record, whose own fields then defer to them. */
function withZip64(zip: Buffer, say: (record: Buffer, locator: Buffer) => void): Buffer {
  const last = zip.subarray(-22);
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(last.readUInt16LE(8)), 24);
  record.writeBigUInt64LE(BigInt(last.readUInt16LE(10)), 32);
  record.writeBigUInt64LE(BigInt(last.readUInt32LE(12)), 40);
  record.writeBigUInt64LE(BigInt(last.readUInt32LE(16)), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(zip.length - 22), 8);
  say(record, locator);
  return Buffer.concat([zip.subarray(0, -22), record, locator, last]);
}

function unicodePath(name: string, headerName: string): Buffer {
  const field = Buffer.alloc(9 + name.length);
  field.writeUInt16LE(0x7075, 0);
  field.writeUInt16LE(5 + name.length, 2);
  field.writeUInt8(1, 4);
  field.writeUInt32LE(crc32(Buffer.from(headerName)), 5);
  field.write(name, 9);
  return field;
}

const inspectBytes = async (bytes: Uint8Array): ReturnType<typeof inspectArchive> => {
  await writeFile(path, bytes);
  return inspectArchive(path);
};
const MiB = 1024 * 1024;
const zeros = (size: number): Buffer => Buffer.alloc(size);
const A_MIB: Pick<Lies, 'content' | 'packed'> = { content: zeros(MiB), packed: deflateRawSync(zeros(MiB)) };
const holding = (...lies: Lies[]): Buffer => forge([MANIFEST, ...lies]);
const SCRIPT: Lies = { name: 'lib/a.js', content: Buffer.from('export const a = 1;') };
const NOISE: Lies = { name: 'noise', content: randomBytes(200_000) };
const honest = holding(
  { name: 'lib/a.js', content: Buffer.from('export {};'), method: 0 },
  { name: 'lib/', method: 0 },
  { name: 'lib/', method: 0 },
  NOISE,
  { ...NOISE, name: 'stored noise', method: 0 },
);

it('an honest zip of the forge passes, with zip64 records too', async () => {
  await expect(inspectBytes(honest)).resolves.toMatchObject({
    manifest: { name: 'Harbour', permissions: ['storage'] },
  });
  await expect(inspectBytes(withZip64(honest, () => undefined))).resolves.toMatchObject({
    manifest: { name: 'Harbour' },
  });
});

it('a file of zeros passes, such as a model that is not trained yet', async () => {
  await expect(inspectBytes(holding({ name: 'z', content: zeros(32 * MiB) }))).resolves.toMatchObject({
    manifest: { name: 'Harbour' },
  });
});

describe('a zip is refused for', () => {
  it.each<[string, Buffer, string | RegExp]>([
    ['climbing out', holding({ name: CLIMB }), 'The entry "../evil.js" leaves the package with "..".'],
    ['climbing out midway', holding({ name: 'a/../../b' }), /leaves the package/],
    ['an absolute path', holding({ name: '/etc/passwd' }), 'The entry "/etc/passwd" has an absolute path.'],
    ['a backslash', holding({ name: 'a\\b.js' }), /has a backslash in its name; folders are separated by "\/"/],
    ['a drive letter', holding({ name: 'C:evil.js' }), 'The entry "C:evil.js" has a drive letter in its name.'],
    ['a NUL', holding({ name: 'a.js\0.png' }), 'The entry "a.js\uFFFD.png" has a NUL character in its name.'],
    ['no name', holding({ name: '' }), 'The entry "" has no name.'],
    ['a long name', holding({ name: 'a'.repeat(1025) }), 'The name of an entry is longer than 1024 bytes.'],
    ['a second name that climbs', holding({ name: 'a', extra: unicodePath(CLIMB, 'a') }), /leaves the package/],
    ['a first name that climbs', holding({ name: CLIMB, extra: unicodePath('a', CLIMB) }), /leaves the package/],
    ['a symbolic link', holding({ name: 'l', mode: 0o120777 }), 'The entry "l" is a symbolic link.'],
    ['a symbolic link from any system', holding({ name: 'l', mode: 0o120777, host: 0 }), /symbolic link/],
    ['a device', holding({ name: 'tty', mode: 0o020666 }), 'The entry "tty" is neither a file nor a folder.'],
    ['encryption', holding({ name: 'a', flags: 0x801 }), 'The entry "a" is encrypted.'],
    ['strong encryption', holding({ name: 'a', flags: 0x841 }), /strong encryption is not supported/],
    ['bzip2', holding({ name: 'a', method: 12 }), /is packed by method 12; only stored and deflated/],
    ['two manifests', holding(MANIFEST), 'The zip contains manifest.json more than once.'],
    ['two manifests by case', holding({ ...MANIFEST, name: 'MANIFEST.JSON' }), /more than once/],
    [
      'two manifests by second name',
      holding({ name: 'a', extra: unicodePath('manifest.json', 'a') }),
      /more than once/,
    ],
    [
      'a size that deflate cannot reach',
      holding({ name: 'z', size: 5 * MiB }),
      /^The entry "z" claims to unpack to more than 1032/,
    ],
    [
      'its sum',
      holding(...Array.from({ length: 80 }, (_, at) => ({ ...A_MIB, name: `z${at}` }))),
      /^The package unpacks to more than 150/,
    ],
    [
      'its size',
      holding(...[1, 2, 3].map((at) => ({ name: `z${at}`, size: 0xfffffff0, packedSize: 0xfffffff }))),
      'The package unpacks to more than 2 GiB.',
    ],
    ['entries that share bytes', holding({ ...MANIFEST, name: 'b', headerAt: 0 }), /^Two entries of the zip share/],
    ['an entry inside another', forge([{ ...MANIFEST, packedSize: 150 }, SCRIPT]), /^Two entries of the zip share/],
    ['an entry in the list of entries', holding({ name: 'b', method: 8, packedSize: 40 }), /reaches into the list/],
    ['an entry outside of the file', holding({ name: 'b', headerAt: 0xffffff }), /reaches into the list/],
    [
      'too many entries',
      forge([MANIFEST], { entries: 20_001 }),
      'The zip contains 20001 entries; at most 20000 are accepted.',
    ],
    ['fewer entries than declared', forge([MANIFEST], { entries: 2 }), /refers to bytes outside of the file/],
    ['more entries than declared', forge([MANIFEST, { name: 'b' }], { entries: 1 }), /lists another number of entries/],
    [
      'a wrong length of its list',
      forge([MANIFEST], { size: 10 }),
      /records at the end of the zip contradict each other/,
    ],
    ['bytes after its end', Buffer.concat([honest, Buffer.from('x')]), /Invalid comment length/],
    ['bytes before its start', Buffer.concat([Buffer.from('PK'), honest]), /contradict each other/],
    [
      'a wrong checksum',
      forge([{ ...MANIFEST, crc: 1 }]),
      'The entry "manifest.json" is damaged: its checksum is wrong.',
    ],
    [
      'a manifest larger than declared',
      forge([{ ...MANIFEST, size: 40 }]),
      /to more than the 40 bytes that the zip decl/,
    ],
    [
      'a manifest smaller than declared',
      forge([{ ...MANIFEST, size: 99 }]),
      /unpacks to 81 bytes where the zip declares 99/,
    ],
    ['a broken manifest', forge([{ ...MANIFEST, packedSize: 9 }]), /is damaged: it cannot be unpacked/],
    ['a stored size that differs', forge([{ ...MANIFEST, method: 0, size: 3 }]), /size mismatch for stored file/],
    [
      'two names of its manifest',
      forge([{ ...MANIFEST, localName: 'manifest.jsoN' }]),
      /described differently in two places/,
    ],
    ['two files of one name', holding(SCRIPT, { ...SCRIPT, method: 0 }), 'The zip contains lib/a.js more than once.'],
    [
      'two files of one name by second name',
      holding(SCRIPT, { name: 'b', extra: unicodePath('lib/a.js', 'b') }),
      /lib\/a\.js more than once/,
    ],
    [
      'names of many megabytes',
      holding(...Array.from({ length: 5000 }, (_, at) => ({ name: `${at}`.padEnd(1000, 'x'), method: 0 }))),
      'The names of the entries are longer than 4 MiB together.',
    ],
    [
      'an entry larger than declared',
      holding({ ...SCRIPT, size: 9 }),
      'The entry "lib/a.js" unpacks to more than the 9 bytes that the zip declares.',
    ],
    [
      'an entry that unpacks to 32 megabytes and declares a hundred kilobytes',
      holding({ name: 'z', content: zeros(32 * MiB), size: 100_000 }),
      'The entry "z" unpacks to more than the 100000 bytes that the zip declares.',
    ],
    ['a large entry smaller than declared', holding({ ...NOISE, size: 300_000 }), /to 200000 bytes where .* 300000/],
    ['a large entry that is broken', holding({ ...NOISE, packedSize: 150_000 }), /"noise" is damaged: it cannot/],
    ['a wrong checksum of an entry', holding({ ...SCRIPT, crc: 1 }), /"lib\/a\.js" is damaged: its checksum/],
    ['a wrong checksum of a large entry', holding({ ...NOISE, crc: 1 }), /"noise" is damaged: its checksum/],
    ['a wrong checksum of a large stored entry', holding({ ...NOISE, method: 0, crc: 1 }), /its checksum/],
    ['two names of an entry', holding({ ...SCRIPT, localName: 'lib/b.js' }), /"lib\/a\.js" is described differently/],
  ])('%s', async (_case, bytes, sentence) => {
    const refusal = inspectBytes(bytes);
    await expect(refusal).rejects.toThrow(InvalidArchive);
    await expect(refusal).rejects.toThrow(sentence);
  });

  it.each<[string, (record: Buffer, locator: Buffer) => void]>([
    ['count', (record) => record.writeBigUInt64LE(1n, 32)],
    ['place of the list', (record) => record.writeBigUInt64LE(0n, 48)],
    ['place of the list beyond 2^53', (record) => record.writeBigUInt64LE(2n ** 63n, 48)],
    ['length of the list', (record) => record.writeBigUInt64LE(2n ** 64n - 1n, 40)],
    ['own length', (record) => record.writeBigUInt64LE(45n, 4)],
    ['own place', (_record, locator) => locator.writeBigUInt64LE(0n, 8)],
    ['own place beyond 2^53', (_record, locator) => locator.writeBigUInt64LE(2n ** 64n - 1n, 8)],
  ])('zip64 records that lie about their %s', async (_case, say) => {
    await expect(inspectBytes(withZip64(honest, say))).rejects.toThrow(InvalidArchive);
  });
});
