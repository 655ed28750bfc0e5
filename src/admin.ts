import { runAdmin } from './admin/index.js';

// `npm run admin`: commands of the operator.
// A reader such as `head` may close the pipe early.
process.stdout.on('error', () => process.exit());
try {
  process.exitCode = await runAdmin(process.argv.slice(2));
} catch (error) {
  const { startFault } = await import('./start-fault.js');
  const fault = startFault(error);
  const unknown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${fault?.sentence ?? unknown}\n`);
  process.exitCode = fault?.exitCode ?? 1;
}
