import { isCleanText } from '../../../common/fields/pure.js';

/** Maximum length of a device's label, in characters. */
export const MAX_LABEL = 200;

/** The message for an invalid `deviceInfo`. */
export const DEVICE_INFO_FAULT = `must be text of at most ${MAX_LABEL} characters, or an object with such text as its label.`;

/**
 * Reads what a device calls itself: `deviceInfo` if it is text, else its `label`.
 * @returns null when there is none; `undefined` when `deviceInfo` is neither text nor an object, or its label is not valid text
 */
export function labelOf(deviceInfo: unknown): string | null | undefined {
  const isObject = typeof deviceInfo === 'object' && deviceInfo !== null && !Array.isArray(deviceInfo);
  const label = isObject ? (deviceInfo as { readonly label?: unknown }).label : deviceInfo;
  if (label === undefined) return null;
  if (typeof label !== 'string' || Array.from(label).length > MAX_LABEL || !isCleanText(label)) return undefined;
  return label.trim() === '' ? null : label.trim();
}
