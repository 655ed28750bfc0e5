// npm run doctor: checks the settings and everything that the service needs, beside a running service or without one.
import { ensureBuilt } from './built.mjs';

ensureBuilt();
await import('../dist/commands/doctor.js');
