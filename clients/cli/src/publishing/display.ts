import { sentenceInOptions } from '../api/in-options.js';
import { linked, type Style } from '../terminal/style.js';
import { stated, toned } from '../terminal/tones.js';
import { targetName, type Target } from './targets.js';

/** From pushed to live. */
export const STAGES = 5;

/** Whether users get the pinned version. */
export const isLive = ({ status }: Target): boolean => status.phase === 'live';

/** Whether the store offers the live version to some of the users, and not to all. Pure. */
export const isPartlyOffered = (percent: number | null): boolean => percent !== null && percent < 100;

/** State of a target, in a few words: `● 1.4.0 live`, `◔ 1.3.2 → 1.4.0 in review`, `! needs you`. Pure. @param isShort without the live version of what is on its way */
export function cellOf(target: Target, style: Style, isShort = false): string {
  const { phase, liveVersion, desiredVersion, offeredPercent } = target.status;
  const { tone, word } = target.display;
  const isDone = isLive(target);
  const state = isDone && isPartlyOffered(offeredPercent) ? word.replace('live', `live for ${offeredPercent} %`) : word;
  const coming = isDone || phase === 'idle' || phase === 'disabled' ? null : desiredVersion;
  const versions = [...new Set([liveVersion, coming])].filter((version) => version !== null);
  const shown = isShort ? versions.slice(-1) : versions;
  return stated(style, tone, [shown.join(' → '), state].filter((part) => part !== '').join(' '));
}

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

/** Name of a target, which leads to its page in the store's dashboard. */
export const linkedName = (target: Target, style: Style): string => linked(style, target.dashboard, targetName(target));

/** Why a target is where it is, with the item's public page once the pinned version is live. Pure. */
export function messageOf(target: Target, style: Style): string {
  const message = sentenceInOptions(target.status.message);
  return isLive(target) && target.listing !== null ? `${message} ${linked(style, target.listing)}` : message;
}
