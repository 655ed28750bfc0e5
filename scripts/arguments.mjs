// The flags of an npm script, its path, and `--help`, which lists them.
import { parseArgs } from 'node:util';

/** `EX_USAGE` of sysexits.h. */
export const EXIT_USAGE = 64;

/**
 * Reads the flags of this process, and a path where one is taken. Exits at once after `--help` and after what is unknown.
 * @param {string} command as typed, such as `npm start`
 * @param {string} summary one line for `--help`
 * @param {Record<string, string>} known each flag with its description
 * @param {{ name: string, what: string } | null} argument the name and the description of the path; null when none is taken
 * @returns {Record<string, boolean> & { path: string | null }} whether each flag was given, and the path
 */
export function flagsOf(command, summary, known = {}, argument = null) {
  const flags = { ...known, help: 'Shows this text and exits.' };
  const list = Object.entries(flags).map(([name, what]) => `  --${name.padEnd(18)} ${what}\n`);
  const named =
    argument === null ? ['', ''] : [` [${argument.name}]`, `  ${argument.name.padEnd(20)} ${argument.what}\n\n`];
  const usage = `Usage: ${command} -- [flags]${named[0]}\n${summary}\n\n${named[1]}Flags:\n${list.join('')}`;
  const options = Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'boolean', default: false }]));
  const refuse = (message) => {
    process.stderr.write(`${message}.\n\n${usage}`);
    process.exit(EXIT_USAGE);
  };
  let given;
  try {
    given = parseArgs({ options, strict: true, allowPositionals: argument !== null });
  } catch (error) {
    refuse(error.message.split('. ')[0]);
  }
  const [path = null, ...others] = given.positionals;
  if (others.length > 0) refuse(`Unexpected argument '${others[0]}'`);
  if (given.values.help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  return { ...given.values, path };
}
