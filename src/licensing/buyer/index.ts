/**
 * The pages on which buyers manage their licenses. Only the owner of a mailbox learns whether its address has bought anything, and the
 * pages work without scripts.
 */
export { BuyerPageFilter } from './buyer-page.filter.js';
export { lookOf } from './buyer-look.js';
export { SameOriginGuard } from './same-origin.guard.js';
export { BuyerModule } from './buyer.module.js';
export { BuyerCookie } from './sign-in/buyer-cookie.js';
export { BuyerLinkSpent } from './buyer.problems.js';
export type { BuyerAnswer } from './buyer.service.js';
export { BuyerSessionsService } from './sign-in/buyer-sessions.service.js';
export { EnterForm, SellerQuery } from './buyer.dto.js';
export { dayOf } from './buyer-parts.js';
/** @public for tests, which wait for work that follows an answer */
export { BuyerLinksService } from './sign-in/buyer-links.service.js';
