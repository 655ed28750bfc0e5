// npm start: builds if needed and runs the service in this process, so that signals reach it.
import { flagsOf } from './arguments.mjs';
import { ensureBuilt, ensureClientsBuilt, ensureConsoleBuilt, ensureFirstStart } from './built.mjs';

flagsOf('npm start', 'Runs the service. Settings are environment variables; .env.example lists them all.', {
  'accept-lost-keys':
    'Starts even though keys that the database knows are missing. docs/operating.md lists what is lost.',
});
ensureBuilt();
ensureFirstStart();
ensureClientsBuilt();
ensureConsoleBuilt();
await import('../dist/main.js');
