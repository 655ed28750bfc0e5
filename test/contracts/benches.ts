import type { StoreId } from '../../src/stores/index.js';
import { chromeBench } from './chrome-bench.js';
import { edgeBench } from './edge-bench.js';
import { firefoxBench } from './firefox-bench.js';
import { safariBench } from './safari-bench.js';
import type { StoreBench } from './store-bench.js';

/** The benches of each adapter by their variant. A new store does not compile without one. */
export const BENCHES: Readonly<Record<StoreId, Readonly<Record<string, () => Promise<StoreBench>>>>> = {
  chrome: {
    'by a service account': async () => (await chromeBench('service account')).bench,
    'by a refresh token': async () => (await chromeBench('refresh token')).bench,
  },
  firefox: { 'by an API key': firefoxBench },
  edge: { 'by an API key': edgeBench },
  safari: {
    'on macOS by a team key': () => safariBench('team', 'macos'),
    'on iOS by an individual key': () => safariBench('individual', 'ios'),
    'on macOS with a signed package': () => safariBench('team', 'macos', true),
    'on iOS with a signed package': () => safariBench('individual', 'ios', true),
  },
};
