// The flags of an npm script, and `--help`, which lists them.
import { parseArgs } from 'node:util';

/** `EX_USAGE` of sysexits.h. */
const EXIT_USAGE = 64;

/**
 * Reads the flags of this process. Exits at once after `--help` and after an unknown flag.
 * @param {string} command as typed, such as `npm start`
 * @param {string} summary one line for `--help`
 * @param {Record<string, string>} known each flag with its description
 * @returns {Record<string, boolean>} whether each was given
 */
export function flagsOf(command, summary, known = {}) {
  const flags = { ...known, help: 'Shows this text and exits.' };
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
