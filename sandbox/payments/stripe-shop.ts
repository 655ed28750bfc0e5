import { createHmac, randomBytes } from 'node:crypto';
import type { Router } from 'express';
import { jsonAnswer, textAnswer, type Answer } from '../answer.js';
import { ControlRefusal } from '../control-refusal.js';
import { fields, required, text } from '../input.js';
import type { StoreCall, StoreRoute } from '../stand-in.js';
import type { PaymentAccounts } from './payment-accounts.js';

/** Where the shop reports its sales, and where it sends its customers afterwards. */
interface ShopSettings {
  readonly accountId: string;
  readonly webhookUrl: string;
  readonly successUrl: string;
}

const PRICE = { amount: 900, currency: 'eur' };
const PATH = /^\/stripe\/shop\/(?<link>plink_\w+)$/;

/** The pages of Stripe's Payment Links: a person enters an address and pays, and Stripe's notification follows. */
export class StripeShop {
  private settings: ShopSettings | null = null;
  /** The payments of each customer, the last one last. */
  private readonly payments = new Map<string, string>();

  constructor(private readonly accounts: PaymentAccounts) {}

  readonly routes: readonly StoreRoute[] = [
    { operation: 'paymentLink', method: 'GET', path: PATH, body: 'buffer', handle: () => form() },
    { operation: 'pay', method: 'POST', path: PATH, body: 'buffer', handle: (call) => this.pay(call) },
  ];

  /** Adds the routes under `/__sim/stripe/shop`. */
  addControl(router: Router): void {
    router.put('/shop', (req, res) => {
      const body = fields(req.body ?? {}, 'a shop', ['accountId', 'webhookUrl', 'successUrl']);
      const read = (name: keyof ShopSettings): string => required(body, name, text);
      this.settings = {
        accountId: this.accounts.named(read('accountId')).accountId,
        webhookUrl: read('webhookUrl'),
        successUrl: read('successUrl'),
      };
      res.status(204).end();
    });
    router.post('/shop/refunds', async (req, res) => {
      const email = required(fields(req.body ?? {}, 'a refund', ['email']), 'email', text);
      const payment = this.payments.get(email);
      if (payment === undefined) throw new ControlRefusal(404, `${email} has paid nothing`);
      const refunded = { payment_intent: payment, refunded: true, amount_refunded: PRICE.amount };
      await this.notify('charge.refunded', { id: newId('ch'), ...refunded, currency: PRICE.currency });
      res.status(204).end();
    });
  }

  reset(): void {
    this.settings = null;
    this.payments.clear();
  }

  private async pay({ url, params, body }: StoreCall): Promise<Answer> {
    if (this.settings === null) return jsonAnswer(404, { error: 'set the shop up first: PUT /__sim/stripe/shop' });
    const email = new URLSearchParams(body.toString('utf8')).get('email') ?? '';
    const payment = newId('pi');
    this.payments.set(email, payment);
    await this.notify('checkout.session.completed', {
      id: newId('cs_test'),
      object: 'checkout.session',
      mode: 'payment',
      payment_status: 'paid',
      payment_link: params.link,
      payment_intent: payment,
      client_reference_id: url.searchParams.get('client_reference_id'),
      customer_details: { email },
      amount_total: PRICE.amount,
      currency: PRICE.currency,
      metadata: {},
    });
    return { status: 303, headers: { Location: this.settings.successUrl }, body: '' };
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
    const answer = await fetch(this.settings.webhookUrl, { method: 'POST', headers, body });
    if (!answer.ok) throw new ControlRefusal(409, `the webhook answered ${answer.status}`);
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
