import { describe, expect, it } from 'vitest';
import type { Target } from '../publishing/targets.js';
import type { StoreId } from '../stores.js';
import { destinationOf } from './destination.js';

const target = (id: string, store: StoreId, rest: Partial<Target> = {}) =>
  ({ id, store, storeItemId: `item-${id}`, channel: null, enabled: true, ...rest }) as Target;
const SINGLE = [target('stable', 'chrome'), target('add-on', 'firefox')];
const SEVERAL = [...SINGLE, target('beta', 'chrome'), target('old', 'chrome', { enabled: false })];
const ID = '0190aaaa-0000-7000-8000-000000000000';

type Named = Parameters<typeof destinationOf>[1];

describe('a push', () => {
  it.each<[string, readonly Target[] | null, Named, Named, readonly StoreId[] | null, string | null]>([
    ['goes everywhere', SINGLE, {}, {}, null, null],
    ['goes to named stores', SINGLE, { stores: ['chrome'] }, {}, ['chrome'], null],
    ['goes to stores of pierhead.json', SINGLE, {}, { stores: ['firefox'] }, ['firefox'], null],
    ['goes to one target', SEVERAL, { target: 'beta' }, {}, ['chrome'], 'beta'],
    ['goes to one target by its item', SEVERAL, { target: 'item-beta' }, {}, ['chrome'], 'beta'],
    ['goes to one target by its store and item', SEVERAL, { target: 'chrome:item-beta' }, {}, ['chrome'], 'beta'],
    ['goes to the target of pierhead.json', SEVERAL, {}, { target: 'beta' }, ['chrome'], 'beta'],
    [
      'goes to other stores too that are named beside the target',
      SEVERAL,
      { stores: ['chrome', 'firefox'], target: 'stable' },
      {},
      ['chrome', 'firefox'],
      'stable',
    ],
    [
      'goes to other stores too that pierhead.json names',
      SEVERAL,
      {},
      { stores: ['firefox', 'chrome'], target: 'stable' },
      ['firefox', 'chrome'],
      'stable',
    ],
    ['goes to the target of an option alone', SEVERAL, { target: 'beta' }, { stores: ['firefox'] }, ['chrome'], 'beta'],
    ['leaves a target of pierhead.json out', SEVERAL, { stores: ['firefox'] }, { target: 'beta' }, ['firefox'], null],
    ['goes to a disabled target that is named', SEVERAL, { target: 'old' }, {}, ['chrome'], 'old'],
    ['needs no target of other stores', SEVERAL, { stores: ['firefox'] }, {}, ['firefox'], null],
    ['by who cannot read goes everywhere', null, {}, {}, null, null],
    ['by who cannot read goes to an id', null, { stores: ['chrome'], target: ID }, {}, ['chrome'], ID],
  ])('%s', (_, targets, options, settings, stores, id) => {
    const found = destinationOf(targets, options, settings);
    expect([found.stores, found.target?.id ?? null]).toEqual([stores, id]);
  });

  it.each<[string, readonly Target[] | null, Named, Named, RegExp, RegExp]>([
    [
      'to all stores, of which one has several targets',
      SEVERAL,
      {},
      {},
      /^The extension has 2 targets at Chrome\. Name one with --target\.$/,
      /stable +item-stable\n +beta +item-beta$/,
    ],
    ['to a store that has several', SEVERAL, { stores: ['chrome'] }, {}, /2 targets at Chrome/, /item-beta/],
    [
      'to a target of another store',
      SEVERAL,
      { stores: ['firefox'], target: 'beta' },
      {},
      /^The target is at Chrome, and the push is for Firefox\.$/,
      /alone/,
    ],
    [
      'to a target of another store in pierhead.json',
      SEVERAL,
      {},
      { stores: ['firefox'], target: 'beta' },
      /^The target is at Chrome, and the push is for Firefox\.$/,
      /alone/,
    ],
    ['to what is no target', SEVERAL, { target: 'gamma' }, {}, /"gamma" is not a known store, and no id/, /chrome/],
    ['by who cannot read to an item', null, { stores: ['chrome'], target: 'x' }, {}, /cannot look up/, /by its id/],
    ['by who cannot read without a store', null, { target: ID }, {}, /cannot look up/, /--store/],
  ])('%s is refused', (_, targets, options, settings, message, hint) => {
    expect(() => destinationOf(targets, options, settings)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(message), hint: expect.stringMatching(hint) }),
    );
  });
});
