/**
 * Credentials of stores and payment processors: verified before they are saved, encrypted at rest. An id survives every rotation. Secrets
 * are never shown: `open` is for calls to the store, `openPayments` for verifying notifications.
 */
export { CredentialsModule } from './credentials.module.js';
export { CredentialsService, type OpenedPaymentSecrets } from './credentials.service.js';
export { CredentialEntity } from './credential.entity.js';
export { CredentialNotFound } from './credentials.problems.js';
