/** Who may import whom: the arrows of ARCHITECTURE.md, one line each. A folder that is not listed may import nothing of ours. */
const ARROWS = {
  common: [],
  identity: ['common'],
  registry: ['common', 'identity'],
  stores: ['common'],
  payments: ['common'],
  credentials: ['common', 'identity', 'registry', 'stores', 'payments'],
  targets: ['common', 'identity', 'registry', 'credentials', 'stores'],
  artifacts: ['common', 'identity', 'registry', 'stores', 'targets'],
  reconcile: ['common', 'identity', 'registry', 'credentials', 'stores', 'targets', 'artifacts'],
  analytics: ['common', 'identity', 'registry'],
  licensing: ['common', 'identity', 'registry'],
  mail: ['common'],
  notifications: ['common', 'identity', 'registry', 'credentials', 'targets', 'mail'],
  delivery: ['common', 'registry', 'licensing', 'mail'],
  webhooks: ['common', 'identity', 'registry', 'credentials', 'payments', 'licensing', 'delivery'],
  buyer: ['common', 'licensing', 'mail'],
  sandbox: ['common'],
};

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
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    ...arrows,
    {
      name: 'front-door-only',
      comment: "A folder is entered through its index.ts; common's rooms have doors of their own.",
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/([^/]+)/', pathNot: ['^src/$1/', '^src/common/', '^src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'decisions-are-pure',
      comment: 'What a customer could argue about is decided without IO.',
      severity: 'error',
      from: {
        path: '^src/(webhooks/(apply-payment|paid-periods|said|payment-book|license-change|licenses-owed)|delivery/code-mail|reconcile/planning/[^.]+|targets/(phase|tracks|unfitting)|common/version/version|artifacts/archive/(permission-)?warnings|analytics/(days|dimensions|ping/ping-values)|licensing/(seats/decide|leases/lease|licenses/license-status)|notifications/(kinds|expiry|verdict)|mail/(compose|smtp-failure)|common/rounds/retry-at)\\.ts$',
      },
      to: { dependencyTypes: ['npm', 'core'] },
    },
    {
      name: 'stores-keep-to-themselves',
      comment: 'One adapter never knows another.',
      severity: 'error',
      from: { path: '^src/stores/(chrome|firefox|edge|safari)/' },
      to: { path: '^src/stores/(chrome|firefox|edge|safari)/', pathNot: '^src/stores/$1/' },
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
