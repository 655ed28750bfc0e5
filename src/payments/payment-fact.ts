/** One thing that is sold: an entry of a subscription, invoice, transaction or order. */
export interface Item {
  /** The most specific id first: price or variant, then product. */
  readonly productIds: readonly string[];
  readonly quantity: number;
  /** The plan that the seller named at the price itself. */
  readonly planId: string | null;
  /** It is paid once, and does not renew with the subscription that it was bought with. */
  readonly isOnce: boolean;
}

/** What a fact says of the purchase it is about; `null` or empty where the event is silent. */
export interface About {
  /** The processor's time of the event. */
  readonly at: Date;
  /** The processor's names of the purchase, as `kind:id`, all of one and the same purchase; at least one. */
  readonly refs: readonly string[];
  /** The names of the one payment that the event is about, as `kind:id`; empty when it is about the purchase as a whole. */
  readonly paymentRefs: readonly string[];
  /** When that payment was made, where the processor does not say which period it paid for. */
  readonly paymentMadeAt: Date | null;
  readonly customerId: string | null;
  readonly email: string | null;
  /** The plan that the seller named in `metadata` or `custom_data`. */
  readonly planId: string | null;
  /** The token that the seller named beside it, by which the buyer's browser fetches the code; as a digest, once it has come in. */
  readonly claimToken: string | null;
  /** All that the subscription holds now. */
  readonly items: readonly Item[];
  /** All that was bought, or that a period was paid for; empty where a payment is for a part of that, such as a change of plan. */
  readonly charged: readonly Item[];
  /** The page that sold it (Stripe's payment link), which stays what it was when the price changes. */
  readonly offerId: string | null;
  /** `purchased` and `renewed`: paid until then, null for ever. Otherwise the end of the running period, paid or not. */
  readonly periodEnd: Date | null;
}

/** One thing that a processor said of a purchase or of a customer, in the words of no processor. */
export type PaymentFact =
  /** Money was taken (or none was due) for something new. */
  | (About & { readonly kind: 'purchased' })
  /** Money was taken for a further period. */
  | (About & { readonly kind: 'renewed' })
  /** A payment failed, and the processor goes on trying. */
  | (About & { readonly kind: 'past_due' })
  /** The processor says that access stops meanwhile. */
  | (About & { readonly kind: 'paused' })
  /** No money is collected, and the processor says that access goes on. */
  | (About & { readonly kind: 'uncollected' })
  /** The subscription stands as it should. */
  | (About & { readonly kind: 'resumed' })
  /** It ends at `endsAt`, or with its paid period when that is null; `isOver` says that it has ended. */
  | (About & { readonly kind: 'cancelled'; readonly endsAt: Date | null; readonly isOver: boolean })
  /** All of the money of the named payment went back; of the whole purchase when it names none. */
  | (About & { readonly kind: 'refunded' })
  | (About & { readonly kind: 'disputed'; readonly disputeId: string })
  | (About & { readonly kind: 'dispute_closed'; readonly disputeId: string; readonly isWon: boolean })
  /** Two names are of the same purchase, and nothing more. */
  | (About & { readonly kind: 'linked' })
  | { readonly kind: 'customer_seen'; readonly at: Date; readonly customerId: string; readonly email: string };
