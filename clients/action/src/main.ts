import { setFailed, setSecret } from '@actions/core';
import { Command, CommanderError } from 'commander';
import manifest from '../../cli/package.json' with { type: 'json' };
import { pushCommand } from '../../cli/src/commands/push.js';
import { attach, type Run } from '../../cli/src/context.js';
import { asFailure, EXIT, withTokenHint } from '../../cli/src/failure.js';
import { type Inputs, readInputs } from './inputs.js';
import { jobToken } from './job-token.js';
import { report, reportFailure, escapeWorkflowCommands, type Pushed } from './report.js';

const RETRY_FOR_MS = 60_000;
/** The log, in which what others wrote must be no command. */
const tell = (text: string | Uint8Array): boolean => process.stderr.write(escapeWorkflowCommands(String(text)));
/** Failures of the job after a successful push. */
const FAILED: Readonly<Record<number, string>> = {
  [EXIT.rejected]: 'A store rejected the version.',
  [EXIT.needsPerson]: 'A store needs something that only a person can do.',
  [EXIT.timedOut]: 'Timed out waiting. Pierhead continues.',
};

/** Advice about a refused token: the input, or the one that the job got in exchange for its own. */
const ANOTHER_TOKEN = {
  given:
    'Store a valid access token in the secret that the input "token" reads. Create one with: pierhead tokens create CI --scope artifacts:write extensions:read',
  own: 'Check that the trust rule for this job still exists.',
};

/** Runs `pierhead push` with the inputs of the workflow, and reports the result to it. */
async function main(): Promise<void> {
  let inputs: Inputs | undefined;
  try {
    inputs = readInputs();
    const { exitCode, stdout } = await run(inputs);
    if (stdout !== '') await report(JSON.parse(stdout) as Pushed);
    if (exitCode !== EXIT.done) setFailed(FAILED[exitCode] ?? 'Another version replaced this one.');
  } catch (error) {
    // Commander has printed what is wrong with an input.
    if (error instanceof CommanderError) setFailed(error.message);
    else
      reportFailure(
        withTokenHint(asFailure(error), ANOTHER_TOKEN[inputs?.token === '' ? 'own' : 'given']),
        inputs?.package ?? '',
      );
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
      fullVersion: manifest.version,
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
