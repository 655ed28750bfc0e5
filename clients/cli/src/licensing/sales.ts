import type { Schema } from '../api/service.js';
import { numbersTable } from '../terminal/numbers-table.js';
import type { Style } from '../terminal/style.js';
import { moneyText } from './money.js';

type Row = Schema<'SalesRow'>;

const HEADS = { plan: 'PLAN', processor: 'PROCESSOR', country: 'COUNTRY', day: 'DAY' } as const;

/** The figures, a row for each group and currency. */
export function salesText({ by, rows }: Schema<'SalesSummary'>, style: Style): string {
  if (rows.length === 0) return 'Nothing was sold on these days.';
  const sumOf = (row: Row, number: number, value: number): string =>
    number === 0 && value === 0
      ? '—'
      : `${number} · ${row.currency === null ? '—' : moneyText({ value, currency: row.currency })}`;
  return numbersTable(
    [by === null ? 'CURRENCY' : HEADS[by], 'SALES', 'RENEWALS', 'REFUNDS', 'DISPUTES', 'NET', 'SUBSCRIPTIONS'],
    rows.map((row) => [
      by === null ? (row.currency ?? 'unknown') : (row.name ?? row.group ?? 'unknown'),
      sumOf(row, row.sales, row.salesAmount),
      sumOf(row, row.renewals, row.renewalsAmount),
      sumOf(row, row.refunds, row.refundsAmount),
      sumOf(row, row.disputes, row.disputesAmount),
      row.currency === null ? '—' : moneyText({ value: row.netAmount, currency: row.currency }),
      row.activeSubscriptions === null ? '—' : String(row.activeSubscriptions),
    ]),
    style,
  );
}
