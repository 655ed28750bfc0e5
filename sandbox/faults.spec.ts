import { describe, expect, it } from 'vitest';
import { readFaultDefinition } from './fault-input.js';
import { FaultRegistry, type FaultCandidate, isHit } from './faults.js';

const CALL: FaultCandidate = {
  store: 'chrome',
  operation: 'publish',
  method: 'POST',
  path: '/v2/publishers/p/items/i:publish',
  publisherId: 'p',
  itemId: 'i',
};
const book = (...orders: object[]): FaultRegistry => {
  const faults = new FaultRegistry();
  for (const order of orders) faults.add(readFaultDefinition(order));
  return faults;
};

describe('a fault', () => {
  it.each([
    [{}, true],
    [{ itemId: 'i', operation: 'publish' }, true],
    [{ itemId: 'other' }, false],
    [{ publisherId: 'other' }, false],
    [{ store: 'edge' }, false],
    [{ method: 'get' }, false],
    [{ path: ':publish' }, true],
    [{ pathRegex: /^\/upload/ }, false],
  ])('with the target %j applies: %s', (target, hits) => {
    expect(isHit(target, CALL)).toBe(hits);
  });

  it('occurs the given number of times after skipping the given number of requests', () => {
    const faults = book({ kind: 'drop-after', times: 2, skip: 1 });
    const kinds = [1, 2, 3, 4].map(() => faults.take(CALL)?.kind ?? null);
    expect(kinds).toEqual([null, 'drop-after', 'drop-after', null]);
    expect(faults.list()[0]?.hits).toBe(2);
  });

  it('is followed by the next fault once it is used up', () => {
    const faults = book({ kind: 'drop-before' }, { kind: 'delay', ms: 1, times: 'always' });
    expect([1, 2, 3].map(() => faults.take(CALL)?.kind)).toEqual(['drop-before', 'delay', 'delay']);
  });

  it('can be cleared for one item', () => {
    const faults = book({ kind: 'drop-before', itemId: 'i' }, { kind: 'drop-before', itemId: 'j' });
    expect(faults.clear({ itemId: 'i' })).toBe(1);
    expect(faults.take(CALL)).toBeNull();
  });

  it.each([
    [{}, /"kind" is required/],
    [{ kind: 'explode' }, /"kind" must be one of/],
    [{ kind: 'status' }, /"status" is required/],
    [{ kind: 'delay', ms: 1, itemid: 'x' }, /no "itemid"/],
    [{ kind: 'drop-after', match: { pathRegex: '(' } }, /regular expression/],
  ])('given as %j is refused', (order, message) => {
    expect(() => readFaultDefinition(order)).toThrow(message);
  });
});
