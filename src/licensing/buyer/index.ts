/**
 * The page where buyers look after their own licenses. Promises that it tells nobody whether an address has bought anything but the
 * owner of its mailbox, and that it works without scripts.
 */
export { BuyerModule } from './buyer.module.js';
export { BUYER_PATHS } from './buyer.controller.js';
/** @public for tests, which wait for what is done after an answer */
export { BuyerLinksService } from './buyer-links.service.js';
