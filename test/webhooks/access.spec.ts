import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ProcessorId } from '../../src/payments/index.js';
import { entitlementOf } from '../../src/webhooks/ledger/apply-payment.js';
import { EMPTY_LEDGER, recordFact } from '../../src/webhooks/ledger/payment-ledger.js';
import { factsOf } from '../support/interpreted.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import type { Sale } from '../support/purchases.js';
import { PROCESSOR_IDS } from '../support/app.js';

const SALE: Sale = { tag: 'a', email: 'ada@buyer.example', at: new Date('2027-01-01T00:00:00Z') };
const GRACE_DAYS = 7;
const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const GUIDE = read('docs/payments.md');
const DOCUMENT = read('src/payments/README.md');
const day = (number: number): Date => new Date(SALE.at.getTime() + number * 86_400_000);
const iso = (number: number): string => day(number).toISOString();

const unix = (number: number): number => day(number).getTime() / 1000;

/** What the buyer may do after the tenth day of a month that is paid, by the words of docs/payments.md and src/payments/README.md. */
const ACCESS = {
  'goes on': { suspendedFor: [], expiresAt: null },
  stops: { suspendedFor: ['payment'], expiresAt: day(30) },
  'grace days': { suspendedFor: [], expiresAt: day(37) },
  'to the end it names': { suspendedFor: [], expiresAt: day(30) },
  'to the paid end': { suspendedFor: [], expiresAt: day(30) },
  'to the named day': { suspendedFor: [], expiresAt: day(20) },
  ends: { suspendedFor: [], expiresAt: day(10) },
} as const;

type Row = readonly [ProcessorId, string, object, keyof typeof ACCESS];

const ROWS: readonly Row[] = [
  ['stripe', '`active`, `trialing`', { status: 'active' }, 'to the end it names'],
  ['stripe', '`active`, `trialing`', { status: 'trialing' }, 'to the end it names'],
  ['stripe', '`pause_collection`', { pause_collection: { behavior: 'void', resumes_at: null } }, 'goes on'],
  ['stripe', '`pause_collection`', { pause_collection: { behavior: 'keep_as_draft', resumes_at: null } }, 'goes on'],
  ['stripe', '`pause_collection`', { pause_collection: { behavior: 'mark_uncollectible' } }, 'goes on'],
  ['stripe', '`cancel_at_period_end`', { cancel_at_period_end: true }, 'to the paid end'],
  ['stripe', '`cancel_at`', { cancel_at: unix(20), pause_collection: { behavior: 'void' } }, 'to the named day'],
  ['stripe', '`past_due`', { status: 'past_due' }, 'grace days'],
  ['stripe', '`unpaid`', { status: 'unpaid' }, 'stops'],
  ['stripe', '`paused`', { status: 'paused' }, 'stops'],
  ['stripe', '`canceled`', { status: 'canceled', ended_at: unix(10) }, 'ends'],
  ['paddle', '`active`, `trialing`', { status: 'active' }, 'to the end it names'],
  ['paddle', '`past_due`', { status: 'past_due' }, 'grace days'],
  ['paddle', '`paused`', { status: 'paused', paused_at: iso(10) }, 'stops'],
  ['paddle', '`canceled`', { status: 'canceled', canceled_at: iso(10) }, 'ends'],
  ['lemonsqueezy', '`on_trial`, `active`', { status: 'on_trial' }, 'to the paid end'],
  ['lemonsqueezy', '`paused`, `pause.mode` is `free`', { status: 'paused', pause: { mode: 'free' } }, 'goes on'],
  ['lemonsqueezy', '`paused`, `pause.mode` is `void`', { status: 'paused', pause: { mode: 'void' } }, 'stops'],
  ['lemonsqueezy', '`past_due`', { status: 'past_due' }, 'grace days'],
  ['lemonsqueezy', '`unpaid`', { status: 'unpaid' }, 'goes on'],
  ['lemonsqueezy', '`cancelled`', { status: 'cancelled', ends_at: iso(20) }, 'to the named day'],
  ['lemonsqueezy', '`expired`', { status: 'expired', ends_at: iso(10) }, 'ends'],
  ['polar', '`active`, `trialing`', { status: 'active' }, 'to the end it names'],
  ['polar', '`past_due`', { status: 'past_due' }, 'grace days'],
  ['polar', '`unpaid`', { status: 'unpaid' }, 'stops'],
  ['polar', '`paused`', { status: 'paused', paused_at: iso(10) }, 'stops'],
  ['polar', '`canceled`', { status: 'canceled', ended_at: iso(10) }, 'ends'],
  ['creem', '`active`, `trialing`', { status: 'active' }, 'to the end it names'],
  ['creem', '`active`, `trialing`', { status: 'trialing' }, 'to the end it names'],
  ['creem', '`scheduled_cancel`', { status: 'scheduled_cancel' }, 'to the paid end'],
  ['creem', '`past_due`, `unpaid`', { status: 'past_due' }, 'grace days'],
  ['creem', '`past_due`, `unpaid`', { status: 'unpaid' }, 'grace days'],
  ['creem', '`paused`, `expired`', { status: 'paused' }, 'stops'],
  ['creem', '`paused`, `expired`', { status: 'expired' }, 'stops'],
  ['creem', '`canceled`', { status: 'canceled', canceled_at: iso(10) }, 'ends'],
  ['dodo', '`active`', { status: 'active' }, 'to the end it names'],
  ['dodo', '`cancel_at_next_billing_date`', { cancel_at_next_billing_date: true }, 'to the paid end'],
  ['dodo', '`on_hold`', { status: 'on_hold' }, 'grace days'],
  ['dodo', '`paused`', { status: 'paused', paused_at: iso(10) }, 'stops'],
  ['dodo', '`cancelled`', { status: 'cancelled', cancelled_at: iso(10) }, 'to the paid end'],
  ['dodo', '`expired`', { status: 'expired', expires_at: iso(10) }, 'ends'],
];

const standingAfter = (processor: ProcessorId, change: object) => {
  const events = FULL_SIZE[processor];
  const notifications = [...events.paidMonth(SALE, 1), events.subscription(SALE, 10, 1, { with: change })];
  const [purchase] = factsOf(processor, notifications).reduce(recordFact, EMPTY_LEDGER).purchases;
  return purchase?.paid;
};

describe('access during a subscription', () => {
  it.each(ROWS)('at %s in the state %s (%j): %s', (processor, words, change, access) => {
    const paid = standingAfter(processor, change);
    expect(paid === undefined ? null : entitlementOf(paid, GRACE_DAYS)).toMatchObject(ACCESS[access]);
    const row = DOCUMENT.split('\n').find(
      (line) => line.startsWith(`| \`${processor}\``) && line.includes(` ${words} `),
    );
    expect(row?.split('|')[3]?.trim()).toBe(access);
  });

  it('is what the guide says, with nothing that is not tried here', () => {
    const [, head = '', table = ''] = /^\| access \| (.*) \|\n.*\n((?:\|.*\n)+)/m.exec(GUIDE) ?? [];
    const processors = head.split(' | ').map((name) => name.replaceAll('`', ''));
    const told = table
      .trim()
      .split('\n')
      .flatMap((row) => {
        const [access, ...cells] = row.slice(2, -2).split(' | ');
        return cells.flatMap((cell, at) =>
          cell === '–' ? [] : cell.split('; ').map((words) => `${processors[at]} ${words} ${access}`),
        );
      });
    const tried = ROWS.map(([processor, words, , access]) => `${processor} ${words} ${access}`);
    expect(told.toSorted()).toEqual([...new Set(tried)].toSorted());
  });

  it('is told of every processor, in rows that are all tried here', () => {
    const [, table = ''] = /\| processor \| the subscription reads .*\n.*\n((?:\|.*\n)+)/.exec(DOCUMENT) ?? [];
    const told = table
      .trim()
      .split('\n')
      .map((row) => row.split('|', 3).join('|').trim());
    expect(told).toEqual([...new Set(ROWS.map(([processor, words]) => `| \`${processor}\` | ${words}`))]);
    expect(new Set(ROWS.map(([processor]) => processor))).toEqual(new Set(PROCESSOR_IDS));
  });

  // https://docs.stripe.com/billing/subscriptions/overview, https://developer.paddle.com/build/subscriptions/change-billing-dates
  it.each(['stripe', 'paddle', 'polar', 'creem', 'dodo'] as const)(
    'that %s reports as active past the paid period lasts as long, and has the grace days once a payment fails',
    (processor) => {
      const { paidMonth, subscription } = FULL_SIZE[processor];
      const ends = [...paidMonth(SALE, 1), subscription(SALE, 25, 2)];
      const after = (...more: readonly ReturnType<typeof subscription>[]) => {
        const [purchase] = factsOf(processor, [...ends, ...more]).reduce(recordFact, EMPTY_LEDGER).purchases;
        return purchase && entitlementOf(purchase.paid, GRACE_DAYS).expiresAt;
      };
      expect(after()).toEqual(day(60));
      const unpaid = { with: { status: processor === 'dodo' ? 'on_hold' : 'past_due' } };
      const failed = subscription(SALE, 31, 2, unpaid);
      expect(after(failed)).toEqual(day(37));
      expect(after(failed, subscription(SALE, 62, 3, unpaid))).toEqual(day(37));
      expect(after(failed, subscription(SALE, 35, 2))).toEqual(day(60));
    },
  );

  // https://docs.creem.io/code/webhooks: payments are retried after the period has ended.
  it('that expired at Creem goes on once a retried payment succeeds', () => {
    const { paidMonth, subscription } = FULL_SIZE.creem;
    const expired = { ...subscription(SALE, 31, 1), eventType: 'subscription.expired' };
    const after = (...more: readonly ReturnType<typeof subscription>[]) => {
      const [purchase] = factsOf('creem', [...paidMonth(SALE, 1), expired, ...more]).reduce(
        recordFact,
        EMPTY_LEDGER,
      ).purchases;
      return purchase && entitlementOf(purchase.paid, GRACE_DAYS);
    };
    expect(after()).toMatchObject({ suspendedFor: ['payment'], expiresAt: day(30) });
    const paid = { ...subscription(SALE, 33, 2), eventType: 'subscription.paid' };
    expect(after(paid)).toMatchObject({ suspendedFor: [], expiresAt: day(60) });
  });

  it('that continued while no payments were collected does not end on the day when collection resumes', () => {
    const { paidMonth, subscription } = FULL_SIZE.stripe;
    const pause_collection = { behavior: 'void', resumes_at: null };
    const notifications = [
      ...paidMonth(SALE, 1),
      ...[1, 2, 3].map((month) => subscription(SALE, month * 30 - 25, month, { with: { pause_collection } })),
      subscription(SALE, 70, 3),
    ];
    const [purchase] = factsOf('stripe', notifications).reduce(recordFact, EMPTY_LEDGER).purchases;
    expect(purchase && entitlementOf(purchase.paid, GRACE_DAYS).expiresAt).toEqual(day(90));
  });
});
