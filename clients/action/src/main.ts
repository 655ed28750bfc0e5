import { setFailed, setSecret } from '@actions/core';
import { Command, CommanderError } from 'commander';
import manifest from '../../cli/package.json' with { type: 'json' };
import { pushCommand } from '../../cli/src/commands/push.js';
import { attach, type Run } from '../../cli/src/context.js';
import { asFailure, EXIT } from '../../cli/src/failure.js';
import { type Inputs, readInputs } from './inputs.js';
import { jobToken } from './job-token.js';
import { report, reportFailure, escapeWorkflowCommands, type Pushed } from './report.js';

const RETRY_FOR_MS = 60_000;
/** The log, in which what others wrote must be no command. */
const tell = (text: string | Uint8Array): boolean => process.stderr.write(escapeWorkflowCommands(String(text)));
/** How the job fails when the push itself went well. */
const FAILED: Readonly<Record<number, string>> = {
  [EXIT.rejected]: 'A store rejected the version.',
  [EXIT.needsPerson]: 'A store needs something that only a person can do.',
  [EXIT.timedOut]: 'Timed out waiting. Pierhead continues.',
};

/** Runs `pierhead push` with the inputs of the workflow, and reports the result to it. */
async function main(): Promise<void> {
  let folder = '';
  try {
    const inputs = readInputs();
    folder = inputs.package;
    const { exitCode, stdout } = await run(inputs);
    if (stdout !== '') await report(JSON.parse(stdout) as Pushed);
    if (exitCode !== EXIT.done) setFailed(FAILED[exitCode] ?? 'Another version replaced this one.');
  } catch (error) {
    // Commander has printed what is wrong with an input.
    if (error instanceof CommanderError) setFailed(error.message);
    else reportFailure(asFailure(error), folder);
  }
}

async function run({ url, token, trusting, args }: Inputs): Promise<{
  readonly exitCode: number;
  readonly stdout: string;
}> {
  let stdout = '';
  const interruption = new AbortController();
  process.once('SIGINT', () => interruption.abort());
  const userAgent = `pierhead-action/${manifest.version} node/${process.versions.node}`;
  const options = { userAgent, retryForMs: RETRY_FOR_MS, signal: interruption.signal };
  if (token !== '') setSecret(token);
  const given: Run = {
    surroundings: {
      env: { ...process.env, PIERHEAD_URL: url, PIERHEAD_TOKEN: token },
      cwd: process.cwd(),
      streams: {
        stdin: process.stdin,
        // The log of the job shows what people read; the result goes into the summary.
        stdout: { write: (text) => ((stdout += String(text)), true) },
        stderr: { write: tell },
      },
      signal: interruption.signal,
      version: manifest.version,
      ...(token === '' ? { bearer: jobToken(url, trusting, options) } : {}),
    },
    exitCode: EXIT.done,
  };
  const program = new Command('pierhead').option('--json').exitOverride().configureOutput({ writeErr: tell });
  program.addCommand(pushCommand().copyInheritedSettings(program));
  attach(program, given);
  await program.parseAsync([...args], { from: 'user' });
  return { exitCode: given.exitCode, stdout };
}

await main();
