import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../licensing/buyer/buyer.js';
import { DataSource, MailDeliveryWorker, PROCESSOR_IDS, type World } from '../support/app.js';
import { HOUR } from '../support/clock.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import type { Notification, Sale } from '../support/purchases.js';
import { startMailingWorld } from '../support/mailing-world.js';
import type { SmtpServer } from '../support/smtp-server.js';
import { Seller } from './seller.js';

/** A notification in which a link is another one. */
const withLink = (notification: Notification, member: string, link: unknown): Notification =>
  JSON.parse(JSON.stringify(notification, (name, value: unknown) => (name === member ? link : value))) as Notification;

/** A notification of a checkout that names for whom it is. */
const named = (notification: Notification, recipientEmail: string): Notification =>
  JSON.parse(
    JSON.stringify(notification, (name, value: unknown) =>
      name === 'metadata' || name === 'custom_data' ? { ...(value as object | null), recipientEmail } : value,
    ),
  ) as Notification;

describe('the page of a buyer', () => {
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  afterAll(() => world.close());

  /** Where the page of a sale's buyer leads outside, by what the links say. */
  const linksFor = async ({ email = '' }: Pick<Sale, 'email'>): Promise<Readonly<Record<string, string>>> => {
    const { text } = await new Browser(world, smtp).enter(email);
    const links = [...text.matchAll(/<a\s+href="(https?:[^"]*)"[^>]*aria-label="([^":]*): Extension/g)];
    expect(text.match(/<a\s/g) ?? []).toHaveLength(links.length);
    return Object.fromEntries(links.map(([, href = '', label = '']) => [label, href.replaceAll('&amp;', '&')]));
  };

  it('leads to the last receipt and the portal of Lemon Squeezy, in whatever order their events arrive', async () => {
    const seller = await Seller.in(world, 'lemonsqueezy');
    const sale = seller.sale();
    const { paidMonth } = FULL_SIZE.lemonsqueezy;
    await seller.sendAll([...paidMonth(sale, 2), ...paidMonth(sale, 1)]);
    expect(await linksFor(sale)).toEqual({
      Receipt: expect.stringMatching(
        /^https:\/\/app\.lemonsqueezy\.com\/my-orders\/\d+\/subscription-invoice\/\d+02\?signature=30$/,
      ),
      'Manage subscription': 'https://tabkeeper.lemonsqueezy.com/billing',
    });
  });

  it('leads to a receipt that expires as long as it opens', async () => {
    const seller = await Seller.in(world, 'lemonsqueezy');
    const sale = seller.sale();
    const expires = Math.floor(world.clock.now().getTime() / 1000) + 3600;
    const receipt = `https://app.lemonsqueezy.com/my-orders/1?expires=${expires}&signature=x`;
    await seller.sendAll(FULL_SIZE.lemonsqueezy.soldOnce(sale).map((event) => withLink(event, 'receipt', receipt)));
    expect(await linksFor(sale)).toEqual({ Receipt: receipt });
    world.clock.forward(HOUR);
    expect(await linksFor(sale)).toEqual({});
  });

  it('leads to the last paid invoice of Stripe, and to the receipt of what was refunded', async () => {
    const seller = await Seller.in(world, 'stripe');
    const sale = seller.sale();
    const { paidMonth, refundedMonth } = FULL_SIZE.stripe;
    await seller.sendAll([...paidMonth(sale, 2), ...paidMonth(sale, 1)]);
    const invoice = `https://invoice.stripe.com/i/acct_1/live_in_2_${sale.tag}?s=ap`;
    expect(await linksFor(sale)).toEqual({ Receipt: invoice });
    await seller.sendAll(refundedMonth(sale, 2, 40));
    const receipt = `https://pay.stripe.com/receipts/payment/ch_2_${sale.tag}`;
    expect(await linksFor(sale)).toEqual({ Receipt: receipt });
  });

  it('leads to the last invoice of Dodo Payments', async () => {
    const seller = await Seller.in(world, 'dodo');
    const sale = seller.sale();
    const { paidMonth } = FULL_SIZE.dodo;
    await seller.sendAll([...paidMonth(sale, 2), ...paidMonth(sale, 1)]);
    expect(await linksFor(sale)).toEqual({
      Receipt: `https://live.dodopayments.com/invoices/payments/pay_2_${sale.tag}`,
    });
  });

  it('leads to receipts of a purchase that an earlier version knew, which kept none', async () => {
    const seller = await Seller.in(world, 'stripe');
    const sale = seller.sale();
    const { paidMonth } = FULL_SIZE.stripe;
    await seller.sendAll(paidMonth(sale, 1));
    const forget = "update purchase set paid = paid - 'receiptUrl' - 'portalUrl' where tenant_id = $1";
    await world.app.get(DataSource).query(forget, [seller.tenant.tenantId]);
    expect(await linksFor(sale)).toEqual({});
    await seller.sendAll(paidMonth(sale, 2));
    expect(await linksFor(sale)).toEqual({ Receipt: expect.stringContaining('/live_in_2_') });
  });

  it.each(['stripe', 'lemonsqueezy', 'dodo'] as const)(
    'of a gift at %s is that of the person it is for, and does not lead to what the buyer paid',
    async (processor) => {
      const seller = await Seller.in(world, processor);
      const sale = seller.sale();
      const recipient = `friend-of-${sale.email}`;
      const { paidMonth } = FULL_SIZE[processor];
      const [first, ...later] = [...paidMonth(sale, 1), ...paidMonth(sale, 2)];
      await seller.sendAll([named(first as Notification, recipient.toUpperCase()), ...later]);
      expect(await seller.licenses()).toMatchObject([{ buyerEmail: recipient, status: 'active' }]);
      await world.app.get(MailDeliveryWorker).tick();
      expect(smtp.to(sale.email ?? '')).toEqual([]);
      expect(smtp.to(recipient)).toHaveLength(1);
      expect(await linksFor({ email: recipient })).toEqual({});
    },
  );

  it.each(PROCESSOR_IDS.filter((id) => !FULL_SIZE[id].linksOf))(
    'leads nowhere for %s, which sends no links',
    async (processor) => {
      const seller = await Seller.in(world, processor);
      const sale = seller.sale();
      await seller.sendAll(FULL_SIZE[processor].paidMonth(sale, 1));
      expect(await linksFor(sale)).toEqual({});
    },
  );

  it('leads nowhere but to pages of the processor, and keeps the license of a notification that tries to', async () => {
    const hostile = [
      'javascript:alert(document.domain)//.lemonsqueezy.com/',
      'http://app.lemonsqueezy.com/my-orders/1',
      'https://evil.example/https://app.lemonsqueezy.com/',
      'https://app.lemonsqueezy.com.evil.example/',
      'https://app.lemonsqueezy.com@evil.example/',
      'https://invoice.stripe.com.evil.example/',
      'https://live.dodopayments.com.evil.example/',
      `https://app.lemonsqueezy.com/${'x'.repeat(10_000)}`,
      '"><script>alert(1)</script>',
      { href: 'https://app.lemonsqueezy.com/' },
      null,
    ];
    const squeezed = await Seller.in(world, 'lemonsqueezy');
    const striped = await Seller.in(world, 'stripe');
    const dodo = await Seller.in(world, 'dodo');
    const email = 'ada@buyer.example';
    for (const link of hostile) {
      const events = FULL_SIZE.lemonsqueezy.paidMonth(squeezed.sale({ email }), 1);
      const urls = { receipt: link, invoice_url: link, customer_portal: link };
      await squeezed.sendAll(events.map((event) => withLink(event, 'urls', urls)));
      const others = FULL_SIZE.stripe.paidMonth(striped.sale({ email }), 1);
      await striped.sendAll(others.map((event) => withLink(event, 'hosted_invoice_url', link)));
      const payments = FULL_SIZE.dodo.paidMonth(dodo.sale({ email }), 1);
      await dodo.sendAll(payments.map((event) => withLink(event, 'invoice_url', link)));
    }
    expect(await linksFor({ email })).toEqual({});
    for (const seller of [squeezed, striped, dodo]) expect(await seller.licenses()).toHaveLength(hostile.length);
  });

  it('shows a link as text that markup cannot leave', async () => {
    const seller = await Seller.in(world, 'lemonsqueezy');
    const sale = seller.sale();
    const link = "https://app.lemonsqueezy.com/my-orders/1?a='onmouseover=alert(1)'&b=\"><script>";
    const events = FULL_SIZE.lemonsqueezy.soldOnce(sale).map((event) => withLink(event, 'receipt', link));
    await seller.sendAll(events);
    const { text } = await new Browser(world, smtp).enter(sale.email ?? '');
    expect(text).toContain('?a=%27onmouseover=alert(1)%27&amp;b=%22%3E%3Cscript%3E"');
  });
});
