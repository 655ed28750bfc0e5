/**
 * The audit log: who changed what, when and from where. An entry commits with the change that it is about; nobody changes it, and nothing in it is a secret.
 */
export { AuditModule } from './audit.module.js';
export { AuditLog } from './audit-log.js';
export type { Action } from './subjects.js';
