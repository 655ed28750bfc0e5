import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { actAs } from '../../common/access/index.js';
import { BackupRunsService } from '../backup/index.js';
import { completeConfig, ConfigFault, findSecrets, readEnvironment, type Secrets } from '../../common/config/index.js';
import { reachEmbeddedPostgres, refuseOtherSchema } from '../../common/database/index.js';
import { makePino, PinoLog } from '../../common/observability/index.js';
import { Clock, typed } from '../../common/system/index.js';
import { OperatorService } from './operator/index.js';
import { AdminModule } from './admin.module.js';

const POOL = 2;
/** Workers of imported modules, such as the mail worker, must not poll before the command ends. */
const LONG_SECONDS = 86_400;

/** The database has the schema of an older version. */
export class SchemaOutdated extends Error {
  override readonly name = 'SchemaOutdated';
}

/** Runs a command of the operator's service. @throws as `withApplication` does */
export const withOperator = <Result>(
  command: string,
  work: (operator: OperatorService) => Promise<Result>,
): Promise<Result> => withApplication(command, (app) => work(app.get(OperatorService, { strict: false })));

/** Runs a command of the backups. @throws as `withApplication` does, and BackupFault */
export const withBackups = <Result>(
  command: string,
  work: (backups: BackupRunsService) => Promise<Result>,
): Promise<Result> => withApplication(command, (app) => work(app.get(BackupRunsService, { strict: false })));

/**
 * Runs a command in the name of the operator, on the database that the settings name. The embedded database is reached through the service
 * that serves it, or opened when none does.
 * @throws ConfigFault, NoEmbeddedDatabase, DataDirInUse, SchemaRefused, SchemaOutdated
 */
async function withApplication<Result>(
  command: string,
  work: (app: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const read = readEnvironment(process.env);
  const database =
    read.databaseUrl === undefined
      ? await reachEmbeddedPostgres(read.dataDir)
      : { url: read.databaseUrl, stop: () => Promise.resolve() };
  try {
    const secrets = await findSecrets(read);
    const config = completeConfig(
      // A command creates no tenant and does none of the service's work.
      {
        ...read,
        // Set even for the embedded database, so that no worker voids the work locks of the running service.
        databaseUrl: database.url,
        databasePool: POOL,
        reconcileEverySeconds: LONG_SECONDS,
        bootstrapEmail: undefined,
        bootstrapPassword: undefined,
      },
      completed(secrets),
    );
    const runtime = { config, clock: new Clock(), databaseUrl: database.url };
    const app = await NestFactory.createApplicationContext(AdminModule.with(runtime), {
      // The command prints its failure itself, in one sentence.
      logger: new PinoLog(makePino('fatal', process.stderr)),
      abortOnError: false,
    });
    try {
      await refuseOtherSchema(app.get(DataSource));
      if (await app.get(DataSource).showMigrations())
        throw new SchemaOutdated(
          `The database has the schema of an older version. Start the service once${read.databaseUrl === undefined ? '' : `, or run ${typed('migrate')}`}.`,
        );
      return await actAs({ kind: 'operator', name: command }, () => work(app));
    } finally {
      await app.close();
    }
  } finally {
    await database.stop();
  }
}

/** @throws ConfigFault when the service has not generated its secrets yet */
function completed(found: Partial<Secrets>): Secrets {
  const { encryptionKeys, tokenSecret, codePeppers } = found;
  if (encryptionKeys === undefined || tokenSecret === undefined || codePeppers === undefined)
    throw new ConfigFault(['DATA_DIR has no keys. Start the service once, or set DATA_DIR as for the service.']);
  return { encryptionKeys, tokenSecret, codePeppers };
}
