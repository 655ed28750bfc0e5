import type { Schemas } from '../api';
import { money } from '../ui/format';
import { PROCESSORS } from '../ui/names';
import type { State } from '../ui/status';

export type Order = Schemas['Order'];

/** Queries whose results change with the plan of an order. */
export const CHANGES = [['orders'], ['inbox'], ['licenses'], ['plans'], ['overview']];

const WRONG: Readonly<Record<NonNullable<Order['problem']>['kind'], string>> = {
  no_plan: 'no plan',
  no_license: 'no license',
  no_address: 'waits for an address',
};

/** What an order did for a license. */
export const ORIGINS: Readonly<Record<Order['licenses'][number]['origin'], string>> = {
  made: 'made it',
  returned: 'continues it',
  upgraded: 'upgraded it',
};

/** Whether an order has its licenses, and its seller the money, in a word or two. */
export function stateOf(order: Order): readonly [state: State, word: string] {
  const { problem, licenses, isTest } = order;
  if (problem !== null) return [problem.turn === 'you' ? 'needs_you' : 'underway', WRONG[problem.kind]];
  if (licenses.length === 0) return ['off', 'needs no license'];
  const own = licenses.filter(({ passedAt }) => passedAt === null);
  if (own.length === 0) return ['off', 'continued by another order'];
  const isRunning = own.some(({ status }) => status === 'active');
  if (isRefunded(order)) return ['off', isRunning ? 'refunded, licensed' : 'refunded'];
  if (!isRunning) return ['off', own[0]?.status ?? ''];
  return [isTest ? 'off' : 'live', isTest ? 'licensed, as a test' : 'licensed'];
}

/** Whether all the money of what was sold once is back with the buyer. A refund of a subscription is of one of its periods. */
const isRefunded = ({ amount, refunded, isSubscription }: Order): boolean =>
  !isSubscription && amount !== null && refunded !== null && refunded.value >= amount.value;

/** What was paid last, and what went back. */
export function paidOf({ amount, refunded }: Order): string {
  const paid = amount === null ? 'not known' : money(amount);
  return refunded === null ? paid : `${paid}, ${money(refunded)} refunded`;
}

export const productOf = ({ product, productIds }: Order): string => product ?? (productIds.join(', ') || 'not known');

export const sellerOf = ({ processor, isTest }: Order): string =>
  `${PROCESSORS[processor]}${isTest ? ', test mode' : ''}`;
