import { describe, expect, it } from 'vitest';
import type { Refund } from '../../payments/index.js';
import { joinPayments, NO_PAYMENT, paidTimeOf, refundedProducts, type PaidTime, type Payment } from './paid-periods.js';

const on = (day: number, minute = 0): string => new Date(Date.UTC(2027, 0, 1 + day, 0, minute)).toISOString();
const payment = (ref: string, rest: Partial<Payment> = {}): Payment => ({ ...NO_PAYMENT, refs: [ref], ...rest });
const refund = (rest: Partial<Refund> = {}): Refund => ({
  amount: null,
  isGiven: true,
  leavesAccess: false,
  lines: {},
  ...rest,
});

const FIRST = payment('invoice:1', { until: on(30) });
const SECOND = payment('invoice:2', { until: on(60) });
const refunded = (one: Payment): Payment => ({ ...one, isRefunded: true, refundedAt: on(70) });
/** A period that was reported without its payment. */
const REPORTED = payment(`until:${on(30)}`, { until: on(30), madeAt: on(0) });
const charged = (day: number, minute = 0): Payment => payment(`order:${day}.${minute}`, { madeAt: on(day, minute) });

describe('the time that is paid for', () => {
  const LASTS: PaidTime = { until: on(30), last: on(30), isTakenBack: false };
  const TAKEN: PaidTime = { until: null, last: on(30), isTakenBack: true };

  it.each<[string, readonly Payment[], PaidTime]>([
    ['ends with the last period', [SECOND, FIRST], { until: on(60), last: on(60), isTakenBack: false }],
    [
      'ends with the one before when the last is refunded',
      [FIRST, refunded(SECOND)],
      { until: on(30), last: on(60), isTakenBack: true },
    ],
    [
      'is not taken back by the refund of an earlier period',
      [refunded(FIRST), SECOND],
      { until: on(60), last: on(60), isTakenBack: false },
    ],
    ['is taken back by a refund of the charge before its report', [REPORTED, refunded(charged(-1)), charged(1)], TAKEN],
    ['is not by a refund of a charge after it', [REPORTED, charged(-1), refunded(charged(1))], LASTS],
    ['is not by a refund of the charge for the period before', [REPORTED, refunded(charged(-30)), charged(0)], LASTS],
    ['is by that of a charge dated minutes later', [REPORTED, charged(-30), refunded(charged(0, 4))], TAKEN],
    [
      'is by that of the first charge where there was none before',
      [REPORTED, refunded(charged(1)), charged(31)],
      TAKEN,
    ],
  ])('%s', (_, payments, paid) => {
    expect(paidTimeOf(payments)).toEqual(paid);
  });
});

it.each<[string, readonly Refund[], readonly string[]]>([
  ['whose line was refunded', [refund({ lines: { a: null } })], ['hat']],
  [
    'whose line was refunded in parts that add up to it',
    [refund({ lines: { a: 2 } }), refund({ lines: { a: 3 } })],
    ['hat'],
  ],
  ['of no line that was refunded in part', [refund({ lines: { a: 4 } })], []],
  ['of no refund that failed', [refund({ lines: { a: null }, isGiven: false })], []],
  ['of no refund that leaves access', [refund({ lines: { a: null }, leavesAccess: true })], []],
])('the products refunded by themselves are those %s', (_, refunds, products) => {
  const lines = { a: { productId: 'hat', total: 5 }, b: { productId: 'coat', total: 9 } };
  const dated = Object.fromEntries(refunds.map((value, at) => [`refund:${at}`, { at: on(at), value }]));
  expect(refundedProducts(payment('order:1', { lines, refunds: dated }))).toEqual(products);
});

it('two reports of a payment are one, in either order', () => {
  const given = { at: on(1), value: refund() };
  const failed = { at: on(1), value: refund({ isGiven: false }) };
  const one = payment('order:1', { lines: { a: { productId: 'hat', total: 5 } }, refunds: { r: given } });
  const other = payment('order:1', { lines: { b: { productId: 'coat', total: 9 } }, refunds: { r: failed } });
  for (const [left, right] of [
    [one, other],
    [other, one],
  ] as const)
    // Of the same second, that a refund failed is the later report.
    expect(joinPayments([left], [right])).toEqual([
      { ...one, lines: { ...one.lines, ...other.lines }, refunds: { r: failed } },
    ]);
});
