// Paid orders, as a seller's processor reports them.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';

/** A secret of a webhook, as Stripe gives them. */
export const newSecret = () => `whsec_${randomBytes(16).toString('hex')}`;

/** The header by which Stripe signs a notification. @param {string} body @param {number} created @param {string} secret */
export function signatureOf(body, created, secret) {
  const digest = createHmac('sha256', secret).update(`${created}.${body}`).digest('hex');
  return { 'stripe-signature': `t=${created},v1=${digest}` };
}

/**
 * A paid order of a plan by a buyer of its own, signed now as Stripe does.
 * @param {string} planId
 * @param {string} secret
 * @returns {{ headers: Record<string, string>, body: string }}
 */
export function paidOrder(planId, secret) {
  const [id, created] = [randomUUID(), Math.floor(Date.now() / 1000)];
  const session = {
    id: `cs_${id}`,
    payment_status: 'paid',
    mode: 'payment',
    customer: `cus_${id}`,
    customer_details: { email: `${id}@buyer.example` },
    metadata: { planId },
    payment_intent: `pi_${id}`,
  };
  const event = { id: `evt_${id}`, object: 'event', type: 'checkout.session.completed', created, livemode: true };
  const body = JSON.stringify({ ...event, data: { object: session } });
  return { headers: signatureOf(body, created, secret), body };
}
