export * from './clock.js';
export * from './files.js';
