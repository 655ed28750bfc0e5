import type { Config } from '../../common/config/index.js';

/** The path at which browsers find these pages, also where a proxy serves the service below a path of its own. */
export const buyerPathOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  `${new URL(publicUrl).pathname.replace(/\/$/, '')}/buyer`;
