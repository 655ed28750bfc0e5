import type * as Service from './service.js';

/** What a worker has loaded once for all of its files: imported from `src`, these would be loaded anew, and be other classes than the service's. */
declare global {
  function loadService(): Promise<typeof Service>;
}

export type { World } from './service.js';
export type DataSource = Service.DataSource;
export type FirefoxStore = Service.FirefoxStore;
export type OperatorService = Service.OperatorService;
export type StoreFailure = Service.StoreFailure;
export const {
  allows,
  BuyerLinksService,
  ChromeStore,
  CodeClaimsService,
  CodesService,
  composeMail,
  Config,
  createSandbox,
  DataSource,
  dataSourceOptions,
  declaredProblems,
  DEFAULT_SUBMIT_OPTIONS,
  EdgeStore,
  EventsService,
  ExpiryWarningsService,
  FirefoxStore,
  HttpClient,
  InboxService,
  InstallDigest,
  known,
  LemonSqueezyProcessor,
  LostKeys,
  MailDeliveryWorker,
  migrate,
  NotificationsService,
  OperatorService,
  OutboxService,
  PackagesService,
  PasswordResetsService,
  PaddleProcessor,
  pg,
  PolarProcessor,
  PROCESSOR_IDS,
  Processors,
  RateLimits,
  readEnvironment,
  realm,
  redact,
  redactText,
  ROLE_PERMISSIONS,
  ROLES,
  ReturningCustomersService,
  RollUpService,
  RouteTable,
  SafariStore,
  SchedulerRegistry,
  SCOPES,
  SeatCheckBatch,
  SeatClaimBatch,
  verifyKeys,
  startWorld,
  Statements,
  STORE_IDS,
  StoreFailure,
  Stores,
  StripeProcessor,
  Transactions,
  UNKNOWN,
  WebhookDeliveryWorker,
} = await loadService();
