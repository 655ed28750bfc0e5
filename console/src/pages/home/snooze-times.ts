const MORNING = 9;
const MONDAY = 1;

/** Usual ends of a snooze, at nine in the reader's morning: tomorrow, and Monday of next week. */
export function snoozeTimes(now: Date): { readonly tomorrow: Date; readonly nextWeek: Date } {
  const inDays = (days: number): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
  return { tomorrow: inDays(1), nextWeek: inDays(((MONDAY + 6 - now.getDay()) % 7) + 1) };
}
