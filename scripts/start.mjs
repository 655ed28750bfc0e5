// npm start: builds when needed, and runs the service in this very process so that signals reach it.
import { ensureBuilt } from './built.mjs';

ensureBuilt();
await import('../dist/main.js');
