export * from './disk-probe.js';
export * from './health.controller.js';
export * from './health.service.js';
export * from './log.js';
export * from './metrics.js';
export * from './request-log.js';
