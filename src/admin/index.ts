/**
 * Commands of the operator: they work on the database of the service, on a server or embedded, also while the service runs. None takes a
 * secret on its command line, where other users of the machine could read it.
 */
export { runAdmin } from './run-admin.js';
