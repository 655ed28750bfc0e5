import { transform } from '@swc/core';
import { defineConfig } from 'vitest/config';
import LongestFirst from './test/support/sequencer.mjs';

/** SWC strips types and emits the metadata of decorators, as it does for the service. */
const swc = {
  name: 'swc',
  enforce: 'pre',
  async transform(source, filename) {
    if (!filename.endsWith('.ts') || filename.includes('/node_modules/')) return null;
    const { code, map } = await transform(source, { filename, sourceMaps: true });
    return { code, map };
  },
};

/** A worker loads each module once for all files that it runs, which share a service too unless they want settings of their own. */
export default defineConfig({
  plugins: [swc],
  oxc: false,
  test: {
    include: ['{src,sandbox,clients,console/src,test}/**/*.spec.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    // Few large collections, on one thread, take less of two cores than many small ones on several.
    execArgv: ['--max-semi-space-size=64', '--single-threaded-gc', '--require=./test/support/sources-in-threads.cjs'],
    globalSetup: ['test/support/global-setup.mjs'],
    setupFiles: ['test/support/set-up-file.ts'],
    sequence: { sequencer: LongestFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    slowTestThreshold: 60_000,
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
  },
});
