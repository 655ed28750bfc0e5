import { isCleanText } from '../../common/fields/index.js';

/** Longest label of a device, in characters. */
export const LABEL_MAX = 200;

/** What is said of a `deviceInfo` that does not fit. */
export const DEVICE_INFO_FAULT = `must be text of at most ${LABEL_MAX} characters, or an object whose label is such text.`;

/**
 * What a device says about itself: `deviceInfo` when it is text, or its `label`.
 * @returns null when it says nothing, `undefined` when it is neither a text nor an object, or its label is no proper text
 */
export function labelOf(deviceInfo: unknown): string | null | undefined {
  const isObject = typeof deviceInfo === 'object' && deviceInfo !== null && !Array.isArray(deviceInfo);
  const label = isObject ? (deviceInfo as { readonly label?: unknown }).label : deviceInfo;
  if (label === undefined) return null;
  if (typeof label !== 'string' || Array.from(label).length > LABEL_MAX || !isCleanText(label)) return undefined;
  return label.trim() === '' ? null : label.trim();
}
