import { expect, it } from 'vitest';
import { purchaseDetails } from '../../src/payments/payload.js';
import { NO_PAYMENTS } from '../../src/webhooks/ledger/apply-payment.js';
import { recordFact, type PaymentLedger } from '../../src/webhooks/ledger/payment-ledger.js';

it('of purchases that turn out to be the same, the first one stays, whatever was recorded of it before', () => {
  const at = new Date('2027-01-01T00:00:00Z');
  const ledger: PaymentLedger = {
    purchases: [
      { id: 'licensed', refs: ['invoice:1'], paid: NO_PAYMENTS },
      { id: 'refunded', refs: ['payment:1'], paid: NO_PAYMENTS },
      { id: 'other', refs: ['invoice:2'], paid: NO_PAYMENTS },
    ],
    customers: {},
  };
  const paid = { kind: 'renewed' as const, ...purchaseDetails({ at, refs: ['invoice:1'] }) };
  const link = { kind: 'linked' as const, ...purchaseDetails({ at, refs: ['invoice:1', 'payment:1'] }) };
  for (const facts of [[link], [paid, link], [paid, paid, link]])
    expect(facts.reduce(recordFact, ledger).purchases.map(({ id }) => id)).toEqual(['licensed', 'other']);
});
