/** How a buyer signs in: by a mailed link, for as long as the session lasts. */
export { BuyerSecret } from './buyer-cookie.js';
export { type Buyer, BuyerSessionsService } from './buyer-sessions.service.js';
