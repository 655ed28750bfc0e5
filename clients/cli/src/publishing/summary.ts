import { table } from '../terminal/table.js';
import type { Style } from '../terminal/terminal.js';
import type { Followed } from './follow.js';
import { cellOf, toned } from './standing.js';
import { targetName } from './targets.js';

/** Where each target stands in the end, with the store's own words. */
export const summary = (followed: readonly Followed[], style: Style): string =>
  table(
    followed.map(({ target }) => [targetName(target), toned(style, target, cellOf(target)), target.status.message]),
  );
