import type { LineFault } from './import-pages.service.js';
import type { ImportWord } from './reading/profile.js';
import type { CountedValue, Reading } from './reading/reading.js';

/** What is known of a file, which is sealed. */
export interface ImportFacts {
  /** The names of its columns. */
  readonly names: readonly string[];
  readonly reading: Omit<Reading, 'profile'>;
  /** What its lines are for, and the statuses that they have. */
  readonly products: readonly (CountedValue & { readonly tier: string | null })[];
  readonly statuses: readonly (CountedValue & { readonly status: ImportWord | null })[];
  readonly firstFaults: readonly LineFault[];
}

/** Faults that an import itself shows; all of them are in its CSV. */
export const SHOWN_FAULTS = 20;
/** Most products and statuses that are counted. */
export const COUNTED_VALUES = 200;

/** Counts values, of which only so many are told apart. */
export class ValueCounts {
  private readonly counts = new Map<string, number>();

  add(value: string): void {
    if (value !== '' && (this.counts.has(value) || this.counts.size < COUNTED_VALUES))
      this.counts.set(value, (this.counts.get(value) ?? 0) + 1);
  }

  /** The values, the commonest first. */
  get all(): readonly CountedValue[] {
    return [...this.counts].map(([value, lines]) => ({ value, lines })).toSorted((a, b) => b.lines - a.lines);
  }
}
