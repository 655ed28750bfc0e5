export * from './sealer.js';
export * from './key-fingerprint.entity.js';
export * from './key-fingerprints.js';
