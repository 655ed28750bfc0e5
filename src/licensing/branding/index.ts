/** Branding of each tenant: name, support address, colour and logo. */
export { BrandingModule } from './branding.module.js';
export {
  ACTIVATIONS,
  BrandingService,
  BUYER_PAGES,
  buyerPageOf,
  LOGOS,
  senderOf,
  type Brand,
} from './branding.service.js';
