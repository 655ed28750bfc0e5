import { createHmac, randomBytes } from 'node:crypto';
import type { Router } from 'express';
import { jsonAnswer, textAnswer, type Answer } from '../answer.js';
import { ControlRefusal } from '../control-refusal.js';
import { type Check, fields, flag, listOf, matching, optional, required, text } from '../input.js';
import type { StoreCall, StoreRoute } from '../stand-in.js';
import type { PaymentAccount, PaymentAccounts } from './payment-accounts.js';

/** Where the shop reports its sales, and where it sends its customers afterwards. */
interface ShopSettings {
  readonly accountId: string;
  readonly webhookUrl: string;
  readonly successUrl: string;
}

/** A payment by a Payment Link. */
interface Payment {
  readonly id: string;
  readonly link: string;
  readonly email: string;
  readonly isRefunded: boolean;
}

/** The shop as the control plane returns it. */
export interface ShopState {
  readonly accountId: string;
  readonly webhookSecret: string;
  /** Null until the shop is set up. */
  readonly webhookUrl: string | null;
  readonly successUrl: string | null;
  /** The oldest first. */
  readonly payments: readonly Payment[];
}

const PRICE = { amount: 900, currency: 'eur' };
const PATH = /^\/stripe\/shop\/(?<link>plink_\w+)$/;

const linkId = matching(/^plink_\w+$/, 'the id of a Payment Link, such as plink_123');
const address = matching(/^[^\s@]+@[^\s@]+$/, 'an e-mail address');
const webAddress = matching(/^https?:\/\/\S+$/, 'a URL');
const payment: Check<Payment> = (value, what) => {
  const from = fields(value, what, ['id', 'link', 'email', 'isRefunded']);
  const read = (name: string): string => required(from, name, text);
  return { id: read('id'), link: read('link'), email: read('email'), isRefunded: required(from, 'isRefunded', flag) };
};

/** Stripe's Payment Links: a person enters an address and pays, and Stripe's notification follows. */
export class StripeShop {
  private settings: ShopSettings | null = null;
  /** The oldest first. */
  private payments: readonly Payment[] = [];

  constructor(private readonly accounts: PaymentAccounts) {}

  readonly routes: readonly StoreRoute[] = [
    { operation: 'paymentLink', method: 'GET', path: PATH, body: 'buffer', handle: () => form() },
    { operation: 'pay', method: 'POST', path: PATH, body: 'buffer', handle: (call) => this.pay(call) },
  ];

  /** Adds the routes under `/__sim/stripe/shop`. */
  addControl(router: Router): void {
    router.get('/shop', (_req, res) => {
      res.json(this.state());
    });
    router.put('/shop', (req, res) => {
      const body = fields(req.body ?? {}, 'a shop', ['accountId', 'webhookUrl', 'successUrl', 'payments']);
      const accountId = optional(body, 'accountId', text);
      this.settings = {
        accountId: (accountId === undefined ? this.account() : this.accounts.named(accountId)).accountId,
        webhookUrl: required(body, 'webhookUrl', webAddress),
        successUrl: optional(body, 'successUrl', text) ?? '/',
      };
      this.payments = optional(body, 'payments', listOf(payment)) ?? this.payments;
      res.status(204).end();
    });
    router.post('/shop/payments', async (req, res) => {
      const body = fields(req.body ?? {}, 'a payment', ['link', 'email']);
      await this.sell(required(body, 'link', linkId), required(body, 'email', address), null);
      res.status(204).end();
    });
    router.post('/shop/refunds', async (req, res) => {
      const body = fields(req.body ?? {}, 'a refund', ['email', 'payment']);
      await this.refund(optional(body, 'email', text), optional(body, 'payment', text));
      res.status(204).end();
    });
  }

  reset(): void {
    this.settings = null;
    this.payments = [];
  }

  private state(): ShopState {
    const { accountId, webhookSecret } = this.account();
    const { webhookUrl = null, successUrl = null } = this.settings ?? {};
    return { accountId, webhookSecret, webhookUrl, successUrl, payments: this.payments };
  }

  private account(): PaymentAccount {
    return this.settings === null ? this.accounts.first() : this.accounts.named(this.settings.accountId);
  }

  private async pay({ url, params, body }: StoreCall): Promise<Answer> {
    if (this.settings === null) return jsonAnswer(404, { error: 'set the shop up first: PUT /__sim/stripe/shop' });
    const email = new URLSearchParams(body.toString('utf8')).get('email') ?? '';
    await this.sell(params.link ?? '', email, url.searchParams.get('client_reference_id'));
    return { status: 303, headers: { Location: this.settings.successUrl }, body: '' };
  }

  private async sell(link: string, email: string, reference: string | null): Promise<void> {
    const paid: Payment = { id: newId('pi'), link, email, isRefunded: false };
    await this.notify('checkout.session.completed', {
      id: newId('cs_test'),
      object: 'checkout.session',
      mode: 'payment',
      payment_status: 'paid',
      payment_link: link,
      payment_intent: paid.id,
      client_reference_id: reference,
      customer_details: { email },
      amount_total: PRICE.amount,
      currency: PRICE.currency,
      metadata: {},
    });
    this.payments = [...this.payments, paid];
  }

  /** Refunds a payment, or else the last one of a customer. */
  private async refund(email: string | undefined, id: string | undefined): Promise<void> {
    const paid = this.payments.findLast((one) => (id === undefined ? one.email === email : one.id === id));
    if (paid === undefined) throw new ControlRefusal(404, `${id ?? email} has paid nothing`);
    if (paid.isRefunded) throw new ControlRefusal(409, `${paid.id} is refunded already`);
    const refunded = { payment_intent: paid.id, refunded: true, amount_refunded: PRICE.amount };
    await this.notify('charge.refunded', { id: newId('ch'), ...refunded, currency: PRICE.currency });
    this.payments = this.payments.map((one) => (one === paid ? { ...one, isRefunded: true } : one));
  }

  /** Delivers an event, signed as Stripe signs it. */
  private async notify(type: string, object: object): Promise<void> {
    if (this.settings === null) throw new ControlRefusal(409, 'the shop is not set up');
    const { webhookSecret } = this.accounts.named(this.settings.accountId);
    const created = Math.floor(Date.now() / 1000);
    const event = { id: newId('evt'), object: 'event', type, created, livemode: true, data: { object } };
    const body = JSON.stringify(event);
    const mac = createHmac('sha256', webhookSecret).update(`${created}.${body}`).digest('hex');
    const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${created},v1=${mac}` };
    const answer = await fetch(this.settings.webhookUrl, { method: 'POST', headers, body }).catch(() => null);
    if (answer === null) throw new ControlRefusal(409, `nothing answers at ${this.settings.webhookUrl}`);
    if (!answer.ok) throw new ControlRefusal(409, `the webhook answered ${answer.status}: ${await answer.text()}`);
  }
}

const newId = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`;

const form = (): Answer =>
  textAnswer(
    200,
    'text/html; charset=utf-8',
    `<!doctype html>
<html lang="en">
  <title>Pay €9.00</title>
  <form method="post">
    <label>Email <input name="email" type="email" required /></label>
    <button>Pay €9.00</button>
  </form>
</html>
`,
  );
