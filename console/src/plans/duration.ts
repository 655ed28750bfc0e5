const UNITS = { D: 'day', M: 'month', Y: 'year' } as const;

/** A duration as a person types it, such as “1 year”, as the service has it; null for nothing. What is none is sent as it is, and refused. */
export function durationIn(text: string): string | null {
  const typed = text.trim();
  if (typed === '') return null;
  const [, count, unit = ''] = /^(\d+)\s*(day|month|year|d|m|y)s?$/i.exec(typed) ?? [];
  return count === undefined ? typed : `P${Number(count)}${unit.slice(0, 1).toUpperCase()}`;
}

/** A duration in words; nothing for none. */
export function shownDuration(duration: string | null): string {
  const [, count = '', unit = ''] = /^P(\d+)([DMY])$/.exec(duration ?? '') ?? [];
  return count === '' ? '' : `${count} ${UNITS[unit as keyof typeof UNITS]}${count === '1' ? '' : 's'}`;
}
