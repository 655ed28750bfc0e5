// The arguments of an npm script: those that are known, and `--help`, which lists them.
import { parseArgs } from 'node:util';

/** The command was used wrongly (`EX_USAGE` of sysexits.h). */
const EXIT_USAGE = 64;

/**
 * Reads the flags that this process was given. Ends it, before it does anything, at `--help` and at a flag that is not known.
 * @param {string} command as it is typed
 * @param {string} summary what it does, and where its settings are
 * @param {Record<string, string>} known flags, with what each does
 * @returns {Record<string, boolean>} whether each was given
 */
export function flagsOf(command, summary, known = {}) {
  const flags = { ...known, help: 'Shows this and ends.' };
  const list = Object.entries(flags).map(([name, what]) => `  --${name.padEnd(18)} ${what}\n`);
  const usage = `Usage: ${command} -- [flags]\n${summary}\n\nFlags:\n${list.join('')}`;
  const options = Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'boolean', default: false }]));
  let given;
  try {
    given = parseArgs({ options, strict: true }).values;
  } catch (error) {
    process.stderr.write(`${error.message.split('. ')[0]}.\n\n${usage}`);
    process.exit(EXIT_USAGE);
  }
  if (given.help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  return given;
}
