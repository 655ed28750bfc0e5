// What the specs need of the service.
export { SchedulerRegistry } from '@nestjs/schedule';
export { default as pg } from 'pg';
export { DataSource } from 'typeorm';
export { createSandbox } from '../../sandbox/sandbox.js';
export { RollUpService } from '../../src/analytics/index.js';
export { InstallDigest } from '../../src/analytics/ping/install-digest.js';
export { AuditLog } from '../../src/platform/audit/index.js';
export { AuditPurgeService } from '../../src/platform/audit/audit-purge.service.js';
export { LoginRefusalsService } from '../../src/platform/accounts/guessing/login-refusals.service.js';
export { PasswordResetsService } from '../../src/platform/accounts/passwords/reset/password-resets.service.js';
export { PackagesService } from '../../src/artifacts/packages/packages.service.js';
export {
  allows,
  scopeOf,
  ROLE_PERMISSIONS,
  ROLES,
  SCOPES,
  withWorkContext,
  workContext,
} from '../../src/common/access/index.js';
export { RateLimits } from '../../src/common/access/rate-limits.js';
export { Config, readEnvironment } from '../../src/common/config/index.js';
export { Metrics } from '../../src/common/observability/index.js';
export { startFault } from '../../src/commands/start-fault.js';
export { restoreBackup } from '../../src/operations/backup/index.js';
export { examine } from '../../src/operations/doctor/index.js';
export { BackupWorker } from '../../src/operations/backup/backup.worker.js';
export { BackupWatchService } from '../../src/operations/instance/backup-watch.service.js';
export {
  assertSchema,
  catalogueOf,
  dataSourceOptions,
  migrate,
  MIGRATIONS,
  NewerSchema,
  purposesOf,
  storedColumns,
  Transactions,
  type Migration,
} from '../../src/common/database/index.js';
export { VERSION } from '../../src/common/system/index.js';
export { RouteTable } from '../../src/common/http/index.js';
export { HttpClient, redact, redactText } from '../../src/common/net/index.js';
export { declaredProblems } from '../../src/common/problems/index.js';
export { ExportWorker, TenantDeletionWorker } from '../../src/operations/tenant-data/index.js';
export { exportedTables } from '../../src/operations/tenant-data/exports/exported-tables.js';
export { TenantDeletionService } from '../../src/operations/tenant-data/deletion/tenant-deletion.service.js';
export { TenantDeletionRepository } from '../../src/operations/tenant-data/deletion/tenant-deletion.repository.js';
export { BuyerLinksService } from '../../src/licensing/buyer/index.js';
export { RestoresService } from '../../src/licensing/buying/index.js';
export { Sealer } from '../../src/common/sealing/index.js';
export { ListingsWorker, ReviewsReader } from '../../src/listings/index.js';
export { ImportWorker, LicenseExpiryService, TrialUpkeepService } from '../../src/licensing/index.js';
export { CodeClaimsService } from '../../src/licensing/delivery/index.js';
export { GiftsService } from '../../src/licensing/gifts/index.js';
export { SeatCheckBatch } from '../../src/licensing/seats/seat-check-batch.js';
export { composeMail, MailDeliveryWorker, OutboxService } from '../../src/platform/mail/index.js';
export { ExpiryWarningsService, NotificationsService, WebhookDeliveryWorker } from '../../src/notifications/index.js';
export { DeliveryAttemptsService } from '../../src/notifications/deliveries/delivery-attempts.service.js';
export { PROCESSOR_IDS } from '../../src/payments/index.js';
export { makeProcessors } from '../../src/payments/adapters.js';
export { Processors } from '../../src/payments/processors.js';
export { EventsService } from '../../src/registry/index.js';
export { LostKeys, verifyKeys } from '../../src/platform/keys/index.js';
export { ChromeStore } from '../../src/stores/chrome/chrome.store.js';
export { EdgeStore } from '../../src/stores/edge/edge.store.js';
export { FirefoxStore } from '../../src/stores/firefox/firefox.store.js';
export {
  addressesOf,
  DEFAULT_SUBMIT_OPTIONS,
  known,
  STORE_IDS,
  StoreFailure,
  Stores,
  UNKNOWN,
} from '../../src/stores/index.js';
export { SafariStore } from '../../src/stores/safari/safari.store.js';
export { InboxService, NotificationIntake, ReturningCustomersService } from '../../src/webhooks/index.js';
export { operatorOf, type OperatorService } from './operator.js';
export { startWorld, type World } from './world.js';
