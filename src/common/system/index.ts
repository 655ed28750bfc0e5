export * from './clock.js';
export * from './durations.js';
export * from './files.js';
export * from './version.js';
