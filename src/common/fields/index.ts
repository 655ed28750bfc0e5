export * from './credential-shape.js';
export * from './fields.js';
export { foldEmail, isCleanText, isEmailAddress } from './email.js';
export * from './ids.js';
export * from './paging.js';
export * from './schemas.js';
export * from './secrets.js';
