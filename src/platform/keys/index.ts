/**
 * Compares the configured keys with the fingerprints in the database before anything uses them, and moves what a retired key encrypts to the
 * current one. The service never starts with keys that its database was not written with, unless the operator accepts the loss.
 */
export { ACCEPT_LOST_KEYS, inspectKeys, LostKeys, verifyKeys, type KeyReport } from './verify-keys.js';
