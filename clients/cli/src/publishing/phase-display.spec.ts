import { describe, expect, it } from '@jest/globals';
import { messageOf } from './listing.js';
import { cellOf } from './phase-display.js';
import type { Target } from './targets.js';

const targetWith = (status: Partial<Target['status']>): Target =>
  ({
    store: 'firefox',
    channel: 'listed',
    storeItemId: 'owl@example.com',
    crxId: null,
    paused: false,
    rolloutPercent: null,
    status: { message: 'It is live.', offeredPercent: null, ...status },
  }) as Target;

describe('while an older version is live and the pushed one waits', () => {
  const target = targetWith({ phase: 'live', liveVersion: '1.5.0', desiredVersion: '1.6.0' });

  it('both are named', () => expect(cellOf(target)).toBe('1.5.0 live, 1.6.0 waiting'));

  it('the listing is not shown as if it had the pushed one', () => expect(messageOf(target)).toBe('It is live.'));
});

describe('the share of users', () => {
  const live = { phase: 'live', liveVersion: '1.6.0', desiredVersion: '1.6.0' } as const;

  it('is what the store says, whatever the target wants', () => {
    expect(cellOf({ ...targetWith({ ...live, offeredPercent: 10 }), rolloutPercent: 50 })).toBe('1.6.0 live for 10 %');
    expect(cellOf({ ...targetWith(live), rolloutPercent: 50 })).toBe('1.6.0 live');
  });
});

describe('once the pushed version is live', () => {
  it.each([['1.6.0'], ['1.6']])('pushed as %s, it alone is named, with its listing', (desiredVersion) => {
    const target = targetWith({ phase: 'live', liveVersion: '1.6.0', desiredVersion });
    expect(cellOf(target)).toBe('1.6.0 live');
    expect(messageOf(target)).toBe('It is live. https://addons.mozilla.org/addon/owl%40example.com/');
  });
});
