/** Many licenses issued by one request: their codes are returned once or mailed. */
export { BatchesModule } from './batches.module.js';
