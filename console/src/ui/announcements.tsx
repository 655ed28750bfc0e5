import { useEffect, useState, useSyncExternalStore, type ReactElement } from 'react';
import { Button } from './button';
import { lastAnnouncement, onAnnouncement } from './announce';
import css from './ui.module.css';

const SHOWN_MS = 6_000;
/** Long enough to reach the button by keyboard. */
const SHOWN_WITH_UNDO_MS = 30_000;

/** Shows and reads out what `announce` says. */
export function Announcements(): ReactElement {
  const { id, text, undo } = useSyncExternalStore(onAnnouncement, lastAnnouncement);
  const [gone, setGone] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setGone(id), undo === undefined ? SHOWN_MS : SHOWN_WITH_UNDO_MS);
    return () => clearTimeout(timer);
  }, [id, undo]);
  return (
    <div className={css.toasts} role="status" aria-live="polite">
      {id > gone && (
        <div key={id} className={css.toast}>
          {text}
          {undo !== undefined && (
            <Button
              onClick={() => {
                setGone(id);
                undo();
              }}
            >
              Undo
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
