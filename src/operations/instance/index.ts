/** The status of the instance, for its operators: versions, keys, due work, mail, disk, backups and tenants. Never a secret or a tenant's content. */
export { InstanceModule } from './instance.module.js';
