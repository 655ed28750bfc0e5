import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { BATCH_DELIVERIES, type BatchWish, faultsOf, mailDueAt, MAX_BATCH, ownersOf } from './batch-wish.js';

describe('a batch', () => {
  it.each<[BatchWish, string[]]>([
    [{ count: 1, delivery: 'code' }, []],
    [{ emails: ['a@example.com'], delivery: 'code' }, []],
    [{ emails: ['a@example.com'], delivery: 'mail' }, []],
    [{ delivery: 'code' }, ['emails']],
    [{ count: 1, emails: ['a@example.com'], delivery: 'code' }, ['emails']],
    [{ count: 1, delivery: 'mail' }, ['emails']],
    [{ count: 1, delivery: 'gift', giftExpiresAt: '2030-01-31T00:00:00Z' }, []],
    [{ count: 1, delivery: 'code', giftExpiresAt: '2030-01-31T00:00:00Z' }, ['giftExpiresAt']],
  ])('of %j has faults in %j', (wish, fields) => {
    expect(faultsOf(wish).map(({ field }) => field)).toEqual(fields);
  });

  const wish = fc.record(
    {
      count: fc.integer({ min: 1, max: MAX_BATCH }),
      emails: fc.uniqueArray(fc.emailAddress(), { minLength: 1, maxLength: 5 }),
      delivery: fc.constantFrom(...BATCH_DELIVERIES),
    },
    { requiredKeys: ['delivery'] },
  );

  it('has a license for each address or for each of a number, and mails none without an address', () => {
    fc.assert(
      fc.property(wish, (one) => {
        fc.pre(faultsOf(one).length === 0);
        const owners = ownersOf(one);
        expect(owners).toHaveLength(one.count ?? one.emails?.length ?? 0);
        if (one.delivery === 'mail') expect(owners).not.toContain(null);
      }),
    );
  });
});

it('mails of a batch keep their order, and no second has more than five', () => {
  const issuedAt = new Date('2027-01-31T12:00:00Z');
  const due = Array.from({ length: MAX_BATCH }, (_, index) => mailDueAt(issuedAt, index).getTime());
  expect(due).toEqual(due.toSorted((one, other) => one - other));
  expect(due[0]).toBe(issuedAt.getTime());
  for (let at = 5; at < due.length; at += 1) expect((due[at] ?? 0) - (due[at - 5] ?? 0)).toBeGreaterThanOrEqual(1000);
});
