/** Who may import whom: the arrows of ARCHITECTURE.md, one line each. A folder that is not listed may import nothing of ours. */
const DOMAINS = {
  registry: ['platform/access'],
  stores: [],
  payments: [],
  credentials: ['registry', 'stores', 'payments'],
  targets: ['registry', 'credentials', 'stores'],
  artifacts: ['registry', 'stores', 'targets'],
  reconcile: ['registry', 'credentials', 'stores', 'targets', 'artifacts'],
  analytics: ['registry', 'stores'],
  listings: ['registry', 'credentials', 'stores', 'targets', 'reconcile', 'analytics'],
  licensing: ['registry', 'platform/mail'],
  notifications: ['registry', 'credentials', 'targets', 'licensing', 'platform/access', 'platform/mail'],
  webhooks: ['registry', 'credentials', 'payments', 'licensing', 'notifications'],
};
const ACCOUNTABLE = ['common', 'platform/accounts', 'platform/audit'];
const LEAVES = new Set(['stores', 'payments']);
const ARROWS = {
  common: [],
  'platform/keys': ['common'],
  'platform/audit': ['common'],
  'platform/mail': ['common'],
  'platform/accounts': ['common', 'platform/audit', 'platform/mail'],
  'platform/access': ['common', 'platform/audit', 'platform/accounts'],
  'platform/sign-in': ['common', 'platform/audit', 'platform/accounts', 'platform/access'],
  ...Object.fromEntries(
    Object.entries(DOMAINS).map(([domain, domains]) => [
      domain,
      [...(LEAVES.has(domain) ? ['common'] : ACCOUNTABLE), ...domains],
    ]),
  ),
  'operations/console': [...ACCOUNTABLE, 'platform/sign-in', 'registry'],
  'operations/documents': ['common'],
  'operations/doctor': ['common', 'platform/keys', 'platform/mail', 'stores'],
  'operations/backup': ['common', 'platform/keys'],
  'operations/instance': [...ACCOUNTABLE, 'platform/keys', 'platform/mail', 'operations/backup'],
  'operations/admin': [...ACCOUNTABLE, 'platform/sign-in', 'registry', 'operations/backup'],
  'operations/overview': ['common', 'platform/access', 'stores', 'payments', 'targets', 'licensing'],
  'operations/tenant-data': [...ACCOUNTABLE, 'registry', 'platform/mail'],
  commands: ['common', 'platform/keys', 'operations/admin', 'operations/backup', 'operations/doctor'],
};

/** A folder of src, or one of its two that only hold others. */
const FOLDER = '(?:platform/|operations/)?[^/]+';

/**
 * What a folder is entered by: index.ts; or pure.ts, where there is one, for what is decided. It offers what needs neither Nest nor TypeORM,
 * so that a decision's tests load no framework.
 */
const ENTRY_POINT = '(index|pure)\\.ts$';
const WITH_PURE_ENTRY = [
  'stores',
  'reconcile/releases',
  'targets',
  'analytics',
  'licensing',
  'common/(access|fields|http|jobs|net)',
];

/** What a customer could argue about is decided without IO, in these files. */
const DECISIONS = [
  'platform/accounts/(passwords/password-rule|sessions/session-lifetime|members/member-rules)',
  'platform/access/access-tokens/client-name',
  'platform/access/(ci-tokens/ci-run|ci-trust/(ref-pattern|trust))',
  'platform/sign-in/oidc/admission',
  'platform/audit/(changes|subjects)',
  'webhooks/ledger/(apply-payment|by-tenant|charges|figures|paid-periods|dated|payment-ledger)',
  'webhooks/(purchases/(license-change|licenses-owed)|inbox/hide-claim-token)',
  'licensing/(delivery/code-mail|bulk/(bulk-rule|decide-lines))',
  'licensing/leases/lease',
  'licensing/licenses/license-status',
  'licensing/events/license-event',
  'licensing/seats/activation-rule',
  'reconcile/planning/[^.]+',
  'reconcile/releases/(release-state|release-display|step)',
  'reconcile/refusals/refusal-words',
  'artifacts/findings/holding',
  'targets/status/(phase|platform-status|target-status)',
  'targets/unsupported-settings',
  'stores/version',
  'stores/[^/]+/[^/]+\\.(states|errors|linter)',
  'payments/[^/]+/[^/]+\\.events',
  'operations/backup/(retention|backup-status)',
  'artifacts/archive/warnings/(permission-)?warnings',
  'listings/(next-reading|figures/store-report|reviews/(review-changes|low-rating|answer-state))',
  'analytics/(days|dimensions|ping/ping-values)',
  'notifications/kinds',
  'notifications/licenses/license-words',
  'notifications/(expiry/expiry|deliveries/delivery-result)',
  'operations/overview/(rights|stream/changes|needs/needs|search/search-terms)',
  'platform/mail/(compose|smtp-failure)',
  'common/jobs/next-attempt',
];

/** The one file of the clients that knows the rules about packages. */
const RULES_OF_CLIENTS = 'clients/cli/src/preflight/rules\\.ts';

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
      name: 'clients-apart',
      comment:
        'Clients know the service by its API alone. The rules about packages are the same on both sides because there is one of each: the command line client enters by two pure doors, in one file.',
      severity: 'error',
      from: { path: '^clients/', pathNot: `^${RULES_OF_CLIENTS}$` },
      to: { path: '^(src|sandbox|test)/' },
    },
    {
      name: 'clients-rules-only',
      comment: 'What that file may import; the bundle must contain no framework.',
      severity: 'error',
      from: { path: `^${RULES_OF_CLIENTS}$` },
      to: { path: '^(src|sandbox|test)/', pathNot: '^src/(artifacts/archive|stores)/pure\\.ts$' },
    },
    {
      name: 'console-apart',
      comment:
        'The console knows the service by its API alone, whose types and facts are generated once. The workflow for CI is that of the command line client, the colours are those of the pages of the service.',
      severity: 'error',
      from: { path: '^console/' },
      to: {
        path: '^(src|sandbox|test|clients)/',
        pathNot:
          '^(clients/cli/src/(api/(catalog|processors|schema)|connecting/workflow)\\.ts|src/common/http/tokens\\.css)$',
      },
    },
    {
      name: 'pages-apart',
      comment: 'A page of the console imports no other page; what two share is in ui, api, session or frame.',
      severity: 'error',
      from: { path: '^console/src/pages/([^/]+)/' },
      to: { path: '^console/src/pages/', pathNot: '^console/src/pages/$1/' },
    },
    {
      name: 'console-built-in',
      comment: 'Nothing of the console is loaded by the service: it serves what was built.',
      severity: 'error',
      from: { path: '^(src|sandbox|clients)/' },
      to: { path: '^console/' },
    },
    {
      name: 'common-entry-points-only',
      comment: 'A folder of common is imported by its entry points.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/common/([^/]+)/|\\.spec\\.ts$' },
      to: { path: '^src/common/[^/]+/', pathNot: `^src/common/[^/]+/${ENTRY_POINT}` },
    },
    {
      name: 'folders-of-common-entry-points-only',
      comment: 'Also from another folder of common.',
      severity: 'error',
      from: { path: '^src/common/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/common/([^/]+)/', pathNot: `^src/common/($1/|[^/]+/${ENTRY_POINT})` },
    },
    {
      name: 'entry-points-only',
      comment: 'A folder is imported by its entry points; those of common have their own.',
      severity: 'error',
      from: { path: `^src/(${FOLDER})/` },
      to: { path: `^src/(${FOLDER})/`, pathNot: ['^src/$1/', '^src/common/', `^src/${FOLDER}/${ENTRY_POINT}`] },
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
      name: 'decisions-import-pure-entry-points',
      comment: 'Types may come from index.ts, since they load nothing.',
      severity: 'error',
      from: { path: `^src/(${DECISIONS.join('|')})\\.ts$` },
      to: { path: `^src/(${WITH_PURE_ENTRY.join('|')})/index\\.ts$`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pure-entry-points-stay-pure',
      severity: 'error',
      from: { path: '/pure\\.ts$' },
      to: {
        path: '\\.(module|controller|service|repository|entity|dto|guard|decorator)\\.ts$|/index\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'packages-are-read-by-tasks',
      comment: 'Reading the inside of a package would hold up the process.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/artifacts/(archive/|package\\.tasks\\.ts$)|\\.spec\\.ts$' },
      to: { path: '^src/artifacts/archive/(inspect-archive\\.ts$|app/|zip/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'services-hold-rules',
      comment: 'A service knows neither the request nor how rows are read: it has DTOs and repositories.',
      severity: 'error',
      from: { path: '\\.service\\.ts$', pathNot: '/health\\.service\\.ts$' },
      to: { path: '^(http|https|node:https?)$|node_modules/(@types/)?(express|typeorm)/' },
    },
    {
      name: 'stores-keep-to-themselves',
      comment: 'One adapter never knows another.',
      severity: 'error',
      from: { path: '^src/stores/([^/]+)/' },
      to: { path: '^src/stores/[^/]+/', pathNot: '^src/stores/($1|failures|preflight)/' },
    },
    {
      name: 'processors-keep-to-themselves',
      comment: 'One adapter never knows another.',
      severity: 'error',
      from: { path: '^src/payments/([^/]+)/' },
      to: { path: '^src/payments/[^/]+/', pathNot: '^src/payments/$1/' },
    },
    {
      name: 'no-tests-in-sources',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^test/|\\.spec\\.ts$' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: '\\.spec\\.ts$|^clients/licensing/' },
      to: {},
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, path: '^[.]' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
