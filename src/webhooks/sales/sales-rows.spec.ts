import { describe, expect, it } from 'vitest';
import { salesCsv, salesRows, type SummedMoves } from './sales-rows.js';

const sum = (group: string | null, kind: SummedMoves['kind'], number: number, value: number, currency = 'EUR') => ({
  group,
  currency,
  kind,
  number,
  value,
});

describe('sales figures', () => {
  it('are one row for each group and currency, which are never added up', () => {
    const rows = salesRows(
      [
        sum('stripe', 'sale', 2, 1800),
        sum('stripe', 'refund', 1, 900),
        sum('stripe', 'sale', 1, 700, 'USD'),
        sum('paddle', 'renewal', 3, 2700),
        sum('paddle', 'dispute', 1, 900),
      ],
      [
        { group: 'stripe', currency: 'USD', number: 4 },
        { group: 'polar', currency: null, number: 1 },
      ],
    );
    expect(rows).toMatchObject([
      { group: 'paddle', currency: 'EUR', renewalsAmount: 2700, disputes: 1, netAmount: 1800, activeSubscriptions: 0 },
      { group: 'polar', currency: null, sales: 0, netAmount: 0, activeSubscriptions: 1 },
      { group: 'stripe', currency: 'EUR', sales: 2, salesAmount: 1800, refundsAmount: 900, netAmount: 900 },
      { group: 'stripe', currency: 'USD', sales: 1, salesAmount: 700, refunds: 0, activeSubscriptions: 4 },
    ]);
  });

  it('say nothing of subscriptions where those have no group', () => {
    expect(salesRows([sum('2027-01-01', 'sale', 1, 900)], null)).toMatchObject([{ activeSubscriptions: null }]);
  });

  it('are a line each in a CSV', () => {
    const [figures] = salesRows([sum(null, 'sale', 1, 900)], []);
    const rows = figures === undefined ? [] : [{ ...figures, name: null }];
    expect(salesCsv({ rows }).map((row) => row.join())).toEqual([
      'group,name,currency,sales,salesAmount,renewals,renewalsAmount,refunds,refundsAmount,disputes,disputesAmount,netAmount,activeSubscriptions',
      ',,EUR,1,900,0,0,0,0,0,0,900,0',
    ]);
  });
});
