/**
 * Credentials of stores and payment processors: sealed at rest, verified live before they are saved. Promises that an id outlives every rotation.
 * Never shows a secret: `open` is for the call to the store alone, `openPayments` for the signature of a notification.
 */
export { CredentialsModule } from './credentials.module.js';
export { CredentialsService, type OpenedPaymentSecrets } from './credentials.service.js';
export { CredentialEntity } from './credential.entity.js';
export { CredentialNotFound } from './credentials.problems.js';
