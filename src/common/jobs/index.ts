export * from './retry-at.js';
export * from './rounds.js';
