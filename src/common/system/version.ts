import { createRequire } from 'node:module';

/** Pierhead's version. */
export const VERSION = (createRequire(import.meta.url)('../../../package.json') as { readonly version: string })
  .version;
