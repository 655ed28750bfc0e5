/** How the instance fares, for those who run it: versions, keys, what waits, mail, disk, and a line for each tenant. Never a secret, nor a tenant's content. */
export { InstanceModule } from './instance.module.js';
