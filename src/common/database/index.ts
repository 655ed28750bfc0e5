export * from './transactions.js';
export * from './data-source.js';
export * from './migrate.js';
export * from './embedded-postgres.js';
export { DataDirInUse } from './data-dir-lock.js';
export { DatabaseNotDurable } from './durable-node-fs.js';
export * from './row.js';
export * from './statements.js';
export * from './unavailable.js';
