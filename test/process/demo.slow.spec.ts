import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/process.js';

/** It builds what has changed, and then waits for a review. */
const MAY_BUILD_FIRST_MS = 300_000;

/** The settings of another service, at which nothing answers. */
const OTHERS = {
  DATABASE_URL: 'postgres://127.0.0.1:9/pierhead',
  REDIS_URL: 'redis://127.0.0.1:9',
  S3_BUCKET: 'packages',
  S3_ENDPOINT: 'http://127.0.0.1:9',
  SMTP_URL: 'smtp://127.0.0.1:9',
};

describe('npm run demo', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-demo-test-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it(
    'publishes to four stores by its own schedule, sells, is paid and counts, on the embedded database, whatever is set for another service',
    async () => {
      const { code, stdout, stderr } = await run(['scripts/demo.mjs', '--exit'], {
        ...OTHERS,
        PORT: '0',
        TMPDIR: folder,
      });
      expect({ code, stderr: stderr.replaceAll(/Building .+…\n[^]*/g, '') }).toEqual({ code: 0, stderr: '' });
      for (const store of ['Chrome', 'Firefox', 'Edge', 'Safari'])
        expect(stdout).toMatch(
          new RegExp(`^ +${store} +● 1\\.0\\.0 live +Version 1\\.0\\.0 is live\\. https://\\S+$`, 'm'),
        );
      for (const command of ['login', 'connect', 'push', 'status', 'licenses issue'])
        expect(stdout).toContain(`$ pierhead ${command}`);
      expect(stdout).toMatch(/issue the code \S+ to buyer@example\.com\. .* 1 of 2 devices/);
      expect(stdout).toContain('paid@example.com has one license, pro, active.');
      expect(stdout).toContain('active installs 1.');
      expect(stdout).toContain('Done: version 1.0.0 is live on 4 stores');
      expect(stdout).not.toMatch(/BEGIN PRIVATE KEY|ya29\./);
      // A page that a person reads: what happened, what it is for, where to go on, and the token to try it with.
      expect(stdout.split('\n').length).toBeLessThan(60);
      for (const chapter of stdout.split(/^\d\. /m).slice(1)) expect(chapter).toContain('Why it matters: ');
      expect(stdout).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/m);
      expect(await readdir(folder)).toEqual([]);
    },
    MAY_BUILD_FIRST_MS,
  );

  it(
    'leaves nothing behind when it is interrupted while the service starts',
    async () => {
      const ended = await run(['scripts/demo.mjs'], { PORT: '0', TMPDIR: folder }, '1. Start');
      expect(ended).toMatchObject({ code: 0, signal: null, stderr: '' });
      expect(await readdir(folder)).toEqual([]);
    },
    MAY_BUILD_FIRST_MS,
  );
});
