/** Returns unknown JSON if it is an object. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** Returns unknown JSON if it is a list; otherwise an empty list. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns unknown JSON if it is text that is not blank. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Returns unknown JSON if it is a finite number. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Whether objects and lists have more entries, those of inner ones included. Counts no further than that. */
export function hasMoreEntriesThan(most: number, value: unknown): boolean {
  let left = most;
  const exceeds = (inner: unknown): boolean => {
    if (typeof inner !== 'object' || inner === null) return false;
    const entries = Object.values(inner);
    left -= entries.length;
    return left < 0 || entries.some(exceeds);
  };
  return exceeds(value);
}

/** Whether objects and lists are nested more deeply than a number of levels. JSON can be deeper than recursive code can follow. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}
