import { Command, CommanderError } from 'commander';
import { examine, formatFindings } from '../operations/doctor/index.js';
import { FULL_VERSION, typed } from '../common/system/index.js';
import { startFault } from './start-fault.js';

// `npm run doctor`: checks the settings and everything that the service needs.

const USAGE = 2;
const FAILED = 1;

const program = new Command(typed('doctor', ''))
  .description(
    'Checks the settings and everything that the service needs, and suggests remedies. Reads the same settings as the service, changes nothing, and works whether or not the service runs.',
  )
  .version(FULL_VERSION)
  .option('--json', 'print JSON')
  .addHelpText('after', '\nExit codes: 0 nothing is wrong, 1 something is, 2 wrong usage.')
  .allowExcessArguments(false)
  .exitOverride()
  .action(async ({ json }: { readonly json?: true }) => {
    const findings = await examine(process.env, (error) => startFault(error)?.sentence ?? null);
    process.stdout.write(json === true ? `${JSON.stringify(findings, null, 2)}\n` : formatFindings(findings));
    if (findings.some(({ state }) => state === 'fault')) process.exitCode = FAILED;
  });

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : USAGE;
}
// An open connection to an unreachable host must not keep the process alive.
process.exit();
