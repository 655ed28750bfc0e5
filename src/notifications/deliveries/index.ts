/** Deliveries of notifications to endpoints. */
export { NotificationDelivery } from './deliveries.dto.js';
export type { RecentDeliveries } from './deliveries.repository.js';
export { DeliveriesService } from './deliveries.service.js';
export { endpointIn, isTokenOf, UNSUBSCRIBE_PATH } from './unsubscribe-token.js';
