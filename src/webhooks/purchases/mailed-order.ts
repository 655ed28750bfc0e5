import type { MailedOrder } from '../../licensing/index.js';
import { orderIdIn } from '../../licensing/pure.js';
import type { PurchaseChange } from './purchase-change.js';

type Known = Pick<PurchaseChange, 'row' | 'refs'>;

/** The id of a purchase that the source of its licenses has. Pure. */
export const refOf = ({ row, refs }: Known): string => refs.toSorted().at(-1) ?? row.id;

/** A purchase as a mail to its buyer names it. Pure. */
export function orderOf(change: Known): MailedOrder {
  const { id, paid } = change.row;
  const at = paid.purchasedAt ?? paid.renewedAt;
  return { number: orderIdIn(refOf(change)) ?? id, at: at === null ? null : new Date(at) };
}
