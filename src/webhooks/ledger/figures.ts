import { nameWords } from '../../common/fields/pure.js';
import { entitlementOf, overAt, type PaymentRecord } from './apply-payment.js';
import { movesOf, type MoneyMove } from './charges.js';

/** What sums and lists read of a purchase. */
export interface Figures {
  /** When it was paid first, or began without a payment; null while it did not, and it is no order. */
  readonly orderedAt: Date | null;
  /** Until when its subscription is paid or given; null for one that is over or taken back, and for what is no subscription. */
  readonly subscribedUntil: Date | null;
  readonly moves: readonly MoneyMove[];
  /** The words of the buyer's name; null where no name is known. */
  readonly buyerWords: string | null;
}

/** Of a subscription that goes on without payments until its processor says otherwise. */
const OPEN_END = new Date('9999-12-31T00:00:00Z');

/** The figures of a purchase. Pure. */
export function figuresOf(paid: PaymentRecord): Figures {
  const ordered = paid.purchasedAt ?? paid.renewedAt;
  const { revokedFor, expiresAt } = entitlementOf(paid, 0);
  const isSubscribed = paid.isSubscription && ordered !== null && revokedFor === null && overAt(paid) === null;
  return {
    orderedAt: ordered === null ? null : new Date(ordered),
    subscribedUntil: isSubscribed ? (expiresAt ?? OPEN_END) : null,
    moves: movesOf(paid.charges),
    buyerWords: nameWords(paid.buyerName?.value ?? null),
  };
}
