/**
 * The operator's commands, which work on the service's database, embedded or on a server, also while the service runs. None takes a secret as
 * an argument, which other users of the machine could read.
 */
export { runAdmin } from './run-admin.js';
