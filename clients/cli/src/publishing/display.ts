import { sentenceInOptions } from '../api/in-options.js';
import { linked, type Style } from '../terminal/style.js';
import { stated } from '../terminal/tones.js';
import { duration } from '../terminal/words.js';
import { targetName, type Target } from './targets.js';

/** From pushed to live. */
export const STAGES = 5;

/** Whether users get the pinned version. */
export const isLive = ({ status }: Target): boolean => status.phase === 'live';

/** Who gets a version, and since when: `10 % of 48,000 users, 2 h`. */
function rolloutText({ percent, asked, users, since }: NonNullable<Target['rollout']>, now: Date): string {
  const share = `${percent} %${asked === null ? '' : ` → ${asked} %`}`;
  const of = users === null ? 'users' : `${users.toLocaleString('en-US')} users`;
  return `${share} of ${of}${since === null ? '' : `, ${duration(now.getTime() - new Date(since).getTime())}`}`;
}

/** State of a target, in a few words: `● 1.4.0 live`, `◔ 1.3.2 → 1.4.0 in review`, `! needs you`. Pure. @param isShort without the live version of what is on its way */
export function cellOf(target: Target, style: Style, isShort = false): string {
  const { phase, liveVersion, desiredVersion } = target.status;
  const { rollout } = target;
  const { tone, word } = target.display;
  const isDone = isLive(target);
  const share = rollout ? (isShort ? `${rollout.percent} %` : rolloutText(rollout, new Date())) : null;
  const state = isDone && share !== null ? word.replace('live', `live for ${share}`) : word;
  const coming = isDone || phase === 'idle' || phase === 'disabled' ? null : desiredVersion;
  const versions = [...new Set([liveVersion, coming])].filter((version) => version !== null);
  const shown = isShort ? versions.slice(-1) : versions;
  return stated(style, tone, [shown.join(' → '), state].filter((part) => part !== '').join(' '));
}

/** Name of a target, which leads to its page in the store's dashboard. */
export const linkedName = (target: Target, style: Style): string => linked(style, target.dashboard, targetName(target));

/** Why a target is where it is, with the item's public page once the pinned version is live. Pure. */
export function messageOf(target: Target, style: Style): string {
  const message = sentenceInOptions(target.status.message);
  return isLive(target) && target.listing !== null ? `${message} ${linked(style, target.listing)}` : message;
}
