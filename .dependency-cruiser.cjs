/** Who may import whom: the arrows of ARCHITECTURE.md, one line each. A folder that is not listed may import nothing of ours. */
const ARROWS = {
  common: [],
  keys: ['common'],
  identity: ['common', 'mail'],
  admin: ['common', 'identity'],
  registry: ['common', 'identity'],
  stores: ['common'],
  payments: ['common'],
  credentials: ['common', 'identity', 'registry', 'stores', 'payments'],
  targets: ['common', 'identity', 'registry', 'credentials', 'stores'],
  artifacts: ['common', 'identity', 'registry', 'stores', 'targets'],
  reconcile: ['common', 'identity', 'registry', 'credentials', 'stores', 'targets', 'artifacts'],
  analytics: ['common', 'identity', 'registry'],
  licensing: ['common', 'identity', 'registry', 'mail'],
  mail: ['common'],
  notifications: ['common', 'identity', 'registry', 'credentials', 'targets', 'mail'],
  leaving: ['common', 'identity', 'registry', 'mail'],
  webhooks: ['common', 'identity', 'credentials', 'payments', 'licensing'],
};

/** What a customer could argue about is decided without IO, in these files. */
const DECISIONS = [
  'identity/access-tokens/client-name',
  'identity/ci/(ci-run|ref-pattern|trust)',
  'identity/(passwords/password-rule|sessions/session-lifetime)',
  'webhooks/ledger/(apply-payment|paid-periods|dated|payment-ledger)',
  'webhooks/purchases/(license-change|licenses-owed)',
  'licensing/delivery/code-mail',
  'licensing/leases/lease',
  'licensing/licenses/license-status',
  'licensing/seats/(activation-rule|seat-claims)',
  'reconcile/planning/[^.]+',
  'targets/status/(phase|platform-status)',
  'targets/unsupported-settings',
  'stores/version',
  'artifacts/archive/warnings/(permission-)?warnings',
  'analytics/(days|dimensions|ping/ping-values)',
  'notifications/kinds',
  'notifications/(expiry/expiry|deliveries/delivery-result)',
  'mail/(compose|smtp-failure)',
  'common/jobs/next-attempt',
];

const arrows = Object.entries(ARROWS).map(([folder, allowed]) => ({
  name: `arrows-of-${folder}`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: [folder, ...allowed].map((name) => `^src/${name}/`) },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...arrows,
    {
      name: 'sandbox-apart',
      comment: 'The stand-ins share no code with what they stand in for.',
      severity: 'error',
      from: { path: '^sandbox/' },
      to: { path: '^src/' },
    },
    {
      name: 'service-apart',
      comment: 'Nothing of the sandbox goes into the service.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(sandbox|clients)/' },
    },
    {
      name: 'common-front-door-only',
      comment: 'A room of common is entered through its index.ts.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/common/([^/]+)/|\\.spec\\.ts$' },
      to: { path: '^src/common/[^/]+/', pathNot: '^src/common/[^/]+/index\\.ts$' },
    },
    {
      name: 'rooms-of-common-front-door-only',
      comment: 'Also from another room of common.',
      severity: 'error',
      from: { path: '^src/common/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/common/([^/]+)/', pathNot: '^src/common/($1/|[^/]+/index\\.ts$)' },
    },
    {
      name: 'front-door-only',
      comment: "A folder is entered through its index.ts; common's rooms have doors of their own.",
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/([^/]+)/', pathNot: ['^src/$1/', '^src/common/', '^src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'decisions-are-pure',
      severity: 'error',
      from: {
        path: `^src/(${DECISIONS.join('|')})\\.ts$`,
      },
      to: { dependencyTypes: ['npm', 'core'] },
    },
    {
      name: 'services-hold-rules',
      comment: 'A service knows neither the request nor how rows are read: it has DTOs and repositories.',
      severity: 'error',
      from: { path: '\\.service\\.ts$', pathNot: '/(health|password-login)\\.service\\.ts$' },
      to: { path: '^(http|https|node:https?)$|node_modules/(@types/)?(express|typeorm)/' },
    },
    {
      name: 'stores-keep-to-themselves',
      comment: 'One adapter never knows another.',
      severity: 'error',
      from: { path: '^src/stores/([^/]+)/' },
      to: { path: '^src/stores/[^/]+/', pathNot: '^src/stores/($1|failures)/' },
    },
    {
      name: 'processors-keep-to-themselves',
      comment: 'One adapter never knows another.',
      severity: 'error',
      from: { path: '^src/payments/(stripe|paddle|lemonsqueezy|polar)/' },
      to: { path: '^src/payments/(stripe|paddle|lemonsqueezy|polar)/', pathNot: '^src/payments/$1/' },
    },
    {
      name: 'no-tests-in-sources',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^test/|\\.spec\\.ts$' },
    },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: '\\.spec\\.ts$' }, to: {} },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, path: '^[.]' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
