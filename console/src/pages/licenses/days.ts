/** The end of a day that was chosen, by UTC as all last days; null for none. */
export const endOf = (chosen: string): string | null => (chosen === '' ? null : `${chosen}T23:59:59Z`);

/** The last day of a license as a field for days has it; empty for one that never expires. */
export const lastDayOf = (expiresAt: string | null): string => expiresAt?.slice(0, 10) ?? '';
