import {
  atLeast,
  email,
  headerName,
  keyRing,
  mailbox,
  oneOf,
  tenantPlans,
  text,
  url,
  urlOf,
  wholeNumber,
  yesOrNo,
} from './setting-values.js';

export type { IdentifiedKey } from './setting-values.js';

/** One environment variable: its name, what it means, its default as text, and how its text becomes a value. */
export interface Setting<T> {
  readonly name: string;
  readonly meaning: string;
  /** Shown in `.env.example`; `undefined` means that there is none, and the meaning says what then happens. */
  readonly fallback?: string;
  readonly secret?: boolean;
  /** Throws an Error whose message completes "NAME must …". */
  parse(text: string): T;
}

type SettingWithDefault<T> = Setting<T> & { readonly fallback: string };

const setting = <T>(definition: SettingWithDefault<T>): SettingWithDefault<T> => definition;
const optional = <T>(definition: Setting<T>): Setting<T> => definition;

/** Every variable that Pierhead reads. `.env.example` and the table in README are made from this list. */
export const SETTINGS = {
  port: setting({
    name: 'PORT',
    meaning: 'Port to listen on; 0 lets the system choose.',
    fallback: '3000',
    parse: wholeNumber(0, 65_535),
  }),
  host: setting({ name: 'HOST', meaning: 'Address to listen on.', fallback: '127.0.0.1', parse: atLeast(1) }),
  publicUrl: optional({
    name: 'PUBLIC_URL',
    meaning: 'How the outside reaches this service. Default: http://HOST:PORT.',
    parse: url,
  }),
  databaseUrl: optional({
    name: 'DATABASE_URL',
    meaning: 'PostgreSQL 15 to 18. Default: a PostgreSQL embedded in this process, kept in DATA_DIR.',
    secret: true,
    parse: urlOf('postgres:', 'postgresql:'),
  }),
  databasePool: setting({
    name: 'DATABASE_POOL',
    meaning: 'Connections to the database.',
    fallback: '10',
    parse: wholeNumber(2, 200),
  }),
  dataDir: setting({
    name: 'DATA_DIR',
    meaning: 'Folder of the embedded database, of the packages pushed and of the keys made at first start.',
    fallback: './data',
    parse: atLeast(1),
  }),
  migrateOnStart: setting({
    name: 'MIGRATE_ON_START',
    meaning: 'Bring the database schema up to date when starting.',
    fallback: 'true',
    parse: yesOrNo,
  }),
  encryptionKeys: optional({
    name: 'ENCRYPTION_KEYS',
    meaning:
      'id:base64key list that seals secrets at rest; the first is current, the others still open. Default with the embedded database: made once and kept in DATA_DIR; required otherwise.',
    secret: true,
    parse: keyRing,
  }),
  tokenSecret: optional({
    name: 'TOKEN_SECRET',
    meaning:
      'Signs access tokens; at least 32 characters. Default with the embedded database: made once and kept in DATA_DIR; required otherwise.',
    secret: true,
    parse: atLeast(32),
  }),
  codePeppers: optional({
    name: 'CODE_PEPPERS',
    meaning:
      'id:base64key list under which license codes are kept as digests; the first is current, codes under the others move to it at their next use. Default with the embedded database: made once and kept in DATA_DIR; required otherwise. Without it no code is known again.',
    secret: true,
    parse: keyRing,
  }),
  signup: optional({
    name: 'SIGNUP',
    meaning: 'open or closed. Default: open until the first tenant exists, closed from then on.',
    parse: oneOf('open', 'closed'),
  }),
  bootstrapEmail: optional({
    name: 'BOOTSTRAP_EMAIL',
    meaning: 'E-mail of a first user, made at start when the database has no tenant; needs BOOTSTRAP_PASSWORD.',
    parse: email,
  }),
  bootstrapPassword: optional({
    name: 'BOOTSTRAP_PASSWORD',
    meaning: "The first user's password, at least 10 characters.",
    secret: true,
    parse: atLeast(10),
  }),
  tenantPlans: setting({
    name: 'TENANT_PLANS',
    meaning: 'name:limit list of tenant plans; limit is the number of extensions, 0 means no limit.',
    fallback: 'starter:3,standard:20,unlimited:0',
    parse: tenantPlans,
  }),
  defaultTenantPlan: setting({
    name: 'DEFAULT_TENANT_PLAN',
    meaning: 'Plan of a new tenant.',
    fallback: 'standard',
    parse: atLeast(1),
  }),
  artifactMaxBytes: setting({
    name: 'ARTIFACT_MAX_BYTES',
    meaning: 'Largest package that may be pushed, in bytes.',
    fallback: '200000000',
    parse: wholeNumber(1, 2_147_483_647),
  }),
  maxTargetsPerExtension: setting({
    name: 'MAX_TARGETS_PER_EXTENSION',
    meaning: 'Targets that an extension may have.',
    fallback: '20',
    parse: wholeNumber(4, 1_000_000),
  }),
  maxPlansPerExtension: setting({
    name: 'MAX_PLANS_PER_EXTENSION',
    meaning: 'Plans that an extension may have.',
    fallback: '50',
    parse: wholeNumber(1, 1_000_000),
  }),
  maxAccessTokens: setting({
    name: 'MAX_ACCESS_TOKENS',
    meaning: 'Access tokens that a tenant may have; expired ones do not count.',
    fallback: '100',
    parse: wholeNumber(1, 1_000_000),
  }),
  maxUploadsAtOnce: setting({
    name: 'MAX_UPLOADS_AT_ONCE',
    meaning: 'Packages and sources that a tenant may send to one process at a time.',
    fallback: '4',
    parse: wholeNumber(1, 1_000_000),
  }),
  maxStoredBytes: setting({
    name: 'MAX_STORED_BYTES',
    meaning: 'Bytes of packages and sources that a tenant may keep; the same content counts once.',
    fallback: '10000000000',
    parse: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  }),
  s3Bucket: optional({
    name: 'S3_BUCKET',
    meaning: 'Bucket for pushed packages, used for nothing else. Default: they lie in DATA_DIR.',
    parse: atLeast(1),
  }),
  s3Region: setting({ name: 'S3_REGION', meaning: 'Region of the bucket.', fallback: 'us-east-1', parse: atLeast(1) }),
  s3Endpoint: optional({
    name: 'S3_ENDPOINT',
    meaning: "URL of an object store that is not Amazon's; it is addressed by path.",
    parse: url,
  }),
  s3AccessKeyId: optional({
    name: 'S3_ACCESS_KEY_ID',
    meaning: 'Access key of the bucket. Default: found where the AWS SDK always looks.',
    parse: text,
  }),
  s3SecretAccessKey: optional({
    name: 'S3_SECRET_ACCESS_KEY',
    meaning: 'Its secret; needs S3_ACCESS_KEY_ID.',
    secret: true,
    parse: text,
  }),
  redisUrl: optional({
    name: 'REDIS_URL',
    meaning: 'Redis that counts rate limits for all processes. Default: each process counts for itself.',
    secret: true,
    parse: urlOf('redis:', 'rediss:'),
  }),
  smtpUrl: optional({
    name: 'SMTP_URL',
    meaning:
      'Mail server, smtp://user:password@host:587 or smtps://…; needs MAIL_FROM. Default: mails wait, sealed, until there is one.',
    secret: true,
    parse: urlOf('smtp:', 'smtps:'),
  }),
  mailFrom: optional({
    name: 'MAIL_FROM',
    meaning: 'Whom mails come from, such as Pierhead <pierhead@example.com>; needs SMTP_URL.',
    parse: mailbox,
  }),
  webhookPrivateAddresses: setting({
    name: 'WEBHOOK_PRIVATE_ADDRESSES',
    meaning: "refuse or allow; whether tenants' webhooks may go to addresses inside the operator's own network.",
    fallback: 'refuse',
    parse: oneOf('refuse', 'allow'),
  }),
  rateLimits: setting({
    name: 'RATE_LIMITS',
    meaning: 'on or off; off lifts every limit.',
    fallback: 'on',
    parse: oneOf('on', 'off'),
  }),
  rateLimitLoginPerEmail: setting({
    name: 'RATE_LIMIT_LOGIN_PER_EMAIL',
    meaning:
      'Failed log-ins in 15 minutes for one e-mail from one address (IPv6: one /64); the next ones wait, up to a minute each. After ten times as many from all addresses, answers take up to 4 seconds.',
    fallback: '10',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitLoginPerAddress: setting({
    name: 'RATE_LIMIT_LOGIN_PER_ADDRESS',
    meaning: 'Log-ins and sign-ups a minute from one address (IPv6: one /64).',
    fallback: '20',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitActivatePerAddress: setting({
    name: 'RATE_LIMIT_ACTIVATE_PER_ADDRESS',
    meaning: 'Activations, and likewise releases, a minute from one address (IPv6: one /64).',
    fallback: '20',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitActivatePerCode: setting({
    name: 'RATE_LIMIT_ACTIVATE_PER_CODE',
    meaning: 'Activations, and likewise releases, a minute with one license code.',
    fallback: '10',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitCheckPerAddress: setting({
    name: 'RATE_LIMIT_CHECK_PER_ADDRESS',
    meaning: 'License checks, and likewise readings of lease keys, a minute from one address (IPv6: one /64).',
    fallback: '120',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitUnknownCodesPerAddress: setting({
    name: 'RATE_LIMIT_UNKNOWN_CODES_PER_ADDRESS',
    meaning:
      'Unknown license codes in 10 minutes from one address (IPv6: one /64); it is then shut out for 10 minutes.',
    fallback: '20',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitClaimPerAddress: setting({
    name: 'RATE_LIMIT_CLAIM_PER_ADDRESS',
    meaning: 'Claims of a code a minute from one address (IPv6: one /64).',
    fallback: '30',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitBadSignatures: setting({
    name: 'RATE_LIMIT_BAD_SIGNATURES',
    meaning:
      'Payment notifications with a bad signature a minute from one address (IPv6: one /64) to one tenant; the address is then shut out for a minute.',
    fallback: '60',
    parse: wholeNumber(1, 1_000_000),
  }),
  webhookHeldBytes: setting({
    name: 'WEBHOOK_HELD_BYTES',
    meaning:
      'Memory in bytes that payment notifications may take together while they arrive; one beyond that gets 503, and its processor sends it again.',
    fallback: '64000000',
    parse: wholeNumber(4_000_000, 2_147_483_647),
  }),
  rateLimitBuyerPerAddress: setting({
    name: 'RATE_LIMIT_BUYER_PER_ADDRESS',
    meaning:
      "Forms of the buyers' page, and likewise confirmations of addresses, a minute from one address (IPv6: one /64).",
    fallback: '20',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitBuyerLinksPerEmail: setting({
    name: 'RATE_LIMIT_BUYER_LINKS_PER_EMAIL',
    meaning: "Links to the buyers' page in 10 minutes for one e-mail; it then gets none for 10 minutes.",
    fallback: '5',
    parse: wholeNumber(1, 1_000_000),
  }),
  mailsByHandPerTenant: setting({
    name: 'MAILS_BY_HAND_PER_TENANT',
    meaning: 'Mails a day that one tenant may send by hand: codes sent again, and confirmations of addresses.',
    fallback: '100',
    parse: wholeNumber(1, 1_000_000),
  }),
  mailsByHandPerRecipient: setting({
    name: 'MAILS_BY_HAND_PER_RECIPIENT',
    meaning: 'Of these, mails a day to one address, by all tenants together.',
    fallback: '5',
    parse: wholeNumber(1, 1_000_000),
  }),
  dunningGraceDays: setting({
    name: 'DUNNING_GRACE_DAYS',
    meaning: 'Days for which a license stays good past its paid period while a payment fails or is on the way.',
    fallback: '7',
    parse: wholeNumber(0, 90),
  }),
  rateLimitPingPerAddress: setting({
    name: 'RATE_LIMIT_PING_PER_ADDRESS',
    meaning: 'Analytics pings a minute from one address (IPv6: one /64).',
    fallback: '60',
    parse: wholeNumber(1, 1_000_000),
  }),
  analyticsInstallsPerAddress: setting({
    name: 'ANALYTICS_INSTALLS_PER_ADDRESS',
    meaning:
      'Installs of one extension that count on one day from one address (IPv6: one /64); more are answered alike and not counted.',
    fallback: '50',
    parse: wholeNumber(1, 60_000),
  }),
  analyticsEverySeconds: setting({
    name: 'ANALYTICS_EVERY_SECONDS',
    meaning: 'Seconds between two readings of new pings into the figures.',
    fallback: '10',
    parse: wholeNumber(1, 86_400),
  }),
  trustProxy: setting({
    name: 'TRUST_PROXY',
    meaning: 'Number of proxies in front; forwarded addresses are believed only above 0.',
    fallback: '0',
    parse: wholeNumber(0, 16),
  }),
  countryHeader: optional({
    name: 'COUNTRY_HEADER',
    meaning:
      'Header in which the proxy in front says the country of an address, such as cf-ipcountry; believed only with TRUST_PROXY above 0.',
    parse: headerName,
  }),
  countryMmdb: optional({
    name: 'COUNTRY_MMDB',
    meaning:
      'Path of a MaxMind DB file that knows the countries of addresses. Default: a small one for IPv4 that is built in.',
    parse: text,
  }),
  reconcileEverySeconds: setting({
    name: 'RECONCILE_EVERY_SECONDS',
    meaning:
      'Seconds between two looks at what is due: targets, mails and webhooks. What has just come in is looked at after a sixtieth of it.',
    fallback: '30',
    parse: wholeNumber(1, 86_400),
  }),
  reviewCheckSeconds: setting({
    name: 'REVIEW_CHECK_SECONDS',
    meaning: 'Seconds from one look at a review to the next; they grow to six times as many.',
    fallback: '600',
    parse: wholeNumber(1, 86_400),
  }),
  stalledAfterHours: setting({
    name: 'STALLED_AFTER_HOURS',
    meaning: 'Hours without progress towards a review or a release after which a target tells so, once.',
    fallback: '24',
    parse: wholeNumber(1, 720),
  }),
  reconcileConcurrency: setting({
    name: 'RECONCILE_CONCURRENCY',
    meaning: 'Targets worked on at once by this process.',
    fallback: '4',
    parse: wholeNumber(1, 64),
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    meaning: 'fatal, error, warn, info, debug, trace or silent.',
    fallback: 'info',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
  chromeApiUrl: setting({
    name: 'CHROME_API_URL',
    meaning: 'Chrome Web Store API.',
    fallback: 'https://chromewebstore.googleapis.com',
    parse: url,
  }),
  chromeTokenUrl: setting({
    name: 'CHROME_TOKEN_URL',
    meaning: "Google's token endpoint, the whole URL.",
    fallback: 'https://oauth2.googleapis.com/token',
    parse: url,
  }),
  chromeUpdateUrl: setting({
    name: 'CHROME_UPDATE_URL',
    meaning: "Chrome's update service, the second witness of what is live.",
    fallback: 'https://clients2.google.com/service/update2/crx',
    parse: url,
  }),
  amoApiUrl: setting({
    name: 'AMO_API_URL',
    meaning: 'The API of addons.mozilla.org, with its version.',
    fallback: 'https://addons.mozilla.org/api/v5/',
    parse: url,
  }),
  edgeApiUrl: setting({
    name: 'EDGE_API_URL',
    meaning: 'The API of Microsoft Edge Add-ons.',
    fallback: 'https://api.addons.microsoftedge.microsoft.com',
    parse: url,
  }),
  edgePublicUrl: setting({
    name: 'EDGE_PUBLIC_URL',
    meaning: 'The public site of Microsoft Edge Add-ons, which says what is live.',
    fallback: 'https://microsoftedge.microsoft.com',
    parse: url,
  }),
  ascApiUrl: setting({
    name: 'ASC_API_URL',
    meaning: 'The API of App Store Connect.',
    fallback: 'https://api.appstoreconnect.apple.com',
    parse: url,
  }),
  stripeApiUrl: setting({
    name: 'STRIPE_API_URL',
    meaning: 'The API of Stripe.',
    fallback: 'https://api.stripe.com',
    parse: url,
  }),
  paddleApiUrl: setting({
    name: 'PADDLE_API_URL',
    meaning: 'The API of Paddle; https://sandbox-api.paddle.com for its sandbox.',
    fallback: 'https://api.paddle.com',
    parse: url,
  }),
  lemonsqueezyApiUrl: setting({
    name: 'LEMONSQUEEZY_API_URL',
    meaning: 'The API of Lemon Squeezy.',
    fallback: 'https://api.lemonsqueezy.com',
    parse: url,
  }),
  polarApiUrl: setting({
    name: 'POLAR_API_URL',
    meaning: 'The API of Polar; https://sandbox-api.polar.sh for its sandbox.',
    fallback: 'https://api.polar.sh',
    parse: url,
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;
