import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ZipFile } from 'yazl';
import { InvalidArchive, InvalidManifest } from './archive-errors.js';
import { inspectArchive } from './inspect-archive.js';

const MANIFEST =
  '{"manifest_version":3,"name":"__MSG_n__","version":"1.0","default_locale":"en","permissions":["tabs"]}';

let folder: string;
let zips: Buffer[];

async function zip(compress: boolean, forceZip64Format: boolean): Promise<Buffer> {
  const archive = new ZipFile();
  archive.addBuffer(Buffer.from(MANIFEST), 'manifest.json', { compress, forceZip64Format });
  archive.addBuffer(Buffer.from('{"n":{"message":"Harbour"}}'), '_locales/en/messages.json', { compress });
  archive.addEmptyDirectory('lib');
  archive.end({ forceZip64Format, comment: 'a comment' });
  return buffer(archive.outputStream);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pierhead-fuzz-'));
  zips = await Promise.all([zip(true, false), zip(false, false), zip(true, true)]);
});

afterAll(() => rm(folder, { recursive: true }));

/** Resolves to the name in the manifest, or to the word for a refusal; any other failure fails the test. */
async function outcomeOf(bytes: Uint8Array): Promise<string> {
  const path = join(folder, 'package.zip');
  await writeFile(path, bytes);
  try {
    return (await inspectArchive(path)).manifest.name;
  } catch (error) {
    if (error instanceof InvalidArchive || error instanceof InvalidManifest) return 'refused';
    throw error;
  }
}

describe('whatever a file holds, the answer is its manifest or a refusal:', () => {
  it('the packages that are spoilt here are good ones', async () => {
    for (const each of zips) expect(await outcomeOf(each)).toBe('Harbour');
  });

  it('random bytes', () => {
    const refused = async (bytes: Uint8Array): Promise<void> => {
      expect(await outcomeOf(bytes)).toBe('refused');
    };
    return fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), refused), { numRuns: 300 });
  });

  it('random bytes among the marks of a zip', () => {
    const mark = fc.constantFrom('PK\x01\x02', 'PK\x03\x04', 'PK\x05\x06', 'PK\x06\x06', 'PK\x06\x07');
    const piece = fc.oneof(
      mark.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 40 }),
      fc.constant(Buffer.alloc(22)),
    );
    const pieces = fc.array(piece, { maxLength: 12 }).map((all) => Buffer.concat([Buffer.from('PK'), ...all]));
    return fc.assert(
      fc.asyncProperty(pieces, async (bytes) => {
        expect(await outcomeOf(bytes)).toBe('refused');
      }),
      { numRuns: 500 },
    );
  });

  it('every truncation of a good package', async () => {
    for (const each of zips) {
      for (let length = 0; length < each.length; length++) {
        expect(await outcomeOf(each.subarray(0, length))).toBe('refused');
      }
    }
  });

  it('every byte of a good package set to 0 or 255', async () => {
    for (const each of zips) {
      for (let at = 0; at < each.length; at++) {
        for (const value of [0, 0xff]) {
          const bytes = Buffer.from(each);
          bytes[at] = value;
          expect(typeof (await outcomeOf(bytes))).toBe('string');
        }
      }
    }
  });

  it('a good package with several bytes changed', () => {
    const value = fc.oneof(fc.constantFrom(0, 0xff), fc.integer({ min: 0, max: 255 }));
    const changes = fc.array(fc.tuple(fc.nat(), value), { minLength: 1, maxLength: 9 });
    return fc.assert(
      fc.asyncProperty(fc.nat(2), changes, async (which, all) => {
        const bytes = Buffer.from(zips[which] ?? []);
        for (const [at, byte] of all) bytes[at % bytes.length] = byte;
        expect(typeof (await outcomeOf(bytes))).toBe('string');
      }),
      { numRuns: 1000 },
    );
  });
});
