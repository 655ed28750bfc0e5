/** One item of a subscription, invoice, transaction or order. */
export interface Item {
  /** The most specific id first: price or variant, then product. */
  readonly productIds: readonly string[];
  readonly quantity: number;
  /** The plan that the seller named at the price itself. */
  readonly planId: string | null;
  /** Paid once: it does not renew with the subscription that it was bought with. */
  readonly isOnce: boolean;
}

/** A sum of money. */
export interface Money {
  /** In the smallest unit of the currency. */
  readonly value: number;
  /** ISO 4217, in upper case. */
  readonly currency: string;
}

/** When a period begins and ends; null where the processor does not name it. */
export interface ItemPeriod {
  readonly start: Date | null;
  readonly end: Date | null;
}

/** One line of what was sold, where the processor refunds by lines. */
export interface SoldLine {
  readonly productId: string;
  /** In the smallest unit of its currency. */
  readonly total: number;
}

/** One refund of a payment. */
export interface Refund {
  /** In the smallest unit of its currency; null where the processor says only what it leads to. */
  readonly amount: number | null;
  /** False once it has failed: the money is back with the seller. */
  readonly isGiven: boolean;
  /** The processor says that the buyer keeps access. */
  readonly leavesAccess: boolean;
  /** By the id of the line, what was refunded of it; null for all. */
  readonly lines: Readonly<Record<string, number | null>>;
}

/** A sum that went back to the buyer of a payment, or that did not after all. */
export interface TakenBack {
  readonly by: 'refund' | 'dispute';
  /** The processor's id of the refund or dispute; null where the sum is everything that was refunded of the payment so far. */
  readonly id: string | null;
  readonly money: Money;
  /** False once the refund has failed, or the dispute was won: the money is back with the seller. */
  readonly isGiven: boolean;
}

/** Details of the purchase in a fact; `null` or empty where the event does not mention it. */
export interface PurchaseDetails {
  /** The processor's time of the event. */
  readonly at: Date;
  /** The processor's ids of the purchase, as `kind:id`; at least one. */
  readonly refs: readonly string[];
  /** The ids of the payment that the event is about, as `kind:id`; empty when it is about the whole purchase. */
  readonly paymentRefs: readonly string[];
  /** When that payment was made, where the processor does not name the period that it paid for. */
  readonly paymentMadeAt: Date | null;
  readonly customerId: string | null;
  readonly email: string | null;
  /** The name of the one who paid. */
  readonly buyerName: string | null;
  /** The plan that the seller named in `metadata` or `custom_data`. */
  readonly planId: string | null;
  /** The license that the seller named there: the purchase upgrades it. */
  readonly licenseId: string | null;
  /** The seller's token with which the buyer's browser fetches the code; a digest once it has been received. */
  readonly claimToken: string | null;
  /** Whom the seller's checkout names as the one for whom it is bought. */
  readonly recipient: string | null;
  /** Everything in the subscription now. */
  readonly items: readonly Item[];
  /** Everything that was bought or that a period was paid for; empty when a payment is for a part of it, such as a change of plan. */
  readonly charged: readonly Item[];
  /** The page that sold it (Stripe's payment link), which stays the same when the price changes. */
  readonly offerId: string | null;
  /** For `purchased` and `renewed`: paid until then, or forever when null. Otherwise the end of the current period, paid or not. */
  readonly periodEnd: Date | null;
  /** The begin of that period, or of the part of it that was paid for, where the processor names it. */
  readonly periodStart: Date | null;
  /** The period of each item, by the most general id of its product, where each may have its own. */
  readonly periods: Readonly<Record<string, ItemPeriod>>;
  /** The amount that the buyer pays, tax included. */
  readonly money: Money | null;
  /** The ids of the payment for its money, where `paymentRefs` are others: two ids of one payment need not have the same meaning for the period. */
  readonly moneyRefs: readonly string[] | null;
  /** What went back to the buyer of the payment that the event is about. */
  readonly takenBack: TakenBack | null;
  /** The buyer's country, by ISO 3166-1 in upper case. */
  readonly country: string | null;
  /** The name under which the processor sells it. */
  readonly productName: string | null;
  /** The amount paid, in the smallest unit of the currency, and its lines; only from processors whose refunds have to be added up. */
  readonly total: number | null;
  readonly lines: Readonly<Record<string, SoldLine>>;
  /** The processor's page of the payment, for the buyer; here as below always https, on a host of the processor. */
  readonly receiptUrl: string | null;
  /** The processor's page where the buyer manages the subscription. */
  readonly portalUrl: string | null;
}

/** One statement of a processor about a purchase or a customer, in terms common to all processors. */
export type PaymentFact =
  /** A payment for something new succeeded, or none was due. */
  | (PurchaseDetails & { readonly kind: 'purchased' })
  /** A payment for a further period succeeded. */
  | (PurchaseDetails & { readonly kind: 'renewed' })
  /** Something was sold once to a subscriber; the subscription is as it was. */
  | (PurchaseDetails & { readonly kind: 'sold_once' })
  /** A payment failed, and the processor retries it. */
  | (PurchaseDetails & { readonly kind: 'past_due' })
  /** The processor says that access stops for now. */
  | (PurchaseDetails & { readonly kind: 'paused' })
  /** The processor collects no payments, and says that access continues. */
  | (PurchaseDetails & { readonly kind: 'uncollected' })
  /** The subscription is in good standing. */
  | (PurchaseDetails & { readonly kind: 'resumed' })
  /** The subscription ends at `endsAt`, or with its paid period when that is null; `isOver`: it has ended. */
  | (PurchaseDetails & { readonly kind: 'cancelled'; readonly endsAt: Date | null; readonly isOver: boolean })
  /** The named payment was refunded in full, or the whole purchase when none is named. */
  | (PurchaseDetails & { readonly kind: 'refunded' })
  /** A refund of a part of the named payment, or one that failed or leaves access. */
  | (PurchaseDetails & { readonly kind: 'refund'; readonly refundId: string; readonly refund: Refund })
  | (PurchaseDetails & { readonly kind: 'disputed'; readonly disputeId: string })
  | (PurchaseDetails & { readonly kind: 'dispute_closed'; readonly disputeId: string; readonly isWon: boolean })
  /** Ids belong to the same purchase; nothing else changed. */
  | (PurchaseDetails & { readonly kind: 'linked' })
  | {
      readonly kind: 'customer_seen';
      readonly at: Date;
      readonly customerId: string;
      readonly email: string;
      /** The address before, where the processor names it with a change. */
      readonly former: string | null;
    };
