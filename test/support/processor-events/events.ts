import type { SimPaymentAccount } from '../../../sandbox/sandbox-control.js';
import type { Notification, Sale } from '../purchases.js';

/** What is sold: one entry of a checkout, invoice, transaction, order or subscription. */
export interface SoldItem {
  readonly price: string;
  readonly product: string;
  readonly quantity: number;
  /** It does not renew with the subscription that it is sold with. */
  readonly isOnce?: boolean;
  /** How many months its period has, where that differs from the other items'. */
  readonly months?: number;
}

/** What a test may want to be otherwise. */
export interface EventOptions {
  readonly items?: readonly SoldItem[];
  /** Members of the event's main object that are to read otherwise. */
  readonly with?: object;
}

/**
 * What tests know of a processor: its own events at their full size, in the shape in which it delivers them, and its own names for things. A month
 * is 30 days, the first begins with the sale.
 */
export interface TestedProcessor {
  /** Every event of the payment of the n-th month. */
  readonly paidMonth: (sale: Sale, month: number, wish?: EventOptions) => readonly Notification[];
  /** All of the n-th month's money goes back, on a day. */
  readonly refundedMonth: (sale: Sale, month: number, day: number) => readonly Notification[];
  /** The subscription as it stands on a day, in the given month. */
  readonly subscription: (sale: Sale, day: number, month: number, wish?: EventOptions) => Notification;
  /** The subscription has ended, on a day. */
  readonly ended: (sale: Sale, day: number, month: number) => Notification;
  /** Something sold once and for ever, in one purchase. */
  readonly soldOnce: (sale: Sale, wish?: EventOptions) => readonly Notification[];
  /** The ids that plans list for what the sales of `purchases.ts` sell. */
  readonly sells: readonly string[];
  /** Three items, by the names that the processor gives its own. */
  readonly items: readonly SoldItem[];
  /** A bag that a shop sells beside its extension. */
  readonly bag: SoldItem;
  /** Which id of an item a plan lists. */
  readonly listedBy: 'price' | 'product';
  /** What the recorded field cases sell. */
  readonly fieldProduct: string;
  /** Whose key it is, as the processor names it. */
  readonly ownerOf: (account: SimPaymentAccount) => string;
  /** The columns of personal data that its notifications do not fill, besides those that are sealed. */
  readonly notSeen: readonly string[];
  /** Its payments name no period: only the subscription says how long it is paid for. */
  readonly namesPeriodApart?: true;
  /** A part of each link to pages about a sale, where it sends any. */
  readonly linksOf?: (sale: Sale) => readonly string[];
  /** The customer changes personal data, where it tells. */
  readonly customerUpdate?: (sale: Sale, data: object) => Notification;
}

const DAY_MS = 86_400_000;
export const MONTH = 30;

/** A day after the sale. */
export const on = (sale: Sale, day: number): Date => new Date(sale.at.getTime() + day * DAY_MS);
export const isoOn = (sale: Sale, day: number): string => on(sale, day).toISOString();
export const unixOn = (sale: Sale, day: number): number => Math.floor(on(sale, day).getTime() / 1000);
