/**
 * What stores know of the items that targets publish to: figures of users, installs and ratings, read once a day and never mixed with pings.
 */
export { ListingsModule } from './listings.module.js';
export { ListingsWorker } from './listings.worker.js';
