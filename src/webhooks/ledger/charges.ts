import type { Money, TakenBack } from '../../payments/index.js';
import { newerOf, type Dated } from './dated.js';
import { earlier, joinSharing, type PurchaseFact } from './paid-periods.js';

/** A sum that went back to the buyer, with the processor's time of the event in ISO 8601. */
type DatedReturn = TakenBack & { readonly at: string };

/** The money of one payment with all its ids. */
export interface Charge {
  /** Sorted, at least one. */
  readonly refs: readonly string[];
  /** `payment` of a subscription whose event does not say which one it is; null while only a refund, a dispute or a link has named it. */
  readonly kind: 'sale' | 'renewal' | 'payment' | null;
  readonly paidAt: string | null;
  readonly money: Dated<Money> | null;
  /** Each report once, in order. */
  readonly takenBack: readonly DatedReturn[];
}

/** One movement of money: what a buyer paid, or what went back, which is negative once it has come back to the seller. */
export interface MoneyMove extends Money {
  readonly kind: 'sale' | 'renewal' | 'refund' | 'dispute';
  readonly at: string;
}

const PAYING: Readonly<Partial<Record<PurchaseFact['kind'], Charge['kind']>>> = {
  purchased: 'sale',
  sold_once: 'sale',
  renewed: 'renewal',
};
const NAMING: ReadonlySet<PurchaseFact['kind']> = new Set([
  'linked',
  'refund',
  'refunded',
  'disputed',
  'dispute_closed',
]);

/** The charge that a fact is about; none where it names no payment. Pure. */
export function chargesIn(fact: PurchaseFact): readonly Charge[] {
  const kind = fact.paymentRefs.length === 0 ? null : (PAYING[fact.kind] ?? paymentIn(fact));
  const refs = fact.moneyRefs ?? (kind === null && !NAMING.has(fact.kind) ? [] : fact.paymentRefs);
  if (refs.length === 0) return [];
  const at = fact.at.toISOString();
  const money = kind === null || fact.money === null ? null : { at, value: fact.money };
  return [
    {
      refs: [...new Set(refs)].toSorted(),
      kind,
      paidAt: kind === null ? null : (fact.paymentMadeAt ?? fact.at).toISOString(),
      money,
      takenBack: fact.takenBack === null ? [] : [{ ...fact.takenBack, at }],
    },
  ];
}

/** Dodo Payments reports what was paid apart from the period that it was paid for. */
const paymentIn = ({ kind, money, paymentMadeAt }: PurchaseFact): 'payment' | null =>
  kind === 'linked' && money !== null && paymentMadeAt !== null ? 'payment' : null;

/** The most telling first. */
const KINDS = ['sale', 'renewal', 'payment'] as const;

/** Joins charges that share an id, with the same result in any order and with repetitions. Pure. */
export const joinCharges = (one: readonly Charge[], other: readonly Charge[]): readonly Charge[] =>
  joinSharing(one, other, (left, right) => ({
    refs: [...new Set([...left.refs, ...right.refs])].toSorted(),
    kind: KINDS.find((kind) => kind === left.kind || kind === right.kind) ?? null,
    paidAt: earlier(left.paidAt, right.paidAt),
    money: newerOf(left.money, right.money),
    takenBack: eachOnce([...left.takenBack, ...right.takenBack]),
  }));

/** The movements of money of a purchase, in the order of time. Pure. */
export const movesOf = (charges: readonly Charge[]): readonly MoneyMove[] =>
  charges
    .flatMap((charge) => [
      ...paymentOf(charge, charges),
      ...refundsOf(charge.takenBack.filter(({ by }) => by === 'refund')),
      ...givenById(charge.takenBack.filter(({ by }) => by === 'dispute')),
    ])
    .toSorted((one, other) => compare(one.at, other.at));

function paymentOf({ kind, paidAt, money }: Charge, all: readonly Charge[]): readonly MoneyMove[] {
  if (kind === null || paidAt === null || money === null) return [];
  const isFirstPaid = all.every((other) => other.paidAt === null || other.paidAt >= paidAt);
  return [{ kind: kind === 'payment' ? (isFirstPaid ? 'sale' : 'renewal') : kind, at: paidAt, ...money.value }];
}

/** Reports of all that was refunded so far count where there are any, less what failed after the last of them; otherwise each refund does. */
function refundsOf(reports: readonly DatedReturn[]): readonly MoneyMove[] {
  const totals = reports.filter(({ id }) => id === null);
  const last = totals.at(-1);
  if (last === undefined) return givenById(reports);
  const steps = totals.map((total, index) => ({
    ...moveOf(total),
    value: total.money.value - (totals[index - 1]?.money.value ?? 0),
  }));
  const failed = reports.filter((report) => !report.isGiven && isFirst(report, reports) && report.at >= last.at);
  return [...steps, ...failed.map(reversed)].filter(({ value }) => value !== 0);
}

/** What was given under an id, and what of that came back. */
function givenById(reports: readonly DatedReturn[]): readonly MoneyMove[] {
  const given = reports.filter(({ isGiven }) => isGiven);
  return reports
    .filter((report) => isFirst(report, reports))
    .flatMap((report) => {
      if (report.isGiven) return [moveOf(report)];
      const former = given.find(({ id }) => id === report.id);
      return former === undefined ? [] : [{ ...reversed(report), value: -former.money.value }];
    });
}

/** Several events may report that one refund was given, or that it failed. */
const isFirst = (report: DatedReturn, reports: readonly DatedReturn[]): boolean =>
  reports.find(({ id, isGiven }) => id === report.id && isGiven === report.isGiven) === report;

const moveOf = ({ by, at, money }: DatedReturn): MoneyMove => ({ kind: by, at, ...money });

const reversed = (report: DatedReturn): MoneyMove => ({ ...moveOf(report), value: -report.money.value });

/** Of two reports of everything so far in one second, the larger is the later. */
function eachOnce(reports: readonly DatedReturn[]): readonly DatedReturn[] {
  const keyed = reports.map((report) => [keyOf(report), report] as const);
  return [...new Map(keyed)].toSorted(([one], [other]) => compare(one, other)).map(([, report]) => report);
}

const keyOf = ({ at, by, id, isGiven, money: { value, currency } }: DatedReturn): string =>
  [at, by, id ?? '', isGiven ? 0 : 1, String(value).padStart(16, '0'), currency].join(' ');

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
