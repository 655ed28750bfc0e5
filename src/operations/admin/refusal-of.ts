import { BackupFault } from '../backup/index.js';
import { NoEmbeddedDatabase, OtherEngine, SchemaRefused } from '../../common/database/index.js';
import { NotFoundForOperator, RefusedToOperator } from './operator/index.js';
import { EXIT } from './exit-codes.js';
import { PasswordsDiffer } from './read-password.js';
import { SchemaOutdated } from './with-operator.js';

const EXPLAINED = [
  BackupFault,
  NotFoundForOperator,
  RefusedToOperator,
  NoEmbeddedDatabase,
  OtherEngine,
  SchemaRefused,
  SchemaOutdated,
  PasswordsDiffer,
];

/** Returns the message and exit code of an error whose message is all that the operator needs; null for any other error. */
export function refusalOf(error: unknown): { readonly message: string; readonly exitCode: number } | null {
  if (!EXPLAINED.some((known) => error instanceof known)) return null;
  const exitCode = error instanceof NotFoundForOperator ? EXIT.notFound : EXIT.failed;
  return { message: (error as Error).message, exitCode };
}
