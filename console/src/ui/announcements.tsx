import { useEffect, useState, useSyncExternalStore, type ReactElement } from 'react';
import { lastAnnouncement, onAnnouncement } from './announce';
import css from './ui.module.css';

const SHOWN_MS = 6_000;

/** Shows and reads out what `announce` says. */
export function Announcements(): ReactElement {
  const { id, text } = useSyncExternalStore(onAnnouncement, lastAnnouncement);
  const [gone, setGone] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setGone(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div className={css.toasts} role="status" aria-live="polite">
      {id > gone && (
        <div key={id} className={css.toast}>
          {text}
        </div>
      )}
    </div>
  );
}
