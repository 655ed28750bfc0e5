import { describe, expect, it } from 'vitest';
import { type Item, newItem } from './item.js';
import { goLive } from './review.js';
import { raisePercentage, rollback } from './rollout.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const publishedInTurn = (...versions: string[]): Item =>
  versions.reduce(
    (item, version) => goLive(item, { version, sha256: `package ${version}`, size: 1 }, 100, NOW),
    newItem('p', 'i'),
  );
const at = (item: Item, deployPercentage: number): Item =>
  item.published ? { ...item, published: { ...item.published, deployPercentage } } : item;

describe('the percentage of a rollout', () => {
  const item = at({ ...publishedInTurn('1.0'), weeklyUsers: 10_000 }, 10);

  it('rises', () => expect(raisePercentage(item, 11).published?.deployPercentage).toBe(11));
  it.each([10, 9, 0])('is never set to %i from 10', (percentage) => {
    expect(() => raisePercentage(item, percentage)).toThrow(/larger/);
  });
  it('needs 10,000 weekly users', () => {
    expect(() => raisePercentage({ ...item, weeklyUsers: 9_999 }, 50)).toThrow(/10,000/);
  });
  it('needs something published', () => expect(() => raisePercentage(newItem('p', 'i'), 50)).toThrow(/not published/));
});

describe('a rollback', () => {
  const request = { newVersion: '1.2', rollbackReason: 'it broke', validateOnly: false };
  const live = (item: Item): (string | null | undefined)[] => [
    item.published?.package.version,
    item.published?.package.sha256,
  ];

  it('publishes the previous package under the new number, to all and at once', () => {
    const item = rollback(at(publishedInTurn('1.0', '1.1'), 10), request, NOW);
    expect(live(item)).toEqual(['1.2', 'package 1.0']);
    expect(item.published?.deployPercentage).toBe(100);
  });

  it('without a target alternates between the last two packages', () => {
    const once = rollback(publishedInTurn('1.0', '1.1'), request, NOW);
    const twice = rollback(once, { ...request, newVersion: '1.3' }, NOW);
    expect(live(twice)).toEqual(['1.3', 'package 1.1']);
  });

  it('changes nothing when it only validates', () => {
    const item = publishedInTurn('1.0', '1.1');
    expect(rollback(item, { ...request, validateOnly: true }, NOW)).toBe(item);
  });

  it.each([
    ['a number that is not higher', { ...request, newVersion: '1.1' }, /larger/],
    ['no reason', { ...request, rollbackReason: ' ' }, /reason/],
    ['a target that never was', { ...request, targetCrxVersion: '0.5' }, /previously published/],
    ['the live version as its target', { ...request, targetCrxVersion: '1.1' }, /previously published/],
  ])('is refused with %s', (_what, bad, message) => {
    expect(() => rollback(publishedInTurn('1.0', '1.1'), { ...bad, validateOnly: true }, NOW)).toThrow(message);
  });

  it.each([
    ['absent', 404],
    ['unimplemented', 501],
  ] as const)('is refused when the method is %s', (rollbackMethod, status) => {
    const item: Item = { ...publishedInTurn('1.0', '1.1'), rollbackMethod };
    const refused = (): unknown => rollback(item, { ...request, validateOnly: true }, NOW);
    expect(refused).toThrow(expect.objectContaining({ answer: expect.objectContaining({ status }) }));
  });
});
