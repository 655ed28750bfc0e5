import { describe, expect, it } from 'vitest';
import { paidOf, productOf, stateOf, type Order } from './order-words';

const ORDER = {
  problem: null,
  licenses: [],
  isTest: false,
  amount: null,
  refunded: null,
  product: null,
  productIds: [],
};
const order = (more: object): Order => ({ ...ORDER, ...more }) as unknown as Order;
const license = (more: object = {}) => ({ id: '1', status: 'active', passedAt: null, ...more });
const LICENSED = { licenses: [license()] };
const EUR9 = { value: 900, currency: 'EUR' };

describe('an order', () => {
  it.each([
    [{}, ['off', 'needs no license']],
    [LICENSED, ['live', 'licensed']],
    [{ ...LICENSED, isTest: true }, ['off', 'licensed, as a test']],
    [{ ...LICENSED, amount: EUR9, refunded: EUR9 }, ['off', 'refunded, licensed']],
    [{ ...LICENSED, amount: EUR9, refunded: { ...EUR9, value: 300 } }, ['live', 'licensed']],
    [{ ...LICENSED, amount: EUR9, refunded: EUR9, isSubscription: true }, ['live', 'licensed']],
    [{ licenses: [license({ status: 'revoked' })], amount: EUR9, refunded: EUR9 }, ['off', 'refunded']],
    [{ licenses: [license({ status: 'suspended' })] }, ['off', 'suspended']],
    [{ licenses: [license({ status: 'expired' })], isSubscription: true }, ['off', 'expired']],
    [{ licenses: [license({ status: 'revoked' }), license()] }, ['live', 'licensed']],
    [{ licenses: [license({ passedAt: '2027-01-01T00:00:00Z' })] }, ['off', 'continued by another order']],
    [{ ...LICENSED, problem: { kind: 'no_plan', turn: 'you' } }, ['needs_you', 'no plan']],
    [{ problem: { kind: 'no_address', turn: 'processor' } }, ['underway', 'waits for an address']],
  ])('%j is shown as %j', (more, expected) => {
    expect(stateOf(order(more))).toEqual(expected);
  });

  it.each([
    [{}, 'not known'],
    [{ amount: { value: 900, currency: 'EUR' } }, /9.00/],
    [{ amount: { value: 900, currency: 'JPY' }, refunded: { value: 900, currency: 'JPY' } }, /900.*900 refunded/],
  ])('%j cost %s', (more, expected) => {
    expect(paidOf(order(more))).toMatch(expected);
  });

  it.each([
    [{ product: 'Pro', productIds: ['p'] }, 'Pro'],
    [{ productIds: ['p', 'q'] }, 'p, q'],
    [{}, 'not known'],
  ])('%j sold %s', (more, expected) => {
    expect(productOf(order(more))).toBe(expected);
  });
});
