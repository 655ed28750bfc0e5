import { createHash, createPublicKey, createVerify } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { KeptPackages } from './kept-packages.js';
import { FileServer, SERVED_AS_SENT, type ServingBehavior } from './served-file.js';

const UPDATE_URL = 'https://store.example/crx';
const MANIFEST = { manifest_version: 3, name: 'x', version: '1.0' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'served-'));
});
afterAll(() => rm(folder, { recursive: true }));

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function keep(kept: KeptPackages, bytes: Buffer): Promise<string> {
  const path = join(folder, 'package');
  await writeFile(path, bytes);
  const sha256 = sha256Of(bytes);
  await kept.keep(path, { sha256, size: bytes.length });
  return sha256;
}

async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

async function textsIn(zip: Buffer): Promise<Record<string, string>> {
  const opened = await fromBufferPromise(zip);
  const texts: Record<string, string> = {};
  for await (const entry of opened.eachEntry())
    texts[entry.fileName] = (await buffer(await opened.openReadStreamPromise(entry))).toString();
  return texts;
}

/** The zip behind a header, whose one signature by RSA is checked. */
function zipIn(crx: Buffer): Buffer {
  expect(crx.toString('latin1', 0, 8)).toBe('Cr24\x03\0\0\0');
  const end = 12 + crx.readUInt32LE(8);
  const header = crx.subarray(12, end);
  // The public key of 294 bytes and the signature of 256, each behind a tag and two bytes of length, and then the id.
  const der = header.subarray(6, 300);
  const signature = header.subarray(303, 559);
  const data = header.subarray(-18);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  const verify = createVerify('sha256')
    .update('CRX3 SignedData\0')
    .update(length)
    .update(data)
    .update(crx.subarray(end));
  expect(verify.verify(createPublicKey({ key: der, format: 'der', type: 'spki' }), signature)).toBe(true);
  expect(data.subarray(2).equals(createHash('sha256').update(der).digest().subarray(0, 16))).toBe(true);
  return crx.subarray(end);
}

describe('a served file', () => {
  const served = async (behavior: Partial<ServingBehavior> = {}, version = '1.0') => {
    const kept = new KeptPackages();
    const text = `// ours\n${JSON.stringify(MANIFEST)}`;
    const sha256 = await keep(kept, await zipOf({ 'manifest.json': text, 'a.js': '1', '.gitkeep': '' }));
    const server = new FileServer(kept, UPDATE_URL);
    const of = { version, sha256, ...SERVED_AS_SENT, ...behavior };
    return { file: (await server.file(of)) ?? Buffer.alloc(0), answer: await server.answer(of) };
  };

  it('is signed, and has what the store adds and leaves out', async () => {
    const { file, answer } = await served();
    const { 'manifest.json': manifest = '', ...others } = await textsIn(zipIn(file));
    expect(JSON.parse(manifest)).toEqual({ ...MANIFEST, update_url: UPDATE_URL });
    expect(Object.keys(others)).toEqual(['a.js', '_metadata/verified_contents.json']);
    expect([answer.status, answer.bytes?.equals(file)]).toEqual([200, true]);
  });

  it('has another number after a rollback', async () => {
    const { file } = await served({}, '1.2');
    const { 'manifest.json': manifest = '' } = await textsIn(zipIn(file));
    expect(JSON.parse(manifest)).toMatchObject({ version: '1.2' });
  });

  it('is what a test wants it to be', async () => {
    const { file } = await served({ servedChanges: { 'a.js': null, 'b.js': '2' } });
    expect(await textsIn(zipIn(file))).toMatchObject({ 'b.js': '2' });
    expect(Object.keys(await textsIn(zipIn(file)))).not.toContain('a.js');
    expect((await served({ servedBytes: 10 })).answer.bytes).toHaveLength(10);
  });

  it('is none where nothing was uploaded', async () => {
    const server = new FileServer(new KeptPackages(), UPDATE_URL);
    expect(await server.file({ version: '1.0', sha256: null, ...SERVED_AS_SENT })).toBeNull();
    expect((await server.answer(undefined)).status).toBe(404);
  });
});

it('keeps the last packages, up to 64 MB, and none above 16', async () => {
  const kept = new KeptPackages();
  const digests: string[] = [];
  for (let at = 0; at < 9; at += 1) digests.push(await keep(kept, Buffer.alloc(8 * 1024 * 1024, at)));
  const huge = await keep(kept, Buffer.alloc(16 * 1024 * 1024 + 1, 'x'));
  expect([...digests, huge].map((digest) => kept.find(digest) !== null)).toEqual([
    false,
    ...Array(8).fill(true),
    false,
  ]);
  kept.clear();
  expect(kept.find(digests[8] ?? '')).toBeNull();
});
