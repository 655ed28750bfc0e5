import { describe, expect, it } from 'vitest';
import { Environment, Paddle } from '@paddle/paddle-node-sdk';
import { validateEvent } from '@polar-sh/sdk/webhooks';
import { SECRETS, signedBy } from '../support/payment-signers.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import type { Sale } from '../support/purchases.js';

const SALE: Sale = { tag: 'a', email: 'ada@buyer.example', at: new Date('2026-11-01T00:00:00Z') };

/** The events that tests tell the service of, held against the processors' own readers. */
describe('a full-size event', () => {
  const lifeOf = (id: 'polar' | 'paddle') => [
    ...FULL_SIZE[id].paidMonth(SALE, 1),
    ...FULL_SIZE[id].paidMonth(SALE, 2),
    FULL_SIZE[id].subscription(SALE, 35, 2),
    ...FULL_SIZE[id].refundedMonth(SALE, 2, 40),
    FULL_SIZE[id].ended(SALE, 50, 2),
    ...FULL_SIZE[id].soldOnce({ ...SALE, tag: 'b' }),
  ];

  // This version of the SDK does not know `subscription.cycled` yet, which Polar sends.
  const known = lifeOf('polar').filter(({ type }) => type !== 'subscription.cycled');

  it.each(known.map((event) => [event['type'], event] as const))(
    'of Polar is read by its SDK, which checks each member: %s',
    (type, event) => {
      const body = JSON.stringify(event);
      expect(validateEvent(body, signedBy('polar', SECRETS.polar, body, new Date()), SECRETS.polar).type).toBe(type);
    },
  );

  it.each(lifeOf('paddle').map((event) => [event['event_type'], event] as const))(
    'of Paddle is read by its SDK: %s',
    async (type, event) => {
      const body = JSON.stringify(event);
      const signature = signedBy('paddle', SECRETS.paddle, body, new Date())['paddle-signature'] ?? '';
      const paddle = new Paddle('an API key that is never used', { environment: Environment.sandbox });
      expect((await paddle.webhooks.unmarshal(body, SECRETS.paddle, signature))?.eventType).toBe(type);
    },
  );
});
