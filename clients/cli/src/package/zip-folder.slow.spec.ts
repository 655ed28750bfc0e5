import { randomFillSync } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { preparePackage } from './prepared.js';

const MEGABYTE = 1_000_000;

it('zips and measures 200 MB in flat memory', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
  await writeFile(join(root, 'manifest.json'), '{"manifest_version":3,"name":"Counter","version":"1.4.0"}');
  const file = await open(join(root, 'model.bin'), 'w');
  const piece = Buffer.alloc(MEGABYTE);
  for (let at = 0; at < 200; at += 1) await file.write(randomFillSync(piece));
  await file.close();
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const zipped = await preparePackage(root);
  const measured = await preparePackage(zipped.path);
  clearInterval(watch);
  expect(zipped.size).toBeGreaterThan(200 * MEGABYTE);
  expect(measured.sha256).toBe(zipped.sha256);
  expect(most - before).toBeLessThan(100 * MEGABYTE);
  await zipped.discard();
  await rm(root, { recursive: true });
}, 240_000);
