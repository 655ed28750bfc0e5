import { jsonAnswer, type Answer } from '../answer.js';
import type { PaymentAccount, PaymentIdStyle } from './payment-accounts.js';

/** The read API of one processor. */
export interface SimProcessor {
  readonly id: string;
  /** The setting that sends Pierhead here. */
  readonly variable: string;
  readonly style: PaymentIdStyle;
  readonly operation: string;
  readonly path: string;
  resource(account: PaymentAccount | undefined): unknown;
  /** An error in the processor's form. */
  refusal(status: number, message: string): Answer;
  readonly unknownKey: { readonly status: number; readonly message: string };
  readonly restrictedMessage: string;
  /** The header with the key; `authorization`, as a bearer, if it is absent. */
  readonly keyHeader?: 'x-api-key';
}

const STRIPE: SimProcessor = {
  id: 'stripe',
  variable: 'STRIPE_API_URL',
  style: {
    accountId: (random) => `acct_${random.slice(0, 16)}`,
    apiKey: (random) => `sk_test_${random}`,
    webhookSecret: (random) => `whsec_${random}`,
  },
  operation: 'account',
  path: '/v1/account',
  resource: (account) => ({ id: account?.accountId, object: 'account', email: account?.email, type: 'standard' }),
  refusal: (status, message) =>
    jsonAnswer(status, { error: { type: status === 429 ? 'rate_limit_error' : 'invalid_request_error', message } }),
  unknownKey: { status: 401, message: 'Invalid API Key provided.' },
  restrictedMessage: 'The provided key does not have the required permissions for this endpoint.',
};

const PADDLE: SimProcessor = {
  id: 'paddle',
  variable: 'PADDLE_API_URL',
  style: {
    accountId: (random) => `pad_${random.slice(0, 12)}`,
    apiKey: (random) => `pdl_sdbx_apikey_${`01${random}`.slice(0, 26)}_${random.slice(0, 22)}_abc`,
    webhookSecret: (random) => `pdl_ntfset_${`01${random}`.slice(0, 26)}_${random}`,
  },
  operation: 'eventTypes',
  path: '/event-types',
  resource: () => ({
    data: [
      { name: 'transaction.completed', description: 'Occurs when a transaction is completed.', group: 'Transaction' },
      { name: 'adjustment.updated', description: 'Occurs when an adjustment is updated.', group: 'Adjustment' },
    ],
    meta: { request_id: 'sandbox' },
  }),
  refusal: (status, detail) =>
    jsonAnswer(status, {
      error: { type: 'request_error', code: status === 404 ? 'not_found' : 'forbidden', detail },
      meta: { request_id: 'sandbox' },
    }),
  unknownKey: { status: 403, message: "You aren't permitted to perform this request." },
  restrictedMessage: "You aren't permitted to perform this request.",
};

const LEMON_SQUEEZY: SimProcessor = {
  id: 'lemonsqueezy',
  variable: 'LEMONSQUEEZY_API_URL',
  style: {
    accountId: (random) => String(Number.parseInt(random.slice(0, 8), 16)),
    apiKey: (random) => `ls_${random}${random}`,
    webhookSecret: (random) => random,
  },
  operation: 'me',
  path: '/v1/users/me',
  resource: (account) => ({
    jsonapi: { version: '1.0' },
    data: { type: 'users', id: account?.accountId, attributes: { name: 'Seller', email: account?.email } },
  }),
  refusal: (status, detail) =>
    jsonAnswer(status, { jsonapi: { version: '1.0' }, errors: [{ detail, status: String(status) }] }),
  unknownKey: { status: 401, message: 'Unauthenticated.' },
  restrictedMessage: 'This action is unauthorized.',
};

const POLAR: SimProcessor = {
  id: 'polar',
  variable: 'POLAR_API_URL',
  style: {
    accountId: (random) => `seller-${random.slice(0, 8)}`,
    apiKey: (random) => `polar_oat_${random}`,
    webhookSecret: (random) => `polar_whs_${random}`,
  },
  operation: 'organizations',
  path: '/v1/organizations/',
  resource: (account) => ({
    items: [{ id: 'b2f5ff47-1436-4e51-8f7e-1c0c6f1f6a11', slug: account?.accountId, name: 'Seller' }],
    pagination: { total_count: 1, max_page: 1 },
  }),
  refusal: (status, detail) => jsonAnswer(status, { error: status === 404 ? 'ResourceNotFound' : 'Refused', detail }),
  unknownKey: {
    status: 401,
    message: 'The access token provided is expired, revoked, malformed, or invalid for other reasons.',
  },
  restrictedMessage: 'The access token lacks the scope organizations:read.',
};

const CREEM: SimProcessor = {
  id: 'creem',
  variable: 'CREEM_API_URL',
  style: {
    accountId: (random) => `sto_${random.slice(0, 22)}`,
    apiKey: (random) => `creem_test_${random.slice(0, 22)}`,
    webhookSecret: (random) => `whsec_${random.slice(0, 22)}`,
  },
  operation: 'products',
  path: '/v1/products/search',
  resource: () => ({
    items: [
      {
        id: 'prod_d1AY2Sadk9YAvLI0pj97f',
        mode: 'test',
        object: 'product',
        name: 'Monthly',
        price: 900,
        currency: 'EUR',
        billing_type: 'recurring',
        billing_period: 'every-month',
        status: 'active',
      },
    ],
    pagination: { total_records: 1, total_pages: 1, current_page: 1, next_page: null, prev_page: null },
  }),
  refusal: (status, message) =>
    jsonAnswer(status, {
      trace_id: '550e8400-e29b-41d4-a716-446655440000',
      status,
      error: status === 403 ? 'Forbidden' : 'Bad Request',
      // A key that is refused has no message.
      ...(status === 403 ? {} : { message: [message] }),
      timestamp: 1_706_889_600_000,
    }),
  unknownKey: { status: 403, message: '' },
  restrictedMessage: '',
  keyHeader: 'x-api-key',
};

const DODO: SimProcessor = {
  id: 'dodo',
  variable: 'DODO_API_URL',
  style: {
    accountId: (random) => `bus_${random.slice(0, 21)}`,
    apiKey: (random) => `${random.slice(0, 16)}.${random}`,
    webhookSecret: (random) => `whsec_${Buffer.from(random, 'hex').toString('base64').slice(0, 22)}==`,
  },
  operation: 'brands',
  path: '/brands',
  resource: (account) => ({
    items: [
      {
        brand_id: account?.accountId,
        business_id: account?.accountId,
        enabled: true,
        name: 'Seller',
        statement_descriptor: 'SELLER',
        verification_enabled: true,
        verification_status: 'Success',
      },
    ],
  }),
  refusal: (status, message) => jsonAnswer(status, { code: status === 404 ? 'NOT_FOUND' : 'UNAUTHORIZED', message }),
  unknownKey: { status: 401, message: 'Authentication failed. Check the API key.' },
  restrictedMessage: 'You do not have permission to access this resource.',
};

/** The processors, in the order in which they are shown. */
export const PROCESSORS: readonly SimProcessor[] = [STRIPE, PADDLE, LEMON_SQUEEZY, POLAR, CREEM, DODO];
