import { defineProblem } from '../common/problems/index.js';

export const BadSignature = defineProblem(
  {
    code: 'bad_signature',
    status: 401,
    title: 'Bad signature',
    cause: 'The signature of the payment notification is missing, wrong, or older than five minutes.',
    remedy: 'Save the webhook secret that the processor shows as a credential, and check the clock of the server.',
  },
  () => ({
    detail: "The payment processor's signature is missing, wrong, or more than five minutes old.",
    headers: { 'WWW-Authenticate': 'Signature realm="pierhead"' },
  }),
);

export const UnknownTenantOrNoCredential = defineProblem({
  code: 'unknown_tenant_or_no_credential',
  status: 404,
  title: 'Unknown tenant or no credential',
  cause: 'The tenant is unknown, or has no credential for this processor.',
  remedy: 'Check the id in the URL, and save a credential for the processor.',
});

export const NoUnlistedProduct = defineProblem({
  code: 'no_unlisted_product',
  status: 409,
  title: 'No product to mark',
  cause: 'The payment notification names no product, or plans list each that it names.',
  remedy: 'Read the reason of the notification, or take the product off its plan first.',
});

export const UnrelatedProductNotFound = defineProblem({
  code: 'unrelated_product_not_found',
  status: 404,
  title: 'Unrelated product not found',
  cause: 'The tenant marked no product with this id.',
  remedy: 'List the marked products with GET /webhooks/unrelated-products.',
});

export const OrderNotFound = defineProblem({
  code: 'order_not_found',
  status: 404,
  title: 'Order not found',
  cause: 'The tenant has no order with this id.',
  remedy: 'List the orders with GET /orders.',
});

export const OrderSettled = defineProblem({
  code: 'order_settled',
  status: 409,
  title: 'Order needs no plan',
  cause: 'Everything in the order has its plan, and its licenses were issued.',
  remedy: 'Issue another license with POST /licenses, or replay one of its notifications with another planId.',
});

export const InboxItemNotFound = defineProblem({
  code: 'inbox_item_not_found',
  status: 404,
  title: 'Payment notification not found',
  cause: 'The tenant has no payment notification with this id.',
  remedy: 'List the notifications with GET /webhooks/inbox.',
});
