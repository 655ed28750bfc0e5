import { describe, expect, it } from 'vitest';
import { RELEASE_STATES } from './release-state.js';
import { isRejected, waysOn, type RejectedVersion } from './ways-on.js';

const REJECTED: RejectedVersion = {
  state: 'rejected',
  capabilities: { resubmission: true },
  isPinned: true,
  hasLive: true,
};

describe('the ways on after a rejection', () => {
  it.each<[string, Partial<RejectedVersion>, readonly string[]]>([
    ['are all', {}, ['push', 'resubmit', 'take_back']],
    [
      'exclude the same package where the store takes none twice',
      { capabilities: { resubmission: false } },
      ['push', 'take_back'],
    ],
    ['exclude a package that the store refused', { state: 'failed' }, ['push', 'take_back']],
    ['lead back only to a version that is live', { hasLive: false }, ['push', 'resubmit']],
    ['are over once another version is pinned', { isPinned: false }, []],
  ])('%s', (_, version, ways) => {
    expect(waysOn({ ...REJECTED, ...version })).toEqual(ways);
  });

  it('exist in no other state', () => {
    const others = RELEASE_STATES.filter((state) => !isRejected(state));
    expect(others).toHaveLength(RELEASE_STATES.length - 2);
    for (const state of others) expect(waysOn({ ...REJECTED, state })).toEqual([]);
  });
});
