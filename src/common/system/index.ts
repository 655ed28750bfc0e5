export * from './clock.js';
export * from './durations.js';
export * from './files.js';
export * from './held-paths.js';
export * from './processes.js';
export * from './version.js';
