import { createRequire } from 'node:module';

/** Pierhead's own version. */
export const VERSION = (createRequire(import.meta.url)('../package.json') as { readonly version: string }).version;
