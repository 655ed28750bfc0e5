import { ConfigFault, EXIT_CONFIG } from '../common/config/index.js';
import {
  DatabaseNotDurable,
  DataDirInUse,
  MigrationsFailed,
  OtherEngine,
  SchemaRefused,
} from '../common/database/index.js';
import { LostKeys } from '../platform/keys/index.js';

/** Why the process could not start, for the operator. */
export interface StartFault {
  readonly sentence: string;
  /** 78 when only another configuration helps; 1 when another start may succeed. */
  readonly exitCode: number;
}

/** Details that Node and PostgreSQL add to a failure's message. */
type Failure = Error & {
  readonly code?: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
  readonly errors?: readonly Failure[];
};

const SQL_STATE = /^[0-9A-Z]{5}$/;
/** The driver's messages for a server that does not answer; they have no code. */
const NO_ANSWER = /^(?:Connection terminated|timeout expired)/;
const PROTOCOL_VIOLATION = '08P01';
const DISK_FULL = '53100';
/** PostgreSQL's classes of permanent refusals: authorization, no such database, no privilege. */
const REFUSED_FOR_GOOD = /^(?:28|3D|42501)/;

/**
 * Describes a failure that an operator can fix, in one sentence; null for any other, whose stack is more useful.
 * @param host the configured `HOST`, which may be an unknown name
 */
export function startFault(error: unknown, host?: string): StartFault | null {
  const refusals = [ConfigFault, DataDirInUse, DatabaseNotDurable, LostKeys, OtherEngine, SchemaRefused];
  if (refusals.some((known) => error instanceof known)) return forGood((error as Error).message);
  if (error instanceof MigrationsFailed) return forNow(error.message);
  if (!(error instanceof Error)) return null;
  // When a name has several addresses, each has failed; the first shows why.
  const failure = ((error as Failure).errors?.[0] ?? error) as Failure;
  return ofListening(failure, host) ?? ofDatabase(failure) ?? ofFolder(failure);
}

/**
 * Writes why a process failed to standard error: a sentence for what an operator can fix, the stack for anything else.
 * @param host the configured `HOST`, which may be an unknown name
 * @returns the exit code
 */
export function printFailure(error: unknown, host?: string): number {
  const fault = startFault(error, host);
  const unknown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${fault?.sentence ?? unknown}\n`);
  return fault?.exitCode ?? 1;
}

const forGood = (sentence: string): StartFault => ({ sentence, exitCode: EXIT_CONFIG });
const forNow = (sentence: string): StartFault => ({ sentence, exitCode: 1 });

function ofListening({ code, syscall, address, port, hostname }: Failure, host?: string): StartFault | null {
  if (syscall === 'getaddrinfo' && hostname === host)
    return forGood(`HOST must be an address of this machine. ${hostname} is unknown here.`);
  if (syscall !== 'listen' || port === undefined) return null;
  switch (code) {
    case 'EADDRINUSE':
      return forNow(`Port ${port} of ${address} is in use. Stop the process that listens there, or set another PORT.`);
    case 'EACCES':
      return forGood(`This user may not listen on port ${port}. Set another PORT, usually above 1023.`);
    case 'EADDRNOTAVAIL':
      return forGood(`HOST must be an address of this machine. ${address} is not.`);
    default:
      return null;
  }
}

function ofDatabase({ code = '', syscall, message, address, hostname, port }: Failure): StartFault | null {
  if (NO_ANSWER.test(message)) return forNow(`PostgreSQL at DATABASE_URL does not answer: ${message}.`);
  if (syscall === 'connect' || syscall === 'getaddrinfo') {
    const where = [address ?? hostname, port].filter((part) => part !== undefined).join(':');
    return forNow(`PostgreSQL at DATABASE_URL cannot be reached: ${code}${where === '' ? '' : ` at ${where}`}.`);
  }
  if (syscall !== undefined || !SQL_STATE.test(code) || /^E[A-Z]{4}$/.test(code)) return null;
  if (code === PROTOCOL_VIOLATION && message.includes('startup parameter'))
    return forGood(
      'A pooler answers at DATABASE_URL. Append ?pgbouncer=true to it if that is PgBouncer in transaction mode.',
    );
  if (REFUSED_FOR_GOOD.test(code)) return forGood(`PostgreSQL refuses the connection of DATABASE_URL: ${message}.`);
  if (code === DISK_FULL) return forNow(`PostgreSQL has no space left: ${message}.`);
  return code.startsWith('53') || code.startsWith('57P')
    ? forNow(`PostgreSQL accepts no connections now: ${message}.`)
    : null;
}

function ofFolder({ code, path, syscall }: Failure): StartFault | null {
  const where = path === undefined ? '' : ` at ${path}`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return forNow(`The disk is full${where}. DATA_DIR and BACKUP_TO must be on disks with free space.`);
  // Some file systems answer ENOENT for a folder that nobody may create.
  switch (code === 'ENOENT' && syscall === 'mkdir' ? 'EROFS' : code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return forGood(`DATA_DIR must be a folder that this user can write to. Writing failed${where} (${code}).`);
    case 'EEXIST':
    case 'ENOTDIR':
      return forGood(`DATA_DIR must be a folder. Something else exists${where} (${code}).`);
    default:
      return null;
  }
}
