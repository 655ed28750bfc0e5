export { ORDER_COLUMNS } from './order-columns';
export { CHANGES, ORIGINS, paidOf, productOf, sellerOf, stateOf, type Order } from './order-words';
