import type { DataSourceOptions } from 'typeorm';
import { InitialSchema1795000000000 } from './migrations/1795000000000-initial-schema.js';
import { Licensing1795000100000 } from './migrations/1795000100000-licensing.js';
import { Analytics1795000200000 } from './migrations/1795000200000-analytics.js';
import { MailAndNotifications1795000300000 } from './migrations/1795000300000-mail-and-notifications.js';
import { Webhooks1795000400000 } from './migrations/1795000400000-webhooks.js';
import { Delivery1795000500000 } from './migrations/1795000500000-delivery.js';
import { Activation1795000600000 } from './migrations/1795000600000-activation.js';
import { ListIndexes1795000700000 } from './migrations/1795000700000-list-indexes.js';
import { Rollouts1795000800000 } from './migrations/1795000800000-rollouts.js';
import { ActivationsTogether1795000900000 } from './migrations/1795000900000-activations-together.js';
import { HandedTo1795001000000 } from './migrations/1795001000000-handed-to.js';
import { ReleaseChannels1795001100000 } from './migrations/1795001100000-release-channels.js';
import { OneTargetPerItem1795001110000 } from './migrations/1795001110000-one-target-per-item.js';
import { Refusals1795001200000 } from './migrations/1795001200000-refusals.js';
import { Purchases1795001300000 } from './migrations/1795001300000-purchases.js';
import { KeyFingerprints1795001310000 } from './migrations/1795001310000-key-fingerprints.js';
import { Erasure1795001310001 } from './migrations/1795001310001-erasure.js';
import { EncryptionAnswers1795001330000 } from './migrations/1795001330000-encryption-answers.js';
import { PublishingDetails1795001340000 } from './migrations/1795001340000-publishing-details.js';
import { ConfirmedAddresses1795001350000 } from './migrations/1795001350000-confirmed-addresses.js';
import { ReadableNames } from './naming.js';

/** A statement that runs this long is a fault, whichever it is. */
const STATEMENT_TIMEOUT_MS = 15_000;
const LOCK_TIMEOUT_MS = 10_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

const MIGRATIONS = [
  InitialSchema1795000000000,
  Licensing1795000100000,
  Analytics1795000200000,
  MailAndNotifications1795000300000,
  Webhooks1795000400000,
  Delivery1795000500000,
  Activation1795000600000,
  ListIndexes1795000700000,
  Rollouts1795000800000,
  ActivationsTogether1795000900000,
  HandedTo1795001000000,
  ReleaseChannels1795001100000,
  OneTargetPerItem1795001110000,
  Refusals1795001200000,
  Purchases1795001300000,
  KeyFingerprints1795001310000,
  Erasure1795001310001,
  EncryptionAnswers1795001330000,
  PublishingDetails1795001340000,
  ConfirmedAddresses1795001350000,
];

/**
 * How TypeORM reaches PostgreSQL: the same for the service, its tests and the TypeORM command line.
 * @param pool connections at most
 */
export const dataSourceOptions = (url: string, pool: number): DataSourceOptions => ({
  type: 'postgres',
  url,
  poolSize: pool,
  applicationName: 'pierhead',
  connectTimeoutMS: 10_000,
  extra: {
    keepAlive: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  },
  namingStrategy: new ReadableNames(),
  migrations: MIGRATIONS,
  migrationsTableName: 'migration',
  migrationsTransactionMode: 'all',
  uuidExtension: 'pgcrypto',
  installExtensions: false,
  synchronize: false,
  logging: false,
});
