import type { ReactElement } from 'react';
import { percent } from './format';
import css from './ui.module.css';

const RADIUS = 5.5;
const LENGTH = 2 * Math.PI * RADIUS;

/** The version that users get, and to how many of them the store offers it: a ring as full as the share, and words. */
export function Offered({
  version,
  share,
}: {
  readonly version: string;
  /** In percent; null for all. */
  readonly share: number | null;
}): ReactElement {
  if (share === null || share >= 100) return <>{version}</>;
  return (
    <span className={css.offered}>
      {version}
      <svg viewBox="0 0 14 14" aria-hidden>
        <circle cx="7" cy="7" r={RADIUS} />
        <circle cx="7" cy="7" r={RADIUS} strokeDasharray={`${(share / 100) * LENGTH} ${LENGTH}`} />
      </svg>
      {percent(share / 100)} of users
    </span>
  );
}
