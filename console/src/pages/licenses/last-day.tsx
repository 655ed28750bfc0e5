import type { ReactElement } from 'react';
import type { Schemas } from '../../api';
import { shownDuration } from '../../plans';
import { day, exact, Time } from '../../ui';

/** The last day of a license; the exact moment of its end, in the reader's time zone, on hover. */
export function LastDay({ expiresAt }: { readonly expiresAt: string }): ReactElement {
  return (
    <time dateTime={expiresAt} title={exact(expiresAt)}>
      {day(expiresAt)}
    </time>
  );
}

/** When a license ends or renews, how long from now, and what it has after that. */
export function EndInFull({ license }: { readonly license: Schemas['License'] }): ReactElement {
  const { expiresAt, renewsAt, renewalLeewayHours, graceDays } = license;
  return (
    <>
      {renewsAt === null ? <End license={license} /> : <LastDay expiresAt={renewsAt} />}
      {expiresAt !== null && (
        <>
          {' '}
          (<Time at={expiresAt} />)
        </>
      )}
      {graceDays > 0 && `, and ${graceDays} days of grace`}
      {renewsAt !== null && `, and ${renewalLeewayHours} hours of leeway`}
    </>
  );
}

/** When a license ends: its last day, or what its end waits for. */
export function End({
  license: { expiresAt, renews, duration, onEnd },
}: {
  readonly license: Pick<Schemas['License'], 'expiresAt' | 'renews' | 'duration' | 'onEnd'>;
}): ReactElement {
  const isUpdates = onEnd === 'maintain';
  if (duration !== null)
    return (
      <>
        {isUpdates && 'updates for '}
        {shownDuration(duration)} from its first device
      </>
    );
  if (expiresAt === null) return <>never</>;
  return (
    <>
      {isUpdates && 'updates until '}
      {renews && !isUpdates && 'renews '}
      <LastDay expiresAt={expiresAt} />
    </>
  );
}
