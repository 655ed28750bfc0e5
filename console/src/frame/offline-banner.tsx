import type { ReactElement } from 'react';
import { useConnection } from '../api';
import css from './frame.module.css';

/** Says that what is shown may be out of date, while the service cannot be reached. */
export function OfflineBanner(): ReactElement {
  const isOffline = useConnection() === 'offline';
  return (
    <div role="status">
      {isOffline && (
        <div className={css.banner}>
          No connection to the service. What you see may be out of date; it is tried again.
        </div>
      )}
    </div>
  );
}
