import { asRecord } from '../../common/net/pure.js';

/** Platforms that a shortcut can be for. */
const PLATFORMS: ReadonlySet<string> = new Set(['default', 'windows', 'mac', 'chromeos', 'linux']);
const KEY = /^(?:[A-Z0-9]|Comma|Period|Home|End|PageUp|PageDown|Space|Insert|Delete|Tab|Up|Down|Left|Right)$/;
const MEDIA_KEY = /^Media(?:NextTrack|PrevTrack|PlayPause|Stop)$/;
/** Modifiers with the one platform that has them; null for all. */
const MODIFIERS = new Map<string, string | null>([
  ['Ctrl', null],
  ['Alt', null],
  ['Shift', null],
  ['Command', 'mac'],
  ['MacCtrl', 'mac'],
  ['Search', 'chromeos'],
]);
const MAX_PARTS = 3;

/** A shortcut that a command suggests, with its place below `suggested_key`. */
interface Suggestion {
  readonly platform: string;
  readonly text: unknown;
}

/** The shortcuts in a `suggested_key`: one text for all platforms, or one for each. Pure. */
export function suggestionsIn(suggestedKey: unknown): readonly Suggestion[] {
  const byPlatform = asRecord(suggestedKey);
  if (byPlatform !== undefined) return Object.entries(byPlatform).map(([platform, text]) => ({ platform, text }));
  return typeof suggestedKey === 'string' && suggestedKey !== '' ? [{ platform: 'default', text: suggestedKey }] : [];
}

const partsOf = (text: string): readonly string[] => text.split('+').map((part) => part.trim());

/** Whether a shortcut is a media key, of which any number of commands may suggest one. Pure. */
export const isMediaKey = ({ text }: Suggestion): boolean => typeof text === 'string' && MEDIA_KEY.test(text.trim());

/**
 * Whether Chromium accepts a shortcut, as its `Command` parses it: one key, with Ctrl or Alt, or Command on a Mac, and with Shift besides; or a
 * media key alone, unless the command opens the extension's own button. Pure.
 */
export function isShortcut({ platform, text }: Suggestion, isAction: boolean): boolean {
  if (typeof text !== 'string' || !PLATFORMS.has(platform)) return false;
  const parts = partsOf(text);
  if (parts.length === 1) return !isAction && MEDIA_KEY.test(parts[0] ?? '');
  const modifiers = parts.filter((part) => MODIFIERS.has(part));
  const isKnown = modifiers.every((part) => [null, platform].includes(MODIFIERS.get(part) ?? null));
  const keys = parts.filter((part) => !MODIFIERS.has(part));
  if (parts.length > MAX_PARTS || !isKnown || keys.length !== 1 || !KEY.test(keys[0] ?? '')) return false;
  const has = (...names: readonly string[]): boolean => modifiers.some((part) => names.includes(part));
  const isMain = has('Ctrl', 'Command', 'MacCtrl');
  return !(isMain && has('Alt')) && (isMain || has('Alt', 'Search'));
}
