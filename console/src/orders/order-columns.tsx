import { Cell, Detail, Time, type Column } from '../ui';
import { paidOf, productOf, sellerOf, type Order } from './order-words';

/** What was bought, for how much and when. */
export const ORDER_COLUMNS: readonly Column<Order>[] = [
  {
    title: 'Product',
    cell: (order) => (
      <Cell>
        {productOf(order)}
        <Detail>{sellerOf(order)}</Detail>
      </Cell>
    ),
  },
  { title: 'Paid', cell: paidOf },
  { title: 'Ordered', cell: ({ orderedAt }) => <Time at={orderedAt} /> },
];
