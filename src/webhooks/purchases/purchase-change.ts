import type { LicenseEntity } from '../../licensing/index.js';
import type { PaymentFact } from '../../payments/index.js';
import type { PaymentRecord } from '../ledger/index.js';
import type { LicenseOrder, LicenseSlot } from './licenses-owed.js';
import type { PurchaseEntity, PurchaseLicenseRow } from './purchase.entity.js';
import type { PurchaseTurn } from './purchases.repository.js';

/** The outcome of handling a purchase. */
export type PurchaseOutcome = Outcome & {
  readonly purchaseId: string;
  /** No notification before this one was about the purchase. */
  readonly isNew: boolean;
};

/** The outcome of a purchase, with the facts that are about it. */
export type AboutPurchase = PurchaseOutcome & { readonly facts: readonly PaymentFact[] };

export type Outcome =
  /** The reason explains why nothing has changed, or what is worth knowing. */
  | { readonly status: 'handled'; readonly reason: string | null }
  | { readonly status: 'unmapped' | 'waiting'; readonly reason: string };

/** Changes of a notification to a purchase. */
export interface PurchaseChange {
  /** The purchase with its new record. */
  readonly row: PurchaseEntity;
  /** The record before it. */
  readonly before: PaymentRecord;
  /** There was no purchase before it. */
  readonly isNew: boolean;
  /** All of the processor's ids of the purchase. */
  readonly refs: readonly string[];
  /** When its payment was made; null when it has none. */
  readonly paidAt: Date | null;
  readonly email: string | null;
  /** It is about a refund or a dispute. */
  readonly takesBack: boolean;
  readonly handling: Handling;
}

/** A license slot of a purchase. Its license is locked, and null when the tenant has deleted it. */
export interface LockedSlot extends LicenseSlot {
  readonly row: PurchaseLicenseRow;
  readonly license: LicenseEntity | null;
  /** The turns of other purchases with the license, of which none left it. */
  readonly others: readonly PurchaseTurn[];
}

/** Licenses that a purchase is still owed. */
export interface LicenseIssue {
  readonly notified: PurchaseChange;
  /** The licenses that it has. */
  readonly slots: readonly LockedSlot[];
  readonly orders: readonly LicenseOrder[];
  readonly buyerEmail: string;
}

/** Handling of a notification, by the tenant's choice. */
export interface Handling {
  /** It is handled again: the present plans apply, also to purchases that have licenses. */
  readonly isReplay: boolean;
  /** A subscription that began before its processor was connected gets a license. */
  readonly issuesEarlier: boolean;
  /** It is of the processor's test mode, so that the license that it makes is marked. */
  readonly isTest: boolean;
  /** The plan of its purchase; null for the one that it names, or that lists it. */
  readonly planId: string | null;
}
