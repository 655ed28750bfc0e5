import type { Style } from '../terminal/style.js';
import { toned } from '../terminal/tones.js';
import type { Target } from './targets.js';

/** Tones, those of targets that need somebody first. */
const BY_URGENCY: readonly Target['display']['tone'][] = ['rejected', 'needs_you', 'underway', 'live', 'off'];

/** Place of targets among others: the lower, the more urgent is one of them. Pure. */
export const urgencyOf = (targets: readonly Pick<Target, 'display'>[]): number =>
  Math.min(BY_URGENCY.length, ...targets.map(({ display }) => BY_URGENCY.indexOf(display.tone)));

/** How many things wait for the reader. Pure. */
export const needText = (count: number, style: Style): string =>
  toned(style, 'needs_you', `${count} ${count === 1 ? 'needs' : 'need'} you`);

/** How many targets are in which state: `2 need you, 1 underway, 5 live`. Pure. */
export function totalsOf(targets: readonly Pick<Target, 'display'>[], style: Style): string {
  const count = (...tones: readonly Target['display']['tone'][]): number =>
    targets.filter(({ display }) => tones.includes(display.tone)).length;
  const need = count('needs_you', 'rejected');
  return [
    ...(need === 0 ? [] : [needText(need, style)]),
    ...(['underway', 'live', 'off'] as const)
      .filter((tone) => count(tone) > 0)
      .map((tone) => toned(style, tone, `${count(tone)} ${tone}`)),
  ].join(', ');
}
