/** Keys that sign packages for stores whose items take only packages of their author. */
export { SigningKeyEntity } from './signing-key.entity.js';
export { SigningKeysController } from './signing-keys.controller.js';
export { SigningKeysRepository } from './signing-keys.repository.js';
export { SigningKeysService } from './signing-keys.service.js';
