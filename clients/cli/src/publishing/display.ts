import { sentenceInOptions } from '../api/in-options.js';
import type { Style } from '../terminal/terminal.js';
import type { Target } from './targets.js';

type Tone = Target['display']['tone'];

/** From pushed to live. */
export const STAGES = 5;

/** Look of each tone in a terminal; the console draws the same. */
const LOOKS: Readonly<Record<Tone, readonly [glyph: string, format: Parameters<Style>[0]]>> = {
  live: ['●', 'green'],
  underway: ['◔', 'blue'],
  needs_you: ['!', 'yellow'],
  rejected: ['✗', 'red'],
  off: ['–', 'dim'],
};

/** Whether users get the pinned version. */
export const isLive = ({ status }: Target): boolean => status.phase === 'live';

/** Whether the store offers the live version to some of the users, and not to all. Pure. */
export const isPartlyOffered = (percent: number | null): boolean => percent !== null && percent < 100;

/** State of a target, in a few words: `● 1.4.0 live`, `◔ 1.3.2 → 1.4.0 in review`, `! needs you`. Pure. */
export function cellOf(target: Target): string {
  const { phase, liveVersion, desiredVersion, offeredPercent } = target.status;
  const { tone, word } = target.display;
  const isDone = isLive(target);
  const state = isDone && isPartlyOffered(offeredPercent) ? word.replace('live', `live for ${offeredPercent} %`) : word;
  const coming = isDone || phase === 'idle' || phase === 'disabled' ? null : desiredVersion;
  const versions = [...new Set([liveVersion, coming])].filter((version) => version !== null).join(' → ');
  return [LOOKS[tone][0], versions, state].filter((part) => part !== '').join(' ');
}

/** The same where there is little room: of what is on its way, the version that is live goes. Pure. */
export const shortCellOf = (target: Target): string => cellOf(target).replace(/\S+ → /, '');

/** Why a target is where it is, with the item's public page once the pinned version is live. Pure. */
export function messageOf(target: Target): string {
  const message = sentenceInOptions(target.status.message);
  return isLive(target) && target.listing !== null ? `${message} ${target.listing}` : message;
}

/** Colors a text about a target by its tone. */
export const toned = (style: Style, { display }: Pick<Target, 'display'>, text: string): string =>
  style(LOOKS[display.tone][1], text);
