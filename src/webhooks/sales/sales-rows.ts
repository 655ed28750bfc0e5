import type { Cell } from '../../common/http/index.js';
import type { MoneyMove } from '../ledger/index.js';

/** What sales can be grouped by. */
export const SALES_GROUPS = ['plan', 'processor', 'country', 'day'] as const;
export type SalesGroup = (typeof SALES_GROUPS)[number];

/** The moves of one kind in a group and a currency; what came back to the seller is taken off both. */
export interface SummedMoves {
  readonly group: string | null;
  readonly currency: string;
  readonly kind: MoneyMove['kind'];
  readonly number: number;
  /** In the smallest unit of the currency. */
  readonly value: number;
}

/** Active subscriptions of a group, by the currency of their last payment. */
export interface CountedSubscriptions {
  readonly group: string | null;
  readonly currency: string | null;
  readonly number: number;
}

/** Figures of a group in one currency; amounts in its smallest unit. */
export interface SalesFigures {
  readonly group: string | null;
  readonly currency: string | null;
  readonly sales: number;
  readonly salesAmount: number;
  readonly renewals: number;
  readonly renewalsAmount: number;
  readonly refunds: number;
  readonly refundsAmount: number;
  readonly disputes: number;
  readonly disputesAmount: number;
  readonly netAmount: number;
  /** Null where they are not of the group. */
  readonly activeSubscriptions: number | null;
}

const FIELDS = {
  sale: ['sales', 'salesAmount', 1],
  renewal: ['renewals', 'renewalsAmount', 1],
  refund: ['refunds', 'refundsAmount', -1],
  dispute: ['disputes', 'disputesAmount', -1],
} as const satisfies Readonly<Record<MoneyMove['kind'], readonly [keyof SalesFigures, keyof SalesFigures, 1 | -1]>>;

/**
 * Puts sums together, one row for each group and currency, in the order of their names; currencies are never added up. Pure.
 * @param subscriptions null where subscriptions have no group, such as a day
 */
export function salesRows(
  moves: readonly SummedMoves[],
  subscriptions: readonly CountedSubscriptions[] | null,
): readonly SalesFigures[] {
  const rows = new Map<string, SalesFigures>();
  const add = (
    { group, currency }: Pick<SalesFigures, 'group' | 'currency'>,
    change: (row: SalesFigures) => Partial<SalesFigures>,
  ): void => {
    const key = JSON.stringify([group, currency]);
    const activeSubscriptions = subscriptions === null ? null : 0;
    const row = rows.get(key) ?? { ...NOTHING, group, currency, activeSubscriptions };
    rows.set(key, { ...row, ...change(row) });
  };
  for (const { kind, number, value, ...own } of moves) {
    const [count, amount, sign] = FIELDS[kind];
    add(own, (row) => ({
      [count]: row[count] + number,
      [amount]: row[amount] + value,
      netAmount: row.netAmount + sign * value,
    }));
  }
  for (const { number, ...own } of subscriptions ?? [])
    add(own, ({ activeSubscriptions }) => ({ activeSubscriptions: (activeSubscriptions ?? 0) + number }));
  return [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

const NOTHING = {
  sales: 0,
  salesAmount: 0,
  renewals: 0,
  renewalsAmount: 0,
  refunds: 0,
  refundsAmount: 0,
  disputes: 0,
  disputesAmount: 0,
  netAmount: 0,
};

/** Figures with the name of their group. */
export type NamedFigures = SalesFigures & { readonly name: string | null };

const COLUMNS = [
  'group',
  'name',
  'currency',
  'sales',
  'salesAmount',
  'renewals',
  'renewalsAmount',
  'refunds',
  'refundsAmount',
  'disputes',
  'disputesAmount',
  'netAmount',
  'activeSubscriptions',
] as const satisfies readonly (keyof NamedFigures)[];

/** Sales figures as rows of a CSV. Pure. */
export const salesCsv = ({ rows }: { readonly rows: readonly NamedFigures[] }): readonly (readonly Cell[])[] => [
  COLUMNS,
  ...rows.map((row) => COLUMNS.map((column) => row[column])),
];
