import type { components, paths } from '../../../clients/cli/src/api/schema';

/** The shapes of openapi.json by name, such as `Schemas['Extension']`; `npm run docs:openapi` writes them. */
export type Schemas = components['schemas'];
export type Paths = paths;
