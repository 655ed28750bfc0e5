import type { ProcessorId } from '../../../src/payments/index.js';
import type { Notification } from '../../support/purchases.js';
import { withToken } from '../delivery/codes.js';

/** A checkout at each processor, and the parameter that carries the token there. */
export const CHECKOUTS: Readonly<Record<ProcessorId, { readonly url: string; readonly parameter: string }>> = {
  stripe: { url: 'https://buy.stripe.com/test_eVa5nPg1j1', parameter: 'client_reference_id' },
  paddle: { url: 'https://shop.example/buy?price=pri_1', parameter: 'claimToken' },
  lemonsqueezy: {
    url: 'https://my-store.lemonsqueezy.com/checkout/buy/d1f120fd-5adc-4fff-8915-cce713d29427?discount=0',
    parameter: 'checkout[custom][claimToken]',
  },
  polar: { url: 'https://buy.polar.sh/polar_cl_8Af7l7peIYKXogoBiIFo12Qn', parameter: 'reference_id' },
  creem: { url: 'https://www.creem.io/test/payment/prod_1?theme=dark', parameter: 'metadata[claimToken]' },
  dodo: { url: 'https://test.checkout.dodopayments.com/buy/pdt_1?quantity=1', parameter: 'metadata_claimToken' },
};

/** Puts what a checkout's address carried to where the processor repeats it. */
export function carried(processor: ProcessorId, notification: Notification, address: string): Notification {
  const token = new URL(address).searchParams.get(CHECKOUTS[processor].parameter) ?? '';
  if (processor !== 'stripe' && processor !== 'polar') return withToken(notification, token);
  const text = JSON.stringify(notification, (name, value: unknown) => {
    if (processor === 'polar')
      return name === 'metadata' ? { ...(value as object | null), reference_id: token } : value;
    const isSession = name === 'object' && typeof value === 'object' && JSON.stringify(value).startsWith('{"id":"cs_');
    return isSession ? { ...value, client_reference_id: token } : value;
  });
  return JSON.parse(text) as Notification;
}
