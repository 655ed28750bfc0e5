/** Campaigns: the licenses of one occasion, counted. */
export { CampaignsModule } from './campaigns.module.js';
