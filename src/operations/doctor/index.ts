/** What `npm run doctor` checks: the settings and everything that the service needs. It starts no part of the service. */
export { examine, formatFindings } from './doctor.js';
