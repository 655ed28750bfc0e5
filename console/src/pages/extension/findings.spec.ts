import { describe, expect, it } from 'vitest';
import { byStore, concerning, heldAt, isNewestFor } from './findings.js';

type Finding = Parameters<typeof byStore>[0][number];
type Place = Parameters<typeof heldAt>[1][number];

const finding = (store: Finding['store'], rest: Partial<Finding> = {}): Finding => ({
  id: `${store}-has_key`,
  store,
  code: 'has_key',
  severity: 'refused',
  message: 'The manifest has the key "key". Remove it.',
  file: 'manifest.json',
  path: 'key',
  source: 'https://store.example/rules',
  holds: true,
  overriddenAt: null,
  overriddenBy: null,
  acceptedAt: null,
  ...rest,
});
const target = (store: Place['store'], rest: Partial<Place> = {}): Place => ({
  store,
  enabled: true,
  preflight: 'hold',
  ...rest,
});
const ALL = [finding('chrome'), finding('firefox'), finding('chrome', { id: 'chrome-long' }), finding('edge')];
const storesOf = (findings: readonly Finding[]) => findings.map(({ store }) => store);

describe('what stores do not accept in a package', () => {
  it('is shown store by store, in the order in which it came', () => {
    expect(byStore(ALL).map(([store, own]) => [store, own.map(({ id }) => id)])).toEqual([
      ['chrome', ['chrome-has_key', 'chrome-long']],
      ['firefox', ['firefox-has_key']],
      ['edge', ['edge-has_key']],
    ]);
  });

  it.each<[string, Finding['store'] | null, readonly Place[], readonly string[]]>([
    ['of enabled targets', null, [target('firefox'), target('edge', { enabled: false })], ['firefox']],
    ['of all targets while none is enabled', null, [target('edge', { enabled: false })], ['edge']],
    ['of the one store that the package is for', 'edge', [target('chrome'), target('edge')], ['edge']],
    ['of no store where there is no target', null, [], []],
  ])('concerns the stores %s', (_, store, targets, stores) => {
    expect(storesOf(concerning(ALL, { store }, targets))).toEqual(stores);
  });

  it.each<[string, Finding, Place, boolean]>([
    ['holds it', finding('chrome'), target('chrome'), true],
    ['was overridden', finding('chrome', { holds: false }), target('chrome'), false],
    ['is of another store', finding('edge'), target('chrome'), false],
    ['is sent all the same', finding('chrome'), target('chrome', { preflight: 'off' }), false],
    ['goes nowhere', finding('chrome'), target('chrome', { enabled: false }), false],
  ])('keeps a version from a target, or not: %s', (_, one, place, isHeld) => {
    expect(heldAt([one], [place])).toEqual(isHeld ? [place] : []);
  });

  it('matters of the newest package for a store alone', () => {
    const pinned = (
      id: string,
      day: number,
      store: Finding['store'] | null = null,
      targetId: string | null = null,
    ) => ({
      id,
      store,
      targetId,
      pinnedAt: `2030-01-0${day}T00:00:00.000Z`,
    });
    const first = pinned('first', 1);
    const second = pinned('second', 2, 'chrome');
    expect(isNewestFor('chrome', first, [first, second])).toBe(false);
    expect(isNewestFor('edge', first, [first, second])).toBe(true);
    expect(isNewestFor('chrome', second, [first, second])).toBe(true);
    const [beta, stable] = [pinned('beta', 3, 'chrome', 'beta'), pinned('stable', 4, 'chrome', 'stable')];
    expect(isNewestFor('chrome', beta, [beta, stable])).toBe(true);
    expect(isNewestFor('chrome', beta, [beta, pinned('all', 4)])).toBe(false);
  });
});
