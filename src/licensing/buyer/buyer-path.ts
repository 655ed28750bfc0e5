import type { Config } from '../../common/config/index.js';

/** The path of these pages as browsers see it, also behind a proxy that serves Pierhead below a path of its own. */
export const buyerPathOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  `${new URL(publicUrl).pathname.replace(/\/$/, '')}/buyer`;
