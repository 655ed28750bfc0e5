export * from './credential-shape.js';
export * from './examples.js';
export * from './fields.js';
export * from './paging.js';
export * from './pure.js';
export * from './schemas.js';
