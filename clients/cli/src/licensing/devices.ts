import { usageFailure } from '../failure.js';

/** A number of devices; the service says how many there may be. @throws Failure for what is none */
export function devicesOf(text: string): number {
  const count = Number(text);
  if (!/^\d{1,9}$/.test(text) || count < 1) throw usageFailure(`"${text}" is not a number of devices.`);
  return count;
}
