/** What buyers see of each tenant: name, support address, colour and logo. */
export { BrandingModule } from './branding.module.js';
export { BrandingService, LOGO_PATH, senderOf, type Brand } from './branding.service.js';
