import { usageFailure } from '../failure.js';

const MAX_DEVICES = 100;

/** A number of devices. @throws Failure for what is none */
export function devicesOf(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_DEVICES)
    throw usageFailure(`"${text}" is not a number of devices from 1 to ${MAX_DEVICES}.`);
  return count;
}
