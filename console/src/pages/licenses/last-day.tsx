import type { ReactElement } from 'react';
import { day, exact } from '../../ui';

/** The last day of a license; the exact moment of its end, in the reader's time zone, on hover. */
export function LastDay({ expiresAt }: { readonly expiresAt: string }): ReactElement {
  return (
    <time dateTime={expiresAt} title={exact(expiresAt)}>
      {day(expiresAt)}
    </time>
  );
}
