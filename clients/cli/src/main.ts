import manifest from '../package.json' with { type: 'json' };
import { EXIT } from './failure.js';
import { runProgram } from './program.js';

/** Written in by the bundler. */
declare const COMMIT: string | null;

const interruption = new AbortController();
// A job that is cancelled is sent SIGTERM, as GitLab does.
for (const event of ['SIGINT', 'SIGTERM'] as const)
  process.once(event, () => {
    interruption.abort();
    // A second Ctrl-C ends at once.
    process.once(event, () => process.exit(EXIT.interrupted));
  });
// The reader of the output may leave early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.done);
  process.stderr.write(`✗ The result cannot be written: ${error.message}\n`);
  process.exit(EXIT.failed);
});
// Nobody reads what is said along the way, and the work is the same.
process.stderr.on('error', () => undefined);

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  streams: process,
  signal: interruption.signal,
  version: manifest.version,
  fullVersion: COMMIT === null ? manifest.version : `${manifest.version} (${COMMIT})`,
});
