import { CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { attach, type Run } from './context.js';
import { asFailure, EXIT } from './failure.js';
import { createProgram } from './program.js';
import { Terminal } from './terminal/terminal.js';

const interruption = new AbortController();
// A job that is cancelled is sent SIGTERM, as GitLab does.
for (const event of ['SIGINT', 'SIGTERM'] as const)
  process.once(event, () => {
    interruption.abort();
    // A second Ctrl-C ends at once.
    process.once(event, () => process.exit(EXIT.interrupted));
  });
// The reader of the output may leave early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed),
);

const run: Run = {
  surroundings: {
    env: process.env,
    cwd: process.cwd(),
    streams: process,
    signal: interruption.signal,
    version: manifest.version,
  },
  exitCode: EXIT.done,
};

const program = await createProgram(manifest.version, process.argv.slice(2));
attach(program, run);
try {
  await program.parseAsync();
  process.exitCode = run.exitCode;
} catch (error) {
  process.exitCode = error instanceof CommanderError ? usageExitCode(error) : failed(error);
}

/** Commander has printed what is wrong. */
function usageExitCode({ exitCode }: CommanderError): number {
  return exitCode === 0 ? EXIT.done : EXIT.usage;
}

function failed(error: unknown): number {
  const failure = asFailure(error);
  new Terminal(process, process.env).fail(failure);
  return interruption.signal.aborted ? EXIT.interrupted : failure.exitCode;
}
