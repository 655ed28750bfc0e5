/**
 * Buying in the extension, without a code to copy. A purchase or a restored license is tied to the device that asked by a claim token, which no other
 * device can use.
 */
export { BuyingModule } from './buying.module.js';
/** @public for tests, which wait for work that follows an answer */
export { RestoresService } from './restores.service.js';
