import { describe, expect, it } from 'vitest';
import type { MoneyMove } from '../ledger/index.js';
import { numberOf, problemOf, refundedOf } from './order-view.js';

describe('the problem of an order', () => {
  it.each([
    [null, null, null],
    [null, 'Nothing lists it.', null],
    [{ status: 'unmapped', reason: 'Nothing lists it.' }, 'Nothing lists it.', ['no_plan', 'you']],
    [{ status: 'unmapped', reason: 'It began before.' }, null, ['no_license', 'you']],
    [{ status: 'waiting', reason: 'No address.' }, null, ['no_address', 'processor']],
    [{ status: 'waiting', reason: 'No address.' }, 'Nothing lists it.', ['no_address', 'processor']],
  ] as const)('with the notification %j and the advice %j', (open, unmapped, expected) => {
    const problem = problemOf({ open, unmapped });
    expect(problem === null ? null : [problem.kind, problem.turn]).toEqual(expected);
    expect(problem?.message).toBe(expected === null ? undefined : open?.reason);
  });
});

describe('the number of an order', () => {
  it.each([
    [['payment:pi_1', 'subscription:sub_1', 'invoice:in_1'], 'sub_1'],
    [['payment:pi_2', 'payment:pi_1'], 'pi_1'],
    [['payment:a:b'], 'a:b'],
    [[], null],
  ])('of %j', (refs, expected) => {
    expect(numberOf(refs, ['subscription', 'invoice', 'payment'])).toBe(expected);
  });
});

describe('what was refunded of an order', () => {
  const move = (kind: MoneyMove['kind'], value: number, currency = 'EUR'): MoneyMove => ({
    kind,
    at: '',
    value,
    currency,
  });
  it.each([
    [[move('sale', 900)], null],
    [[move('refund', 300), move('refund', 200)], 500],
    [[move('refund', 300), move('refund', -300)], null],
    [[move('refund', 300), move('refund', 7, 'USD'), move('dispute', 900)], 300],
  ])('of %j', (moves, value) => {
    const expected = value === null ? null : { value, currency: 'EUR' };
    expect(refundedOf(moves, { value: 900, currency: 'EUR' })).toEqual(expected);
  });
});
