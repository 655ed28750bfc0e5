import type { ReactElement } from 'react';
import { day, exact } from '../../ui';

/** The end of a day that was chosen, by UTC as all last days; null for none. */
export const endOf = (chosen: string): string | null => (chosen === '' ? null : `${chosen}T23:59:59Z`);

/** The last day of a license as a field for days has it; empty for one that never expires. */
export const lastDayOf = (expiresAt: string | null): string => expiresAt?.slice(0, 10) ?? '';

/** The last day of a license; the exact moment of its end, in the reader's time zone, on hover. */
export function LastDay({ expiresAt }: { readonly expiresAt: string }): ReactElement {
  return (
    <time dateTime={expiresAt} title={exact(expiresAt)}>
      {day(expiresAt)}
    </time>
  );
}
