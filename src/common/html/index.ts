export * from './escape.js';
