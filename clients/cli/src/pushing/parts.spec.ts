import { expect, it } from 'vitest';
import { partsOf } from './parts.js';
import type { StoreId } from '../stores.js';

const ALL = { chrome: 'c.zip', firefox: 'f.zip', edge: 'c.zip', safari: null };
const ONE = { chrome: 'x.zip', firefox: 'x.zip', edge: 'x.zip', safari: 'x.zip' };

it.each<[string, Record<StoreId, string | null>, StoreId[], boolean, unknown]>([
  [
    'one package is pushed once, for every target',
    ONE,
    ['chrome', 'firefox', 'safari'],
    true,
    [{ path: 'x.zip', store: null }],
  ],
  [
    'for chosen stores it is pushed for each',
    ONE,
    ['chrome', 'firefox'],
    false,
    [
      { path: 'x.zip', store: 'chrome' },
      { path: 'x.zip', store: 'firefox' },
    ],
  ],
  [
    'builds that differ are pushed for each store, and a store that needs no package gets none',
    ALL,
    ['chrome', 'firefox', 'edge', 'safari'],
    true,
    [
      { path: 'c.zip', store: 'chrome' },
      { path: 'f.zip', store: 'firefox' },
      { path: 'c.zip', store: 'edge' },
      { path: null, store: 'safari' },
    ],
  ],
  [
    'a store that needs one and has none is named',
    { ...ALL, edge: null },
    ['chrome', 'edge'],
    true,
    { unpackaged: ['edge'] },
  ],
  ['no store is no request', ONE, [], true, []],
])('%s', (_title, packages, stores, isEverywhere, parts) => {
  expect(partsOf({ packageOf: (store) => packages[store], stores, isEverywhere, withoutPackage: ['safari'] })).toEqual(
    parts,
  );
});
