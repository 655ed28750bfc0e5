export * from './blob-store.js';
export * from './disk-blob-store.js';
