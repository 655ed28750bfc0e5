import { isCleanText } from '../../../common/fields/pure.js';

/** Maximum length of a device's label, in characters. */
export const MAX_LABEL = 200;

/** The message for a text in `deviceInfo` that is no label. */
export const DEVICE_INFO_FAULT = `must have a text of at most ${MAX_LABEL} characters, without control characters, as its label.`;

/**
 * Reads what a device calls itself: `deviceInfo` if it is text, else its `label`. Whatever else an extension sends there is its own affair.
 * @returns null when there is none; `undefined` when it is too long or no clean text
 */
export function labelOf(deviceInfo: unknown): string | null | undefined {
  const isObject = typeof deviceInfo === 'object' && deviceInfo !== null && !Array.isArray(deviceInfo);
  const label = isObject ? (deviceInfo as { readonly label?: unknown }).label : deviceInfo;
  if (typeof label !== 'string') return null;
  if (Array.from(label).length > MAX_LABEL || !isCleanText(label)) return undefined;
  return label.trim() === '' ? null : label.trim();
}
