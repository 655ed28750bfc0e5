/** The checks of `npm run doctor`: the settings and everything that the service needs. It starts no part of the service. */
export { examine, formatFindings } from './doctor.js';
