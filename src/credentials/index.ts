/**
 * Store credentials: sealed at rest, verified live before they are saved. Promises that an id outlives every rotation.
 * Never shows a secret: `open` is for the call to the store alone.
 */
export { CredentialsModule } from './credentials.module.js';
export { CredentialsService } from './credentials.service.js';
export { CredentialEntity } from './credential.entity.js';
export { CredentialNotFound } from './credentials.problems.js';
