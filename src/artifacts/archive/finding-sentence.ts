import type { StoreFinding } from '../../stores/pure.js';
import { quotable } from './archive-errors.js';

/** Characters of one finding, in which a package's own names may be long. */
const MAX_FINDING = 400;

/** A finding as a clause that can follow a colon, safe to show whatever the package holds, without a full stop. Pure. */
export const clauseOf = ({ what }: Pick<StoreFinding, 'what'>): string => quotable(what, MAX_FINDING);

/** A finding as a sentence; one that begins with a key of the manifest keeps it as it is. Pure. */
export const sentenceOf = (finding: Pick<StoreFinding, 'what'>): string =>
  `${clauseOf(finding).replace(/^[a-z]+(?= )/, (word) => word.charAt(0).toUpperCase() + word.slice(1))}.`;
