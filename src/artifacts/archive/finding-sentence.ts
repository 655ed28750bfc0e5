import type { StoreFinding } from '../../stores/pure.js';

/** A finding as a sentence; one that begins with a key of the manifest keeps it as it is. Pure. */
export const sentenceOf = ({ what }: Pick<StoreFinding, 'what'>): string =>
  `${what.replace(/^[a-z]+(?= )/, (word) => word.charAt(0).toUpperCase() + word.slice(1))}.`;

/** A finding as the API and the command line client show it. Pure. */
export const findingView = (finding: StoreFinding) => ({
  id: finding.id,
  store: finding.store,
  code: finding.code,
  severity: finding.severity,
  message: sentenceOf(finding),
  file: finding.file,
  path: finding.path ?? null,
  source: finding.source,
});
