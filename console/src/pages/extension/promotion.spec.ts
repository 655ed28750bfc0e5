import { describe, expect, it } from 'vitest';
import { offersOf, pinFor, receiversOf } from './promotion';

const artifact = (
  id: string,
  version: string,
  store: string | null,
  pinned: number,
  sha256: string | null,
  targetId: string | null = null,
) => ({
  id,
  version,
  store,
  targetId,
  pinnedAt: `2026-05-0${pinned}T00:00:00.000Z`,
  sha256,
});
const target = (store: string, status: object = {}, rest: object = {}) => ({
  id: store,
  store,
  enabled: true,
  status: { liveVersion: null, desiredVersion: null, ...status },
  ...rest,
});

const ALL = artifact('all', '1.0', null, 1, 'a');
const CHROME = artifact('chrome', '1.1', 'chrome', 3, 'b');
const FIREFOX = artifact('firefox', '1.0', 'firefox', 2, 'c');
const ROLLED = artifact('rolled', '1.2', 'edge', 4, null);
const BETA = artifact('beta', '1.3', 'chrome', 5, 'd', 'second item');
const artifacts = [BETA, ROLLED, CHROME, FIREFOX, ALL];
const released = { version: '1.0', targets: [{ targetId: 'chrome', artifactId: 'all' }] };

describe('a promotion', () => {
  it.each([
    ['chrome', 'chrome'],
    ['firefox', 'firefox'],
    ['safari', 'all'],
    ['edge', 'rolled'],
  ] as const)('takes back to what is pinned for %s: %s', (store, id) => {
    expect(pinFor({ id: store, store }, artifacts)?.id).toBe(id);
  });

  it('takes a target back to what is pinned for it alone', () => {
    expect(pinFor({ id: 'second item', store: 'chrome' }, artifacts)?.id).toBe('beta');
  });

  it.each([
    ['what is live, by its release, and what is pinned', target('chrome', { liveVersion: '1.0' }), ['all', 'chrome']],
    ['one of both when they are the same', target('chrome', { liveVersion: '1.1' }), ['chrome']],
    ['the package of the store before the one for all', target('firefox', { liveVersion: '1.0' }), ['firefox']],
    ['no version without a package', target('edge', { liveVersion: '1.2' }), []],
  ])('offers %s', (_, from, ids) => {
    const offers = offersOf(from, { artifacts, releases: [released] });
    expect(offers.map((one) => one.id)).toEqual(ids);
  });

  it('goes to each target of another store that is enabled and not driven to the version already', () => {
    const targets = [
      target('chrome', { desiredVersion: '1.0' }, { id: 'second item' }),
      target('firefox', { desiredVersion: '1.0' }),
      target('firefox', { desiredVersion: '1.0' }, { id: 'unlisted' }),
      target('edge', { desiredVersion: '1.1' }),
      target('safari', { desiredVersion: null }, { enabled: false }),
    ];
    const to = receiversOf('chrome', '1.1', targets);
    expect(to.map(({ id }) => id)).toEqual(['firefox', 'unlisted']);
  });
});
