import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MEGABYTE = 1_000_000;

/** Zips the folder that it is given, measures the archive, and says by how much its memory grew. It has a process of its own, in which nothing else grows. */
const PROGRAM = `
  const { preparePackage } = await import(${JSON.stringify(new URL('prepared.ts', import.meta.url).href)});
  const before = process.memoryUsage.rss();
  let most = before;
  setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20).unref();
  const zipped = await preparePackage(process.argv[1]);
  const measured = await preparePackage(zipped.path);
  await zipped.discard();
  console.log(JSON.stringify({ size: zipped.size, digests: [zipped.sha256, measured.sha256], growth: most - before }));`;

it('zips and measures 200 MB in flat memory', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
  await writeFile(join(root, 'manifest.json'), '{"manifest_version":3,"name":"Counter","version":"1.4.0"}');
  const file = await open(join(root, 'model.bin'), 'w');
  const piece = Buffer.alloc(MEGABYTE);
  for (let at = 0; at < 200; at += 1) await file.write(randomFillSync(piece));
  await file.close();
  const args = ['--import', '@swc-node/register/esm-register', '--input-type=module', '--eval', PROGRAM, root];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { size, digests, growth } = JSON.parse(stdout);
  expect(size).toBeGreaterThan(200 * MEGABYTE);
  expect(new Set(digests).size).toBe(1);
  expect(growth).toBeLessThan(100 * MEGABYTE);
  await rm(root, { recursive: true });
}, 240_000);
