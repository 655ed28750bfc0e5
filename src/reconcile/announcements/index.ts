/** Announcements of stores, which make a target due; polling stays the truth. */
export { AnnouncementGuard } from './announcement.guard.js';
export { AnnouncementsController } from './announcements.controller.js';
export { AnnouncementsService } from './announcements.service.js';
export { StoreWebhookEntity } from './store-webhook.entity.js';
export { StoreWebhooksRepository } from './store-webhooks.repository.js';
