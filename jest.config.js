/** Jest runs the TypeScript sources as native ES modules; SWC only strips types and emits decorator metadata. */
export default {
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  roots: ['<rootDir>/src', '<rootDir>/sandbox', '<rootDir>/clients', '<rootDir>/console/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  testTimeout: 300_000,
  maxWorkers: 2,
};
