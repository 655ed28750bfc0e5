import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from '../support/process.js';

/** It builds what has changed, and then waits for a review. */
const MAY_BUILD_FIRST_MS = 90_000;

describe('npm run demo', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-demo-test-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it(
    'publishes to four stores by its own schedule, sells, is paid and counts, on the embedded database, and says so',
    async () => {
      const { code, stdout, stderr } = await run(['scripts/demo.mjs', '--exit'], { PORT: '0', TMPDIR: folder });
      expect({ code, stderr: stderr.replace('Building…\n', '') }).toEqual({ code: 0, stderr: '' });
      for (const store of ['chrome', 'firefox', 'edge', 'safari'])
        expect(stdout).toMatch(new RegExp(`^ +${store} +live +1\\.0\\.0 +- +Version 1\\.0\\.0 is live\\.$`, 'm'));
      expect(stdout).toContain('checked: isActive true, seats 1 of 2');
      expect(stdout).toMatch(/paid@example\.com {2}pro {2}active {2}stripe:/);
      expect(stdout).toMatch(/"active": 1,/);
      expect(stdout).toContain('Done: version 1.0.0 is live on 4 stores');
      expect(stdout).not.toMatch(/BEGIN PRIVATE KEY|ya29\.|eyJ/);
    },
    MAY_BUILD_FIRST_MS,
  );
});
