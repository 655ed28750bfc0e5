/** Customers: what a tenant sees of the buyer with an address, beside the licenses and orders that lists have. */
export { CustomersModule } from './customers.module.js';
