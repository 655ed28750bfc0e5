import { runAdmin } from '../operations/admin/index.js';
import { exitOnSignals } from '../common/system/index.js';

// `npm run admin`: commands of the operator.
// A reader such as `head` may close the pipe early.
process.stdout.on('error', () => process.exit());
exitOnSignals();
try {
  process.exitCode = await runAdmin(process.argv.slice(2));
} catch (error) {
  const { printFailure } = await import('./start-fault.js');
  process.exitCode = printFailure(error);
}
