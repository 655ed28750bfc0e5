/** Signed requests to the webhooks of tenants. */
export { newWebhookSecret, plainHeaders, signedHeaders } from './signature.js';
export { WebhookSecrets } from './webhook-secrets.js';
export { type WebhookAnswer, type WebhookFailure, WebhookSender } from './webhook-sender.js';
