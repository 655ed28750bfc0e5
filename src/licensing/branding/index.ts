/** Branding of each tenant: name, support address, colour and logo. */
export { BrandingModule } from './branding.module.js';
export { BrandingService, BUYER_PAGES, LOGOS, senderOf, type Brand } from './branding.service.js';
