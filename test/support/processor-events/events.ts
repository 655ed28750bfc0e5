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

/** A processor's own events at their full size, in the shape in which it delivers them. A month is 30 days, the first begins with the sale. */
export interface FullSizeEvents {
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
}

const DAY_MS = 86_400_000;
export const MONTH = 30;

/** A day after the sale. */
export const on = (sale: Sale, day: number): Date => new Date(sale.at.getTime() + day * DAY_MS);
export const isoOn = (sale: Sale, day: number): string => on(sale, day).toISOString();
export const unixOn = (sale: Sale, day: number): number => Math.floor(on(sale, day).getTime() / 1000);
