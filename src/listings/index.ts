/**
 * What stores know of the items that targets publish to: figures of users, installs and ratings, never mixed with pings, and
 * what users wrote, each read at its own time.
 */
export { ListingsModule } from './listings.module.js';
export { ListingsWorker } from './listings.worker.js';
export { ReviewsReader } from './reviews/reviews-reader.service.js';
