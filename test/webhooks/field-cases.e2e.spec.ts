import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProcessorId } from '../../src/payments/index.js';
import { startWorld, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { Seller } from './seller.js';

interface FieldCase {
  readonly steps: readonly { readonly processor: ProcessorId; readonly event: object }[];
}

/** Notifications as sellers met them; `@-5d` and `@iso-5d` are times relative to now, in Unix seconds and in ISO 8601. */
function notificationsOf(name: string, now: Date, planId: string): readonly string[] {
  const { steps } = JSON.parse(
    readFileSync(new URL(`./field-cases/${name}.json`, import.meta.url), 'utf8'),
  ) as FieldCase;
  const at = (days: string): Date => new Date(Math.floor(now.getTime() / 1000) * 1000 + Number(days) * DAY);
  return steps.map(({ event }) =>
    JSON.stringify(event)
      .replaceAll(/"@iso(-?[\d.]+)d"/g, (_, days: string) => JSON.stringify(at(days).toISOString()))
      .replaceAll(/"@(-?[\d.]+)d"/g, (_, days: string) => String(at(days).getTime() / 1000))
      .replaceAll('{{pro}}', planId),
  );
}

const PRODUCT: Readonly<Record<ProcessorId, string>> = {
  stripe: 'price_pro',
  paddle: 'pri_pro',
  lemonsqueezy: '501',
  polar: 'b1a7c0de-0000-4000-8000-000000000001',
};

describe('a seller who', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  /** The licenses after each of the notifications, by address. */
  async function licensesAfter(name: string, processor: ProcessorId) {
    const seller = await Seller.in(world, processor, { products: [PRODUCT[processor]] });
    const notifications = notificationsOf(name, world.clock.now(), seller.planId);
    const seen: Record<string, unknown>[] = [];
    for (const notification of notifications) {
      await seller.send(notification);
      const licenses = await seller.licenses();
      seen.push(Object.fromEntries(licenses.map(({ buyerEmail, ...license }) => [buyerEmail, license])));
    }
    return seen;
  }

  const inDays = (days: number): string =>
    new Date(Math.floor(world.clock.now().getTime() / 1000) * 1000 + days * DAY).toISOString();

  // https://docs.stripe.com/invoicing/integration
  it('sends an invoice has it paid for one license, by its price or by the plan that it names', async () => {
    const seen = await licensesAfter('sent-invoice', 'stripe');
    expect(seen.at(-1)).toMatchObject({
      's3@x.example': { status: 'active', expiresAt: null },
      's3b@x.example': { status: 'active', expiresAt: null },
    });
  });

  // https://docs.stripe.com/refunds#failed-refunds
  it('refunds a payment whose refund the bank rejects gives the license back', async () => {
    const seen = await licensesAfter('refund-that-failed', 'stripe');
    const states = seen.map((licenses) => licenses['s1@x.example']);
    expect(states).toMatchObject([
      { status: 'active' },
      { status: 'revoked', revokedFor: 'refund' },
      { status: 'active', revokedFor: null },
      { status: 'active', revokedFor: null },
    ]);
  });

  // https://developer.paddle.com/build/transactions/create-transaction-adjustments
  it('refunds all of a transaction by its items, or in parts, takes the license back', async () => {
    const seen = await licensesAfter('refund-by-items', 'paddle');
    expect(seen.at(1)).toMatchObject({ 'p1@x.example': { status: 'revoked', revokedFor: 'refund' } });
    expect(seen.at(3)).toMatchObject({ 'p2@x.example': { status: 'active' } });
    expect(seen.at(4)).toMatchObject({ 'p2@x.example': { status: 'revoked', revokedFor: 'refund' } });
  });

  // https://docs.stripe.com/billing/subscriptions/overview
  it('extends a trial has it last as long', async () => {
    const seen = await licensesAfter('extended-trial', 'stripe');
    expect(seen.at(-1)).toMatchObject({ 't1@x.example': { status: 'active', expiresAt: inDays(40) } });
  });

  // https://developer.paddle.com/build/subscriptions/change-billing-dates
  it('moves a billing date, a trial or an interval without billing has the license last as long', async () => {
    const seen = await licensesAfter('moved-billing-date', 'paddle');
    expect(seen.at(-1)).toMatchObject({
      'p1@x.example': { status: 'active', expiresAt: inDays(40) },
      'p2@x.example': { status: 'active', expiresAt: inDays(40) },
      'p3@x.example': { status: 'active', expiresAt: inDays(300) },
    });
  });

  // https://polar.sh/docs/features/refunds
  it('refunds an order of a subscription that goes on leaves access', async () => {
    const seen = await licensesAfter('refunded-subscription-order', 'polar');
    expect(seen.at(-1)).toMatchObject({ 'q1@x.example': { status: 'active', expiresAt: inDays(20) } });
  });
});
