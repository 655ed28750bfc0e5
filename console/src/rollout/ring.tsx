import type { ReactElement } from 'react';
import type { Schemas } from '../api';
import { number, percent, Time } from '../ui';
import css from './rollout.module.css';

type Rollout = Schemas['Rollout'];

const RADIUS = 6;
const LENGTH = 2 * Math.PI * RADIUS;
const arc = (share: number): string => `${(share / 100) * LENGTH} ${LENGTH}`;

/** A ring as full as the share of users, with the share that is asked for behind it. */
export function Ring({ rollout }: { readonly rollout: Rollout }): ReactElement {
  const label = `Offered to ${percent(rollout.percent / 100)} of users`;
  return (
    <svg className={css.ring} viewBox="0 0 16 16" role="img" aria-label={label}>
      <circle cx="8" cy="8" r={RADIUS} />
      {rollout.asked !== null && (
        <circle cx="8" cy="8" r={RADIUS} className={css.asked} strokeDasharray={arc(rollout.asked)} />
      )}
      <circle cx="8" cy="8" r={RADIUS} className={css.offered} strokeDasharray={arc(rollout.percent)} />
    </svg>
  );
}

/** 25% of 48,000 users */
export const shareOf = (share: number, users: number | null): string =>
  `${percent(share / 100)} of ${users === null ? 'users' : `${number(users)} users`}`;

/** Who gets the version, and since when: 10% of 48,000 users · 2 hr. */
export function Share({ rollout }: { readonly rollout: Rollout }): ReactElement {
  const { asked, users, since } = rollout;
  return (
    <>
      {asked !== null && `${percent(rollout.percent / 100)} → `}
      {shareOf(asked ?? rollout.percent, users)}
      {since !== null && (
        <>
          {' · '}
          <Time at={since} isShort />
        </>
      )}
    </>
  );
}

/** A rollout in one line. */
export function RolloutLine({ rollout }: { readonly rollout: Rollout }): ReactElement {
  return (
    <span className={css.line}>
      <Ring rollout={rollout} />
      <span>
        <Share rollout={rollout} /> · <bdi>{rollout.version}</bdi>
      </span>
    </span>
  );
}
