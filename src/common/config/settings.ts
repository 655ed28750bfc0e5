import {
  ageRecipients,
  atLeast,
  ciIssuers,
  domains,
  email,
  headerName,
  issuer,
  keyRing,
  mailbox,
  oneOf,
  retention,
  tenantQuotas,
  text,
  url,
  urlOf,
  wholeNumber,
  yesOrNo,
} from './setting-values.js';

export type { IdentifiedKey } from './setting-values.js';

/** A setting before it has a name. */
interface Definition<T> {
  /** The default, as text. Without one, `meaning` says what happens when the variable is not set. */
  readonly fallback?: string;
  /** Throws an Error whose message completes "NAME must …". */
  readonly parse: (text: string) => T;
  readonly secret?: boolean;
  /** A name from before, which still works. */
  readonly formerly?: string;
  readonly meaning: string;
}

/** One environment variable: its name, its default as text, how its text becomes a value, and what it means. */
export interface Setting<T> extends Definition<T> {
  readonly name: string;
}

type Section = Readonly<Record<string, Definition<unknown>>>;

/** Names each setting: `publicUrl` is the variable `PUBLIC_URL`. */
const named = <const S extends Section>(
  section: S,
): { readonly [Key in keyof S]: S[Key] & { readonly name: string } } =>
  Object.fromEntries(
    Object.entries(section).map(([key, definition]) => [
      key,
      { ...definition, name: key.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase() },
    ]),
  ) as never;

/** A limit must admit something. */
const atLeastOne = wholeNumber(1, 1_000_000);

// One constant for each section of docs/configuration.md.

const SERVER = named({
  port: { fallback: '3000', parse: wholeNumber(0, 65_535), meaning: 'Port to listen on. 0 picks a free port.' },
  host: { fallback: '127.0.0.1', parse: atLeast(1), meaning: 'Address to listen on.' },
  publicUrl: {
    parse: url,
    meaning: 'URL at which browsers and payment processors reach this service. Default: http://HOST:PORT.',
  },
  trustProxy: {
    fallback: '0',
    parse: wholeNumber(0, 16),
    meaning: 'Number of proxies in front of this service. With 0, forwarded addresses are ignored.',
  },
  logLevel: {
    fallback: 'info',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    meaning: 'fatal, error, warn, info, debug, trace or silent.',
  },
});

const DATABASE = named({
  databaseUrl: {
    parse: urlOf('postgres:', 'postgresql:'),
    secret: true,
    meaning:
      'URL of a PostgreSQL server, version 15 to 18. Append ?pgbouncer=true for PgBouncer in transaction mode. Default: an embedded PostgreSQL that keeps its files in DATA_DIR.',
  },
  databaseReadUrl: {
    parse: urlOf('postgres:', 'postgresql:'),
    secret: true,
    meaning:
      'URL of a streaming standby of DATABASE_URL, from which reports and lists may read. While it is more than 250 ms behind or does not answer, they read from DATABASE_URL.',
  },
  databasePool: {
    fallback: '10',
    parse: wholeNumber(2, 200),
    meaning: 'Largest number of connections that this process opens to each database.',
  },
  migrateOnStart: {
    fallback: 'true',
    parse: yesOrNo,
    meaning: 'true or false. Whether the service runs pending migrations when it starts.',
  },
  allowSchemaDrift: {
    fallback: 'false',
    parse: yesOrNo,
    meaning:
      'true or false. Whether the service starts although the tables are not as its migrations make them. Tables and indexes of your own never keep it from starting.',
  },
  dataDir: {
    fallback: './data',
    parse: atLeast(1),
    meaning: 'Folder for the embedded database, for packages, and for the keys that the first start generates.',
  },
  diskMinFreePercent: {
    fallback: '1',
    parse: wholeNumber(0, 99),
    meaning: 'Share of the disk of DATA_DIR, in percent, below which /health/ready reports it as down. 0 for none.',
  },
  s3Bucket: {
    parse: atLeast(1),
    meaning: 'Bucket for packages. Use it for nothing else. Default: packages are in DATA_DIR.',
  },
  s3Region: { fallback: 'us-east-1', parse: atLeast(1), meaning: 'Region of the bucket.' },
  s3Endpoint: {
    parse: url,
    meaning: "URL of an S3-compatible service other than Amazon's. Pierhead addresses the bucket by path.",
  },
  s3AccessKeyId: { parse: text, meaning: "Access key of the bucket. Default: the AWS SDK's usual sources." },
  s3SecretAccessKey: { parse: text, secret: true, meaning: 'Secret of that access key. Needs S3_ACCESS_KEY_ID.' },
});

const KEYS = named({
  encryptionKeys: {
    parse: keyRing,
    secret: true,
    meaning:
      'Comma-separated id:base64key pairs that encrypt secrets in the database. The first key encrypts, the others only decrypt. Default with the embedded database: generated once and kept in DATA_DIR. Required with DATABASE_URL.',
  },
  tokenSecret: {
    parse: atLeast(32),
    secret: true,
    meaning:
      'Signs access tokens. At least 32 characters. Default with the embedded database: generated once and kept in DATA_DIR. Required with DATABASE_URL.',
  },
  codePeppers: {
    parse: keyRing,
    secret: true,
    meaning:
      'Comma-separated id:base64key pairs that license codes are hashed with. New codes use the first key; a code under another key moves to the first when it is next used. Without its key a code is not recognized. Default with the embedded database: generated once and kept in DATA_DIR. Required with DATABASE_URL.',
  },
});

const TENANTS = named({
  signup: {
    parse: oneOf('open', 'closed'),
    meaning: 'open or closed. Default: open until the first account exists, then closed for good.',
  },
  bootstrapEmail: {
    parse: email,
    meaning:
      'E-mail address of a first user, created at start if the database has no tenant. Needs BOOTSTRAP_PASSWORD.',
  },
  bootstrapPassword: {
    parse: atLeast(10),
    secret: true,
    meaning: 'Password of that first user. At least 10 characters, and not one of the commonest passwords.',
  },
  tenantQuotas: {
    fallback: 'starter:3,standard:20,unlimited:0',
    parse: tenantQuotas,
    formerly: 'TENANT_PLANS',
    meaning:
      'Comma-separated name:limit pairs. The limit is how many extensions a tenant with that quota may have; 0 means no limit.',
  },
  defaultTenantQuota: {
    fallback: 'standard',
    parse: atLeast(1),
    formerly: 'DEFAULT_TENANT_PLAN',
    meaning: 'Quota of a new tenant.',
  },
  maxAccessTokens: {
    fallback: '100',
    parse: atLeastOne,
    meaning: 'Largest number of access tokens of a tenant. Expired tokens do not count.',
  },
  ciIssuers: {
    fallback: 'https://token.actions.githubusercontent.com,https://gitlab.com',
    parse: ciIssuers,
    meaning:
      'Comma-separated issuers of OpenID Connect tokens that CI jobs can exchange for access tokens. https only, unless the issuer is on this machine.',
  },
  maxMembers: {
    fallback: '100',
    parse: atLeastOne,
    meaning: 'Largest number of members of a tenant, open invitations included.',
  },
  maxTargetsPerExtension: {
    fallback: '20',
    parse: wholeNumber(4, 1_000_000),
    meaning: 'Largest number of targets of an extension.',
  },
  maxPlansPerExtension: { fallback: '50', parse: atLeastOne, meaning: 'Largest number of plans of an extension.' },
  artifactMaxBytes: {
    fallback: '200000000',
    parse: wholeNumber(1, 2_147_483_647),
    meaning: 'Largest package that can be pushed, in bytes.',
  },
  maxUploadsAtOnce: {
    fallback: '4',
    parse: atLeastOne,
    meaning: 'Packages and source archives that one tenant can send to one process at the same time.',
  },
  maxStoredBytes: {
    fallback: '10000000000',
    parse: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    meaning: 'Bytes of packages and source archives that a tenant can store. Identical content counts once.',
  },
  taskSeconds: {
    fallback: '30',
    parse: wholeNumber(1, 3600),
    meaning: 'Seconds that reading one package, or a part of an imported file, may take before it is refused.',
  },
});

const SIGN_IN = named({
  passwordLogin: {
    fallback: 'on',
    parse: oneOf('on', 'off'),
    meaning:
      'on or off. Whether users can log in, sign up and reset their password with a password. off needs OIDC_ISSUER.',
  },
  oidcIssuer: {
    parse: issuer,
    meaning:
      'Issuer of an OpenID Connect provider with which users sign in, exactly as the provider writes it. Needs OIDC_CLIENT_ID. Default: no such sign-in.',
  },
  oidcClientId: {
    parse: text,
    meaning:
      'Client id of this service at that provider. Register PUBLIC_URL followed by /api/v1/auth/oidc/callback as its redirect URI.',
  },
  oidcClientSecret: {
    parse: text,
    secret: true,
    meaning: 'Secret of that client. Default: a public client, protected by PKCE alone.',
  },
  oidcName: {
    parse: text,
    meaning: 'Name of the provider on the button, such as Google. Default: the host of OIDC_ISSUER.',
  },
  oidcAllowedDomains: {
    parse: domains,
    meaning:
      'Comma-separated mail domains. Only users with a verified e-mail address in one of them sign in through the provider. Default: any domain.',
  },
  oidcSignup: {
    fallback: 'invited',
    parse: oneOf('invited', 'create'),
    meaning:
      'invited or create. Whether a person without an account needs an invitation to sign in through the provider, or gets a tenant of their own.',
  },
});

const PUBLISHING = named({
  reconcileEverySeconds: {
    fallback: '30',
    parse: wholeNumber(1, 86_400),
    meaning:
      'Seconds between two polls for due work: targets, mails and webhooks. New work starts after a sixtieth of that time.',
  },
  reconcileConcurrency: {
    fallback: '4',
    parse: wholeNumber(1, 64),
    meaning: 'Number of targets that this process works on at the same time.',
  },
  reviewCheckSeconds: {
    fallback: '600',
    parse: wholeNumber(1, 86_400),
    meaning: 'Seconds between the first two checks of a review. The interval grows to six times as long.',
  },
  stalledAfterHours: {
    fallback: '24',
    parse: wholeNumber(1, 720),
    meaning: 'Hours without progress towards a review or a release after which a target notifies you, once.',
  },
  addonsLinter: {
    parse: text,
    meaning:
      "Path of Mozilla's addons-linter, such as /usr/local/bin/addons-linter. It then judges each package for Firefox Add-ons as it is pushed, which takes seconds and up to 512 MiB. Default: Pierhead's own rules judge alone.",
  },
});

const MAIL = named({
  smtpUrl: {
    parse: urlOf('smtp:', 'smtps:'),
    secret: true,
    meaning:
      'Mail server, smtp://user:password@host:587 or smtps://…. Needs MAIL_FROM. Default: mails wait, encrypted, until a mail server is set.',
  },
  mailFrom: {
    parse: mailbox,
    meaning: 'Sender of all mails, such as Pierhead <pierhead@example.com>. Needs SMTP_URL.',
  },
  mailsByHandPerTenant: {
    fallback: '100',
    parse: atLeastOne,
    meaning: 'Mails per day that one tenant can send by hand: codes sent again, and confirmations of addresses.',
  },
  mailsByBatchPerTenant: {
    fallback: '10000',
    parse: atLeastOne,
    meaning: 'Codes per day that one tenant can have mailed by issuing many licenses at once.',
  },
  mailsByHandPerRecipient: {
    fallback: '5',
    parse: atLeastOne,
    meaning: 'Such mails per day to one address, from all tenants together.',
  },
  webhookPrivateAddresses: {
    fallback: 'refuse',
    parse: oneOf('refuse', 'allow'),
    meaning: "refuse or allow. Whether tenants' webhooks may go to private addresses in your network.",
  },
});

const PAYMENTS = named({
  dunningGraceDays: {
    fallback: '7',
    parse: wholeNumber(0, 90),
    meaning: 'Days that a license stays active after its paid period while a payment fails or is pending.',
  },
  renewalLeewayHours: {
    fallback: '72',
    parse: wholeNumber(0, 720),
    meaning:
      'Hours that a license of a subscription stays active after its paid period until its processor says whether it was renewed. A plan may have another number.',
  },
  webhookHeldBytes: {
    fallback: '64000000',
    parse: wholeNumber(16_000_000, 2_147_483_647),
    meaning:
      'Memory in bytes for payment notifications that are being received. One address, and one tenant, can use a quarter of it. A notification that does not fit gets 503, and its processor sends it again.',
  },
});

const ANALYTICS = named({
  analyticsEverySeconds: {
    fallback: '10',
    parse: wholeNumber(1, 86_400),
    meaning: 'Seconds between two updates of the analytics figures.',
  },
  analyticsInstallsPerAddress: {
    fallback: '50',
    parse: wholeNumber(1, 60_000),
    meaning:
      'Installs of one extension that count per day from one IP address. Further installs get the same answer and are not counted.',
  },
  countryHeader: {
    parse: headerName,
    meaning:
      'Request header in which your proxy names the country of the client, such as cf-ipcountry. Ignored while TRUST_PROXY is 0.',
  },
  countryMmdb: {
    parse: text,
    meaning: 'Path of a MaxMind DB file that maps IP addresses to countries. Default: a small built-in table for IPv4.',
  },
});

const LIMITS = named({
  rateLimits: { fallback: 'on', parse: oneOf('on', 'off'), meaning: 'on or off. off disables every rate limit.' },
  redisUrl: {
    parse: urlOf('redis:', 'rediss:'),
    secret: true,
    meaning:
      'Redis server that counts rate limits for all processes together. Default: each process counts for itself.',
  },
  rateLimitLoginPerEmail: {
    fallback: '10',
    parse: atLeastOne,
    meaning:
      'Failed log-ins within 15 minutes for one e-mail address from one IP address. After that, each attempt waits for up to a minute. After ten times as many failures from all addresses, answers take up to 4 seconds.',
  },
  rateLimitLoginPerAddress: {
    fallback: '20',
    parse: atLeastOne,
    meaning: 'Log-ins and sign-ups per minute from one IP address.',
  },
  rateLimitCliPollsPerAddress: {
    fallback: '120',
    parse: atLeastOne,
    meaning: 'Polls per minute from one IP address, for command-line log-ins that wait for approval in a browser.',
  },
  rateLimitCiPerAddress: {
    fallback: '60',
    parse: atLeastOne,
    meaning: 'Exchanges of CI tokens per minute from one IP address.',
  },
  rateLimitPasswordResetsPerEmail: {
    fallback: '5',
    parse: atLeastOne,
    meaning:
      'Links for a new password within 10 minutes for one e-mail address, of which a day has at most six. After that, the address gets none for 10 minutes.',
  },
  rateLimitActivatePerAddress: {
    fallback: '100',
    parse: atLeastOne,
    meaning: 'Activations per minute from one IP address, and as many releases of a device.',
  },
  rateLimitActivatePerCode: {
    fallback: '10',
    parse: atLeastOne,
    meaning: 'Activations per minute with one license code, and as many releases of a device.',
  },
  rateLimitCheckPerAddress: {
    fallback: '600',
    parse: atLeastOne,
    meaning: 'License checks per minute from one IP address, and as many reads of lease keys.',
  },
  rateLimitUnknownCodesPerDevice: {
    fallback: '20',
    parse: atLeastOne,
    meaning:
      'Unknown license codes within 10 minutes from one device behind one IP address. After that, the device is blocked for 10 minutes, unless it holds a seat. Texts that cannot be codes do not count.',
  },
  rateLimitUnknownCodesPerAddress: {
    fallback: '1000',
    parse: atLeastOne,
    meaning:
      'Unknown license codes within 10 minutes from one IP address. After that, devices behind it that hold no seat are blocked for 10 minutes.',
  },
  rateLimitClaimPerAddress: {
    fallback: '30',
    parse: atLeastOne,
    meaning: 'Claims of a license code per minute from one IP address.',
  },
  rateLimitBuyerPerAddress: {
    fallback: '20',
    parse: atLeastOne,
    meaning: "Forms of the buyers' page per minute from one IP address, and as many confirmations of mail addresses.",
  },
  rateLimitBuyerLinksPerEmail: {
    fallback: '5',
    parse: atLeastOne,
    meaning:
      "Links to the buyers' page within 10 minutes for one e-mail address, asked for from one network (/24 or /48), of which a day has at most six, and as many links to trials. After that, it gets none for 10 minutes. From all networks together, twice as many.",
  },
  trialsPerAddress: {
    fallback: '5',
    parse: wholeNumber(1, 60_000),
    meaning:
      'Trials of one extension that begin per day from one IP address, and as many links to trials that are mailed. Further ones are refused.',
  },
  trialsPerNetwork: {
    fallback: '20',
    parse: wholeNumber(1, 60_000),
    meaning:
      'Trials of one extension that begin per day from one network, the /24 of an IPv4 address or the /48 of IPv6, counted in the same way.',
  },
  trialsPerExtension: {
    fallback: '1000',
    parse: wholeNumber(1, 2_147_483_647),
    meaning:
      'Trials of one extension that begin per day from all addresses together, and as many links to trials. From 80 % on, where mail is set up, a device gets one only with an address, and one whose address is confirmed is never refused.',
  },
  rateLimitBadSignatures: {
    fallback: '60',
    parse: atLeastOne,
    meaning:
      'Payment notifications with a bad signature per minute from one IP address to one tenant. After that, the address is blocked for a minute.',
  },
  rateLimitHeavyPerTenant: {
    fallback: '120',
    parse: atLeastOne,
    meaning:
      'Imports, exports and bulk changes of licenses, and exports of the audit log, together per minute of one tenant.',
  },
  rateLimitPingPerAddress: {
    fallback: '60',
    parse: atLeastOne,
    meaning: 'Analytics pings per minute from one IP address.',
  },
});

/** The API of each payment processor. */
const PROCESSOR_APIS = {
  stripe: { fallback: 'https://api.stripe.com', parse: url, meaning: 'Stripe API.' },
  paddle: {
    fallback: 'https://api.paddle.com',
    parse: url,
    meaning: 'Paddle API. For its sandbox: https://sandbox-api.paddle.com',
  },
  lemonsqueezy: { fallback: 'https://api.lemonsqueezy.com', parse: url, meaning: 'Lemon Squeezy API.' },
  polar: {
    fallback: 'https://api.polar.sh',
    parse: url,
    meaning: 'Polar API. For its sandbox: https://sandbox-api.polar.sh',
  },
  creem: {
    fallback: 'https://api.creem.io',
    parse: url,
    meaning: 'Creem API. For its test mode: https://test-api.creem.io',
  },
  dodo: {
    fallback: 'https://live.dodopayments.com',
    parse: url,
    meaning: 'Dodo Payments API. For its test mode: https://test.dodopayments.com',
  },
};
export type ProcessorId = keyof typeof PROCESSOR_APIS;
/** Every payment processor that Pierhead knows, in the order in which it shows them. */
export const PROCESSOR_IDS = Object.keys(PROCESSOR_APIS) as readonly ProcessorId[];

/** The setting `stripeApiUrl` for `stripe`. */
const apiUrlsOf = <const S extends Section>(apis: S): { readonly [Id in keyof S & string as `${Id}ApiUrl`]: S[Id] } =>
  Object.fromEntries(Object.entries(apis).map(([id, api]) => [`${id}ApiUrl`, api])) as never;

const ADDRESSES = named({
  chromeApiUrl: { fallback: 'https://chromewebstore.googleapis.com', parse: url, meaning: 'Chrome Web Store API.' },
  chromeTokenUrl: {
    fallback: 'https://oauth2.googleapis.com/token',
    parse: url,
    meaning: "Google's token endpoint, as a complete URL.",
  },
  chromeUpdateUrl: {
    fallback: 'https://clients2.google.com/service/update2/crx',
    parse: url,
    meaning: "Chrome's update service, which confirms what is live.",
  },
  amoApiUrl: {
    fallback: 'https://addons.mozilla.org/api/v5/',
    parse: url,
    meaning: 'API of addons.mozilla.org, including the version.',
  },
  edgeApiUrl: {
    fallback: 'https://api.addons.microsoftedge.microsoft.com',
    parse: url,
    meaning: 'API of Microsoft Edge Add-ons.',
  },
  edgePublicUrl: {
    fallback: 'https://microsoftedge.microsoft.com',
    parse: url,
    meaning: 'Public site of Microsoft Edge Add-ons, which shows what is live.',
  },
  edgeUpdateUrl: {
    fallback: 'https://edge.microsoft.com/extensionwebstorebase/v1/crx',
    parse: url,
    meaning: "Edge's update service, which names the file that users get.",
  },
  ascApiUrl: { fallback: 'https://api.appstoreconnect.apple.com', parse: url, meaning: 'App Store Connect API.' },
  appStoreLookupUrl: {
    fallback: 'https://itunes.apple.com/lookup',
    parse: url,
    meaning: "Apple's public lookup of apps, which tells their ratings, as a complete URL.",
  },
  ...apiUrlsOf(PROCESSOR_APIS),
});
/** Domains of files whose addresses a store tells. */
const FILE_DOMAINS = named({
  ascReportDomains: {
    fallback: 'amazonaws.com',
    parse: domains,
    meaning: "Domains below which Apple's analytics reports may be fetched, over https only.",
  },
  ascUploadDomains: {
    fallback: 'apple.com',
    parse: domains,
    meaning: 'Domains below which App Store Connect may have a signed package sent, over https only.',
  },
});

/** A setting with the address of a store or a processor. */
export type AddressSetting = keyof typeof ADDRESSES;

const AUDIT = named({
  auditRetentionDays: {
    fallback: '400',
    parse: wholeNumber(1, 36_500),
    meaning: 'Days for which entries of the audit log are kept.',
  },
});

const BACKUPS = named({
  backupTo: {
    parse: atLeast(1),
    meaning:
      'Folder for backups, best on another disk, or bucket for the bucket of S3_BUCKET. Default: the folder backups in DATA_DIR.',
  },
  backupEveryHours: {
    parse: wholeNumber(1, 720),
    meaning: 'Hours between two scheduled backups. Default: no schedule; you run `backup`.',
  },
  backupKeep: {
    fallback: '7d4w6m',
    parse: retention,
    meaning:
      'How many days, weeks and months keep their newest backup, such as 7d4w6m. Others are deleted after each backup; those of the last 24 hours and the newest never are.',
  },
  backupRecipients: {
    parse: ageRecipients,
    meaning:
      'Comma-separated public keys of age (age1…) for which backups are encrypted. The private key is needed only to restore. Default: see BACKUP_PASSPHRASE.',
  },
  backupPassphrase: {
    parse: atLeast(10),
    secret: true,
    meaning:
      'Encrypts backups where BACKUP_RECIPIENTS is not set, and decrypts them. At least 10 characters. Default: backups are not encrypted.',
  },
});

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
  ...BACKUPS,
  ...LIMITS,
  ...ADDRESSES,
  ...FILE_DOMAINS,
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
  { title: 'Backups', settings: Object.values(BACKUPS) },
  { title: 'Rate limits', settings: Object.values(LIMITS) },
  { title: 'Stores and payment processors', settings: Object.values({ ...ADDRESSES, ...FILE_DOMAINS }) },
];

export type SettingName = keyof typeof SETTINGS;
