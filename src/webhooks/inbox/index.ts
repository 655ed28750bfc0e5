/** The recorded notifications of processors. */
export { INBOX_STATUSES, type InboxStatus } from './inbox-item.entity.js';
export { InboxRepository, ORDER_KINDS } from './inbox.repository.js';
