import type { Schema } from '../api/service.js';
import type { Format, Style } from './style.js';

/** Tone of a state, as the service gives it. */
export type Tone = Schema<'Display'>['tone'];
/** Result of a check. */
export type Mark = 'ok' | 'warning' | 'failed' | 'skipped';

/** Look of each tone and mark in a terminal; the console draws the same tones. */
const LOOKS: Readonly<Record<Tone | Mark, readonly [glyph: string, format: Format]>> = {
  live: ['●', 'green'],
  underway: ['◔', 'blue'],
  needs_you: ['!', 'yellow'],
  rejected: ['✗', 'red'],
  off: ['–', 'dim'],
  ok: ['✓', 'green'],
  warning: ['⚠', 'yellow'],
  failed: ['✗', 'red'],
  skipped: ['–', 'dim'],
};

/** Colors a text by its tone. */
export const toned = (style: Style, tone: Tone, text: string): string => style(LOOKS[tone][1], text);

/** A state by glyph, color and word, and never by color alone. */
export const stated = (style: Style, tone: Tone, text: string): string =>
  toned(style, tone, `${LOOKS[tone][0]} ${text}`);

/** A sentence behind its mark, which alone is colored. */
export const marked = (style: Style, mark: Tone | Mark, text = ''): string =>
  `${style(LOOKS[mark][1], LOOKS[mark][0])} ${text}`.trimEnd();
