import { usageFailure } from '../failure.js';
import { parseDuration } from '../terminal/words.js';

/** The extension that a command is about. */
export const EXTENSION = [
  '-e, --extension <name>',
  'name or id of the extension (default: that of pierhead.json, or the only one)',
] as const;

/** Parses an option that can be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** The milliseconds of `--timeout`. @throws Failure for text that is not a duration */
export function timeoutOf(text: string): number {
  const ms = parseDuration(text);
  if (ms === null) throw usageFailure(`"${text}" is not a valid duration.`, 'Example: --timeout 30m');
  return ms;
}
