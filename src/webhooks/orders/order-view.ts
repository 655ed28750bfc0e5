import type { LicenseStatus } from '../../licensing/pure.js';
import type { Money, ProcessorId } from '../../payments/index.js';
import type { Declined, Origin } from '../purchases/index.js';
import { itemsOf, productOf, type MoneyMove, type PaymentRecord } from '../ledger/index.js';

/** What can be wrong with an order. */
export const ORDER_PROBLEMS = ['no_plan', 'no_license', 'no_address'] as const;
export type OrderProblemKind = (typeof ORDER_PROBLEMS)[number];
export const ORDER_TURNS = ['you', 'processor'] as const;

/** What is wrong with an order, who acts next, and how. */
export interface Problem {
  readonly kind: OrderProblemKind;
  readonly turn: (typeof ORDER_TURNS)[number];
  readonly message: string;
  readonly remedy: string;
}

/** A notification that still asks for something. */
export interface OpenNotification {
  readonly status: 'unmapped' | 'waiting';
  readonly reason: string | null;
}

/** A license that an order made, continued or upgraded. */
export interface LicenseOfOrder {
  readonly id: string;
  readonly tier: string;
  readonly planId: string;
  readonly extensionId: string;
  readonly status: LicenseStatus;
  readonly codeHint: string;
  readonly isTest: boolean;
  readonly origin: Origin;
  readonly passedAt: Date | null;
}

/** A purchase with what is shown beside it. */
export interface OrderFacts {
  readonly id: string;
  readonly processor: ProcessorId;
  readonly paid: PaymentRecord;
  readonly moves: readonly MoneyMove[];
  readonly buyer: string | null;
  readonly isTest: boolean;
  readonly orderedAt: Date;
  /** Items without a license, and advice about them. */
  readonly unmapped: string | null;
  readonly declined: Declined | null;
  readonly open: OpenNotification | null;
  /** The processor's ids, as `kind:id`. */
  readonly refs: readonly string[];
  readonly licenses: readonly LicenseOfOrder[];
}

/** Why an order needs attention; null when it does not. Pure. */
export function problemOf({ open, unmapped }: Pick<OrderFacts, 'open' | 'unmapped'>): Problem | null {
  if (open === null) return null;
  const message = open.reason ?? '';
  if (open.status === 'waiting')
    return {
      kind: 'no_address',
      turn: 'processor',
      message,
      remedy: 'Let the processor send its events about customers. The licenses follow once one names the address.',
    };
  return unmapped === null
    ? { kind: 'no_license', turn: 'you', message, remedy: 'Do what the message says, or choose the plan of the order.' }
    : { kind: 'no_plan', turn: 'you', message, remedy: 'Choose the plan of the order.' };
}

/** The id under which people know a purchase, in the order of the kinds. Pure. @returns null when it has none */
export function numberOf(refs: readonly string[], kinds: readonly string[]): string | null {
  const rankOf = (ref: string): number => kinds.indexOf(ref.slice(0, ref.indexOf(':')));
  const [first] = refs.toSorted((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1));
  return first === undefined ? null : first.slice(first.indexOf(':') + 1);
}

/** What was refunded of an order, in the currency of its last payment; null when nothing was. Pure. */
export function refundedOf(moves: readonly MoneyMove[], amount: Money | null): Money | null {
  const refunds = moves.filter(
    ({ kind, currency }) => kind === 'refund' && currency === (amount?.currency ?? currency),
  );
  const value = refunds.reduce((sum, move) => sum + move.value, 0);
  const currency = refunds[0]?.currency;
  return currency === undefined || value <= 0 ? null : { value, currency };
}

/** The products of an order, each by its most general id; or the page that sold it, where it names none. Pure. */
export function soldIn(paid: PaymentRecord): readonly string[] {
  const products = itemsOf(paid)
    .map(productOf)
    .filter((id) => id !== '');
  return products.length > 0 ? [...new Set(products)] : paid.offerId === null ? [] : [paid.offerId.value];
}
