export * from './escape.js';
export * from './markup.js';
export * from './page.js';
export * from './page-headers.js';
