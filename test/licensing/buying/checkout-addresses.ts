import type { ProcessorId } from '../../../src/payments/index.js';

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
