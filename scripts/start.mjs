// npm start: builds when needed, and runs the service in this very process so that signals reach it.
import { flagsOf } from './arguments.mjs';
import { ensureBuilt } from './built.mjs';

flagsOf('npm start', 'Runs the service. Its settings are environment variables; .env.example has them all.', {
  'accept-lost-keys': 'Starts with other keys than the database knows; README says what is lost.',
});
ensureBuilt();
await import('../dist/main.js');
