import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BoundedReader } from '../zip/index.js';
import { readPayload } from './payload.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payload-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('is refused in more pieces than any tool makes, each of which would be unpacked by itself', async () => {
  const path = join(folder, 'payload');
  const bytes = Buffer.alloc(12 + 3000 * 16);
  bytes.write('pbzx');
  await writeFile(path, bytes);
  const file = await open(path, 'r');
  try {
    const payload = { path: 'Payload', at: 0, length: bytes.length, size: bytes.length, isDeflated: false };
    await expect(readPayload(new BoundedReader(file, bytes.length), payload, () => false)).rejects.toThrow(
      'The payload of the package cannot be read: it is in too many pieces.',
    );
  } finally {
    await file.close();
  }
});
