#!/usr/bin/env node
// `npx pierhead-service`, the program of the package: starts the service, or runs a command of the operator.

const USAGE = `Usage: npx pierhead-service [--accept-lost-keys]
       npx pierhead-service COMMAND [arguments]
       npx pierhead-service --version

Starts Pierhead. Settings are environment variables; without DATABASE_URL it keeps its database in ./data, or in DATA_DIR.
--accept-lost-keys starts it even though keys that the database knows are missing.

Commands, each of which explains itself with --help:
  admin      users, tenants and operators
  backup     writes a backup of the database and the packages
  restore    restores a backup, or checks one
  doctor     checks the settings and everything that the service needs
  migrate    brings the schema of the database at DATABASE_URL up to date
`;
/** Exit code for a wrong command line. */
const WRONG_USAGE = 2;

const [typed = '', ...args] = process.argv.slice(2);
const name = { '-h': '--help', '-V': '--version' }[typed] ?? typed;

/** Loads a program, which reads its arguments from the command line as if it had been started itself. */
async function run(program: () => Promise<unknown>, given: readonly string[]): Promise<void> {
  process.argv.splice(2, Infinity, ...given);
  await program();
}

const PROGRAMS: Readonly<Record<string, () => Promise<void>>> = {
  '': () => run(() => import('./main.js'), []),
  '--accept-lost-keys': () => run(() => import('./main.js'), [name]),
  admin: () => run(() => import('./commands/admin.js'), args),
  backup: () => run(() => import('./commands/admin.js'), [name, ...args]),
  restore: () => run(() => import('./commands/restore.js'), args),
  doctor: () => run(() => import('./commands/doctor.js'), args),
  migrate: () => run(() => import('./commands/migrate.js'), args),
  '--help': async () => void process.stdout.write(USAGE),
  '--version': async () => {
    const { FULL_VERSION } = await import('./common/system/index.js');
    process.stdout.write(`${FULL_VERSION}\n`);
  },
};

const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
if (program === undefined) {
  process.stderr.write(`There is no command ${name}.\n\n${USAGE}`);
  process.exitCode = WRONG_USAGE;
} else await program();
