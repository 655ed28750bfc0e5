import { expect, it } from 'vitest';
import { receiverName, targetName } from './target-name';

type Target = Parameters<typeof targetName>[0];

const target = (store: string, channel: string | null, storeItemId: string | null) =>
  ({ store, channel, storeItemId }) as Target;

it.each([
  ['the store, where it has one', [target('chrome', null, 'a'), target('edge', null, 'b')], 'Chrome'],
  ['its channel', [target('firefox', 'listed', 'a'), target('firefox', 'unlisted', 'a')], 'Firefox listed'],
  ['its item, of two in a channel', [target('firefox', 'listed', 'a'), target('firefox', 'listed', 'b')], 'Firefox a'],
  ['its item, where there are no channels', [target('edge', null, 'a'), target('edge', null, 'b')], 'Edge a'],
  ['that it has no item yet', [target('edge', null, null), target('edge', null, 'b')], 'Edge without item'],
])('a target is named by %s', (_, all, name) => {
  expect(all[0] && targetName(all[0], all)).toBe(name);
});

it.each([
  ['all', { store: null, targetId: null }, null],
  ['a store', { store: 'chrome', targetId: null }, 'Chrome'],
  ['one target there', { store: 'chrome', targetId: 'beta' }, 'Chrome b'],
  ['a target that is gone', { store: 'chrome', targetId: 'gone' }, 'Chrome'],
] as const)('an artifact names where it goes: %s', (_, artifact, name) => {
  const all = [
    { ...target('chrome', null, 'a'), id: 'stable' },
    { ...target('chrome', null, 'b'), id: 'beta' },
  ];
  expect(receiverName(artifact, all)).toBe(name);
});
