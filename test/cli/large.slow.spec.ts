import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { manifestOf } from '../support/packages.js';
import { authorAt } from './author.js';

const MEGABYTE = 1_000_000;
const SIZE_MB = 199;
/** What Node.js needs to start is most of it. */
const MEMORY_MB = 160;

describe('a package of 200 MB', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  async function writeLargeZip(path: string): Promise<void> {
    const zip = new yazl.ZipFile();
    zip.addBuffer(Buffer.from(JSON.stringify(manifestOf('1.0.0'))), 'manifest.json');
    zip.addReadStream(Readable.from(megabytes()), 'data.bin', { compress: false });
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(path));
  }

  function* megabytes(): Generator<Buffer> {
    for (let at = 0; at < SIZE_MB; at += 1) yield randomBytes(MEGABYTE);
  }

  it('is pushed with flat memory, and the progress that is shown is what was sent', async () => {
    const author = await authorAt(world, ['chrome']);
    const path = join(author.shell.folder, 'large.zip');
    await writeLargeZip(path);
    const running = author.shell.start(['push', path, '--json']);
    const statusPath = `/proc/${running.child.pid}/status`;
    let peakKilobytes = 0;
    // The last look before it ends; the kernel keeps the peak.
    running.child.stderr?.on('data', () => {
      void readFile(statusPath, 'utf8').then(
        (status) => (peakKilobytes = Math.max(peakKilobytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))),
        () => undefined,
      );
    });
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('Sending the package, 199.0 MB: 100 %'),
    });
    const shares = [...stderr.matchAll(/199\.0 MB: (\d+) %/g)].map(([, share]) => Number(share));
    expect(shares).toEqual([0, 25, 50, 75, 100]);
    expect(peakKilobytes).toBeGreaterThan(0);
    expect(peakKilobytes / 1024).toBeLessThan(MEMORY_MB);
    const { artifact } = JSON.parse(stdout).pushed[0];
    expect(stderr).toContain(`sha256 ${String(artifact.sha256).slice(0, 12)}…`);
    await author.shell.close();
  });
});
