export { CrossOrigin, crossOrigin } from './cross-origin.js';
export * from './id-param.js';
export * from './json-body.js';
export * from './list-pipe.js';
export * from './problem.filter.js';
export * from './request-pipe.js';
export * from './route-table.js';
export * from './unread-body.js';
export * from './whole-json.js';
