import type { components } from '../../../../clients/cli/src/api/schema.js';
import { lasting } from '../../ui/format';
import { targetName } from './target-name';

type Schemas = components['schemas'];
/** The parts of a target that say what comes next. */
export type Place = Pick<
  Schemas['Target'],
  'id' | 'store' | 'channel' | 'storeItemId' | 'enabled' | 'display' | 'rollout' | 'usualReview'
> & {
  readonly status: Pick<Schemas['Target']['status'], 'desiredVersion' | 'liveVersion' | 'phase'>;
};

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

/** 3 hr to 2 days, or only 3 hr. */
export function usually({ fromSeconds, toSeconds }: NonNullable<Place['usualReview']>): string {
  const [from, to] = [lasting(fromSeconds), lasting(toSeconds)];
  return from === to ? from : `${from} to ${to}`;
}

/** What stores that review a version do. */
function reviewOf([first, ...others]: readonly Place[]): string {
  const version = first?.status.desiredVersion ?? 'a version';
  const isSame = others.every(({ status }) => status.desiredVersion === version);
  if (others.length > 0) return `review ${isSame ? version : 'what you pushed'}`;
  const usual = first?.usualReview ?? null;
  return `reviews ${version}${usual === null ? '' : `, which usually takes ${usually(usual)}`}`;
}

/** What happens next to an extension, in one sentence: first what waits for a person, then what is on its way. Pure. */
export function outlookOf(all: readonly Place[]): string {
  const used = all.filter(({ enabled }) => enabled);
  const namesOf = (places: readonly Place[]): string => LIST.format(places.map((one) => targetName(one, all)));
  if (used.length === 0) return 'Set up a store to publish it there.';
  const waiting = used.filter(({ display }) => display.turn === 'you');
  if (waiting.length > 0) return `${namesOf(waiting)} ${waiting.length === 1 ? 'waits' : 'wait'} for you.`;
  const reviewing = used.filter(({ status }) => status.phase === 'in_review');
  if (reviewing.length > 0) return `${namesOf(reviewing)} ${reviewOf(reviewing)}.`;
  const moving = used.filter(({ display }) => display.turn !== null);
  if (moving.length > 0) {
    const versions = new Set(moving.map(({ status }) => status.desiredVersion));
    const [version] = versions.size === 1 ? versions : [null];
    return version === null
      ? `Versions are on their way to ${namesOf(moving)}.`
      : `${version} is on its way to ${namesOf(moving)}.`;
  }
  const [rollout] = used.flatMap((one) => (one.rollout === null ? [] : [{ ...one.rollout, name: namesOf([one]) }]));
  if (rollout !== undefined) return `${rollout.name} offers ${rollout.version} to ${rollout.percent}% of its users.`;
  const live = used.filter(({ status }) => status.liveVersion !== null);
  if (live.length === 0) return 'Push a version to publish it.';
  const isSame = live.every(({ status }) => status.liveVersion === live[0]?.status.liveVersion);
  return isSame ? `${live[0]?.status.liveVersion} is live at ${namesOf(live)}.` : 'Nothing is on its way.';
}
