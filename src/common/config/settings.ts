import {
  atLeast,
  ciIssuers,
  domains,
  email,
  headerName,
  issuer,
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

// One constant for each section of docs/configuration.md.

const SERVER = {
  port: setting({
    name: 'PORT',
    meaning: 'Port to listen on. 0 picks a free port.',
    fallback: '3000',
    parse: wholeNumber(0, 65_535),
  }),
  host: setting({ name: 'HOST', meaning: 'Address to listen on.', fallback: '127.0.0.1', parse: atLeast(1) }),
  publicUrl: optional({
    name: 'PUBLIC_URL',
    meaning: 'URL at which browsers and payment processors reach this service. Default: http://HOST:PORT.',
    parse: url,
  }),
  trustProxy: setting({
    name: 'TRUST_PROXY',
    meaning: 'Number of proxies in front of this service. With 0, forwarded addresses are ignored.',
    fallback: '0',
    parse: wholeNumber(0, 16),
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    meaning: 'fatal, error, warn, info, debug, trace or silent.',
    fallback: 'info',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
} as const;

const DATABASE = {
  databaseUrl: optional({
    name: 'DATABASE_URL',
    meaning:
      'URL of a PostgreSQL server, version 15 to 18. Default: an embedded PostgreSQL that keeps its files in DATA_DIR.',
    secret: true,
    parse: urlOf('postgres:', 'postgresql:'),
  }),
  databasePool: setting({
    name: 'DATABASE_POOL',
    meaning: 'Largest number of database connections that this process opens.',
    fallback: '10',
    parse: wholeNumber(2, 200),
  }),
  migrateOnStart: setting({
    name: 'MIGRATE_ON_START',
    meaning: 'true or false. Whether a start brings the database schema up to date.',
    fallback: 'true',
    parse: yesOrNo,
  }),
  dataDir: setting({
    name: 'DATA_DIR',
    meaning: 'Folder for the embedded database, for packages, and for the keys that the first start generates.',
    fallback: './data',
    parse: atLeast(1),
  }),
  s3Bucket: optional({
    name: 'S3_BUCKET',
    meaning: 'Bucket for packages. Use it for nothing else. Default: packages are in DATA_DIR.',
    parse: atLeast(1),
  }),
  s3Region: setting({ name: 'S3_REGION', meaning: 'Region of the bucket.', fallback: 'us-east-1', parse: atLeast(1) }),
  s3Endpoint: optional({
    name: 'S3_ENDPOINT',
    meaning: "URL of an S3-compatible service other than Amazon's. Pierhead addresses the bucket by path.",
    parse: url,
  }),
  s3AccessKeyId: optional({
    name: 'S3_ACCESS_KEY_ID',
    meaning: "Access key of the bucket. Default: the AWS SDK's usual sources.",
    parse: text,
  }),
  s3SecretAccessKey: optional({
    name: 'S3_SECRET_ACCESS_KEY',
    meaning: 'Secret of that access key. Needs S3_ACCESS_KEY_ID.',
    secret: true,
    parse: text,
  }),
} as const;

const KEYS = {
  encryptionKeys: optional({
    name: 'ENCRYPTION_KEYS',
    meaning:
      'Comma-separated id:base64key pairs that encrypt secrets in the database. The first key encrypts, the others only decrypt. Default with the embedded database: generated once and kept in DATA_DIR. Required with DATABASE_URL.',
    secret: true,
    parse: keyRing,
  }),
  tokenSecret: optional({
    name: 'TOKEN_SECRET',
    meaning:
      'Signs access tokens. At least 32 characters. Default with the embedded database: generated once and kept in DATA_DIR. Required with DATABASE_URL.',
    secret: true,
    parse: atLeast(32),
  }),
  codePeppers: optional({
    name: 'CODE_PEPPERS',
    meaning:
      'Comma-separated id:base64key pairs that license codes are hashed with. New codes use the first key; a code under another key moves to the first when it is next used. Without its key a code is not recognized. Default with the embedded database: generated once and kept in DATA_DIR. Required with DATABASE_URL.',
    secret: true,
    parse: keyRing,
  }),
} as const;

const TENANTS = {
  signup: optional({
    name: 'SIGNUP',
    meaning: 'open or closed. Default: open until the first tenant exists, then closed.',
    parse: oneOf('open', 'closed'),
  }),
  bootstrapEmail: optional({
    name: 'BOOTSTRAP_EMAIL',
    meaning:
      'E-mail address of a first user, created at start if the database has no tenant. Needs BOOTSTRAP_PASSWORD.',
    parse: email,
  }),
  bootstrapPassword: optional({
    name: 'BOOTSTRAP_PASSWORD',
    meaning: 'Password of that first user. At least 10 characters, and not one of the commonest passwords.',
    secret: true,
    parse: atLeast(10),
  }),
  tenantPlans: setting({
    name: 'TENANT_PLANS',
    meaning:
      'Comma-separated name:limit pairs. The limit is how many extensions a tenant on that plan may have; 0 means no limit.',
    fallback: 'starter:3,standard:20,unlimited:0',
    parse: tenantPlans,
  }),
  defaultTenantPlan: setting({
    name: 'DEFAULT_TENANT_PLAN',
    meaning: 'Plan of a new tenant.',
    fallback: 'standard',
    parse: atLeast(1),
  }),
  maxAccessTokens: setting({
    name: 'MAX_ACCESS_TOKENS',
    meaning: 'Largest number of access tokens of a tenant. Expired tokens do not count.',
    fallback: '100',
    parse: wholeNumber(1, 1_000_000),
  }),
  ciIssuers: setting({
    name: 'CI_ISSUERS',
    meaning:
      'Comma-separated issuers of OpenID Connect tokens that CI jobs may trade for access tokens. https only, unless the issuer is on this machine.',
    fallback: 'https://token.actions.githubusercontent.com,https://gitlab.com',
    parse: ciIssuers,
  }),
  maxMembers: setting({
    name: 'MAX_MEMBERS',
    meaning: 'Largest number of members of a tenant, open invitations included.',
    fallback: '100',
    parse: wholeNumber(1, 1_000_000),
  }),
  maxTargetsPerExtension: setting({
    name: 'MAX_TARGETS_PER_EXTENSION',
    meaning: 'Largest number of targets of an extension.',
    fallback: '20',
    parse: wholeNumber(4, 1_000_000),
  }),
  maxPlansPerExtension: setting({
    name: 'MAX_PLANS_PER_EXTENSION',
    meaning: 'Largest number of plans of an extension.',
    fallback: '50',
    parse: wholeNumber(1, 1_000_000),
  }),
  artifactMaxBytes: setting({
    name: 'ARTIFACT_MAX_BYTES',
    meaning: 'Largest package that can be pushed, in bytes.',
    fallback: '200000000',
    parse: wholeNumber(1, 2_147_483_647),
  }),
  maxUploadsAtOnce: setting({
    name: 'MAX_UPLOADS_AT_ONCE',
    meaning: 'Packages and source archives that one tenant can send to one process at the same time.',
    fallback: '4',
    parse: wholeNumber(1, 1_000_000),
  }),
  maxStoredBytes: setting({
    name: 'MAX_STORED_BYTES',
    meaning: 'Bytes of packages and source archives that a tenant can store. Identical content counts once.',
    fallback: '10000000000',
    parse: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  }),
} as const;

const SIGN_IN = {
  passwordLogin: setting({
    name: 'PASSWORD_LOGIN',
    meaning:
      'on or off. Whether users can log in, sign up and reset their password with a password. off needs OIDC_ISSUER.',
    fallback: 'on',
    parse: oneOf('on', 'off'),
  }),
  oidcIssuer: optional({
    name: 'OIDC_ISSUER',
    meaning:
      'Issuer of an OpenID Connect provider with which users sign in, exactly as the provider writes it. Needs OIDC_CLIENT_ID. Default: no such sign-in.',
    parse: issuer,
  }),
  oidcClientId: optional({
    name: 'OIDC_CLIENT_ID',
    meaning:
      'Client id of this service at that provider. Register PUBLIC_URL followed by /api/v1/auth/oidc/callback as its redirect URI.',
    parse: text,
  }),
  oidcClientSecret: optional({
    name: 'OIDC_CLIENT_SECRET',
    meaning: 'Secret of that client. Default: a public client, protected by PKCE alone.',
    secret: true,
    parse: text,
  }),
  oidcName: optional({
    name: 'OIDC_NAME',
    meaning: 'Name of the provider on the button, such as Google. Default: the host of OIDC_ISSUER.',
    parse: text,
  }),
  oidcAllowedDomains: optional({
    name: 'OIDC_ALLOWED_DOMAINS',
    meaning:
      'Comma-separated mail domains. Only users with a verified e-mail address in one of them sign in through the provider. Default: any domain.',
    parse: domains,
  }),
  oidcSignup: setting({
    name: 'OIDC_SIGNUP',
    meaning:
      'invited or create. Whether a person without an account needs an invitation to sign in through the provider, or gets a tenant of their own.',
    fallback: 'invited',
    parse: oneOf('invited', 'create'),
  }),
} as const;

const PUBLISHING = {
  reconcileEverySeconds: setting({
    name: 'RECONCILE_EVERY_SECONDS',
    meaning:
      'Seconds between two searches for due work: targets, mails and webhooks. New work starts after a sixtieth of that time.',
    fallback: '30',
    parse: wholeNumber(1, 86_400),
  }),
  reconcileConcurrency: setting({
    name: 'RECONCILE_CONCURRENCY',
    meaning: 'Number of targets that this process works on at the same time.',
    fallback: '4',
    parse: wholeNumber(1, 64),
  }),
  reviewCheckSeconds: setting({
    name: 'REVIEW_CHECK_SECONDS',
    meaning: 'Seconds between the first two checks of a review. The interval grows to six times as long.',
    fallback: '600',
    parse: wholeNumber(1, 86_400),
  }),
  stalledAfterHours: setting({
    name: 'STALLED_AFTER_HOURS',
    meaning: 'Hours without progress towards a review or a release after which a target notifies you, once.',
    fallback: '24',
    parse: wholeNumber(1, 720),
  }),
} as const;

const MAIL = {
  smtpUrl: optional({
    name: 'SMTP_URL',
    meaning:
      'Mail server, smtp://user:password@host:587 or smtps://…. Needs MAIL_FROM. Default: mails wait, encrypted, until a mail server is set.',
    secret: true,
    parse: urlOf('smtp:', 'smtps:'),
  }),
  mailFrom: optional({
    name: 'MAIL_FROM',
    meaning: 'Sender of all mails, such as Pierhead <pierhead@example.com>. Needs SMTP_URL.',
    parse: mailbox,
  }),
  mailsByHandPerTenant: setting({
    name: 'MAILS_BY_HAND_PER_TENANT',
    meaning:
      'Mails per day that one tenant can send by a request of its own: codes sent again, and confirmations of addresses.',
    fallback: '100',
    parse: wholeNumber(1, 1_000_000),
  }),
  mailsByHandPerRecipient: setting({
    name: 'MAILS_BY_HAND_PER_RECIPIENT',
    meaning: 'Such mails per day to one address, from all tenants together.',
    fallback: '5',
    parse: wholeNumber(1, 1_000_000),
  }),
  webhookPrivateAddresses: setting({
    name: 'WEBHOOK_PRIVATE_ADDRESSES',
    meaning: "refuse or allow. Whether tenants' webhooks may go to private addresses in your network.",
    fallback: 'refuse',
    parse: oneOf('refuse', 'allow'),
  }),
} as const;

const PAYMENTS = {
  dunningGraceDays: setting({
    name: 'DUNNING_GRACE_DAYS',
    meaning: 'Days for which a license outlasts its paid period while a payment fails or is pending.',
    fallback: '7',
    parse: wholeNumber(0, 90),
  }),
  webhookHeldBytes: setting({
    name: 'WEBHOOK_HELD_BYTES',
    meaning:
      'Memory in bytes for payment notifications that are being received, of which one address and one tenant may hold a quarter. One that does not fit gets 503, and its processor sends it again.',
    fallback: '64000000',
    parse: wholeNumber(16_000_000, 2_147_483_647),
  }),
} as const;

const ANALYTICS = {
  analyticsEverySeconds: setting({
    name: 'ANALYTICS_EVERY_SECONDS',
    meaning: 'Seconds between two updates of the analytics figures.',
    fallback: '10',
    parse: wholeNumber(1, 86_400),
  }),
  analyticsInstallsPerAddress: setting({
    name: 'ANALYTICS_INSTALLS_PER_ADDRESS',
    meaning:
      'Installs of one extension that count per day from one IP address. Further installs get the same answer and are not counted.',
    fallback: '50',
    parse: wholeNumber(1, 60_000),
  }),
  countryHeader: optional({
    name: 'COUNTRY_HEADER',
    meaning:
      'Request header in which your proxy names the country of the client, such as cf-ipcountry. Ignored while TRUST_PROXY is 0.',
    parse: headerName,
  }),
  countryMmdb: optional({
    name: 'COUNTRY_MMDB',
    meaning: 'Path of a MaxMind DB file that maps IP addresses to countries. Default: a small built-in table for IPv4.',
    parse: text,
  }),
} as const;

const LIMITS = {
  rateLimits: setting({
    name: 'RATE_LIMITS',
    meaning: 'on or off. off lifts every rate limit.',
    fallback: 'on',
    parse: oneOf('on', 'off'),
  }),
  redisUrl: optional({
    name: 'REDIS_URL',
    meaning:
      'Redis server that counts rate limits for all processes together. Default: each process counts for itself.',
    secret: true,
    parse: urlOf('redis:', 'rediss:'),
  }),
  rateLimitLoginPerEmail: setting({
    name: 'RATE_LIMIT_LOGIN_PER_EMAIL',
    meaning:
      'Failed log-ins within 15 minutes for one e-mail address from one IP address. After that, each attempt waits for up to a minute. After ten times as many failures from all addresses, answers take up to 4 seconds.',
    fallback: '10',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitLoginPerAddress: setting({
    name: 'RATE_LIMIT_LOGIN_PER_ADDRESS',
    meaning: 'Log-ins and sign-ups per minute from one IP address.',
    fallback: '20',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitCiPerAddress: setting({
    name: 'RATE_LIMIT_CI_PER_ADDRESS',
    meaning: 'Trades of CI tokens per minute from one IP address.',
    fallback: '60',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitPasswordResetsPerEmail: setting({
    name: 'RATE_LIMIT_PASSWORD_RESETS_PER_EMAIL',
    meaning:
      'Links for a new password within 10 minutes for one e-mail address. After that, the address gets none for 10 minutes.',
    fallback: '5',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitActivatePerAddress: setting({
    name: 'RATE_LIMIT_ACTIVATE_PER_ADDRESS',
    meaning: 'Activations per minute from one IP address, and as many releases of a device.',
    fallback: '20',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitActivatePerCode: setting({
    name: 'RATE_LIMIT_ACTIVATE_PER_CODE',
    meaning: 'Activations per minute with one license code, and as many releases of a device.',
    fallback: '10',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitCheckPerAddress: setting({
    name: 'RATE_LIMIT_CHECK_PER_ADDRESS',
    meaning: 'License checks per minute from one IP address, and as many reads of lease keys.',
    fallback: '120',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitUnknownCodesPerAddress: setting({
    name: 'RATE_LIMIT_UNKNOWN_CODES_PER_ADDRESS',
    meaning:
      'Unknown license codes within 10 minutes from one IP address. After that, the address is blocked for 10 minutes.',
    fallback: '20',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitClaimPerAddress: setting({
    name: 'RATE_LIMIT_CLAIM_PER_ADDRESS',
    meaning: 'Claims of a license code per minute from one IP address.',
    fallback: '30',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitBuyerPerAddress: setting({
    name: 'RATE_LIMIT_BUYER_PER_ADDRESS',
    meaning: "Forms of the buyers' page per minute from one IP address, and as many confirmations of mail addresses.",
    fallback: '20',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitBuyerLinksPerEmail: setting({
    name: 'RATE_LIMIT_BUYER_LINKS_PER_EMAIL',
    meaning:
      "Links to the buyers' page within 10 minutes for one e-mail address. After that, the address gets none for 10 minutes.",
    fallback: '5',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitBadSignatures: setting({
    name: 'RATE_LIMIT_BAD_SIGNATURES',
    meaning:
      'Payment notifications with a bad signature per minute from one IP address to one tenant. After that, the address is blocked for a minute.',
    fallback: '60',
    parse: wholeNumber(1, 1_000_000),
  }),
  rateLimitPingPerAddress: setting({
    name: 'RATE_LIMIT_PING_PER_ADDRESS',
    meaning: 'Analytics pings per minute from one IP address.',
    fallback: '60',
    parse: wholeNumber(1, 1_000_000),
  }),
} as const;

const ADDRESSES = {
  chromeApiUrl: setting({
    name: 'CHROME_API_URL',
    meaning: 'Chrome Web Store API.',
    fallback: 'https://chromewebstore.googleapis.com',
    parse: url,
  }),
  chromeTokenUrl: setting({
    name: 'CHROME_TOKEN_URL',
    meaning: "Google's token endpoint, as a complete URL.",
    fallback: 'https://oauth2.googleapis.com/token',
    parse: url,
  }),
  chromeUpdateUrl: setting({
    name: 'CHROME_UPDATE_URL',
    meaning: "Chrome's update service, which confirms what is live.",
    fallback: 'https://clients2.google.com/service/update2/crx',
    parse: url,
  }),
  amoApiUrl: setting({
    name: 'AMO_API_URL',
    meaning: 'API of addons.mozilla.org, including the version.',
    fallback: 'https://addons.mozilla.org/api/v5/',
    parse: url,
  }),
  edgeApiUrl: setting({
    name: 'EDGE_API_URL',
    meaning: 'API of Microsoft Edge Add-ons.',
    fallback: 'https://api.addons.microsoftedge.microsoft.com',
    parse: url,
  }),
  edgePublicUrl: setting({
    name: 'EDGE_PUBLIC_URL',
    meaning: 'Public site of Microsoft Edge Add-ons, which shows what is live.',
    fallback: 'https://microsoftedge.microsoft.com',
    parse: url,
  }),
  ascApiUrl: setting({
    name: 'ASC_API_URL',
    meaning: 'App Store Connect API.',
    fallback: 'https://api.appstoreconnect.apple.com',
    parse: url,
  }),
  stripeApiUrl: setting({
    name: 'STRIPE_API_URL',
    meaning: 'Stripe API.',
    fallback: 'https://api.stripe.com',
    parse: url,
  }),
  paddleApiUrl: setting({
    name: 'PADDLE_API_URL',
    meaning: 'Paddle API. For its sandbox: https://sandbox-api.paddle.com',
    fallback: 'https://api.paddle.com',
    parse: url,
  }),
  lemonsqueezyApiUrl: setting({
    name: 'LEMONSQUEEZY_API_URL',
    meaning: 'Lemon Squeezy API.',
    fallback: 'https://api.lemonsqueezy.com',
    parse: url,
  }),
  polarApiUrl: setting({
    name: 'POLAR_API_URL',
    meaning: 'Polar API. For its sandbox: https://sandbox-api.polar.sh',
    fallback: 'https://api.polar.sh',
    parse: url,
  }),
} as const;

const AUDIT = {
  auditRetentionDays: setting({
    name: 'AUDIT_RETENTION_DAYS',
    meaning: 'Days for which entries of the audit log are kept.',
    fallback: '400',
    parse: wholeNumber(1, 36_500),
  }),
} as const;

/** Every variable that Pierhead reads. */
export const SETTINGS = {
  ...SERVER,
  ...DATABASE,
  ...KEYS,
  ...TENANTS,
  ...SIGN_IN,
  ...PUBLISHING,
  ...MAIL,
  ...PAYMENTS,
  ...ANALYTICS,
  ...AUDIT,
  ...LIMITS,
  ...ADDRESSES,
} as const;

/** The same, as `.env.example` and docs/configuration.md show them. */
export const SECTIONS: readonly { readonly title: string; readonly settings: readonly Setting<unknown>[] }[] = [
  { title: 'Server', settings: Object.values(SERVER) },
  { title: 'Database and files', settings: Object.values(DATABASE) },
  { title: 'Keys', settings: Object.values(KEYS) },
  { title: 'Tenants', settings: Object.values(TENANTS) },
  { title: 'Sign-in', settings: Object.values(SIGN_IN) },
  { title: 'Publishing', settings: Object.values(PUBLISHING) },
  { title: 'Mail and webhooks', settings: Object.values(MAIL) },
  { title: 'Payments', settings: Object.values(PAYMENTS) },
  { title: 'Analytics', settings: Object.values(ANALYTICS) },
  { title: 'Audit log', settings: Object.values(AUDIT) },
  { title: 'Rate limits', settings: Object.values(LIMITS) },
  { title: 'Stores and payment processors', settings: Object.values(ADDRESSES) },
];

export type SettingName = keyof typeof SETTINGS;
