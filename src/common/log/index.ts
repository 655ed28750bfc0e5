export * from './log.js';
export * from './request-log.js';
