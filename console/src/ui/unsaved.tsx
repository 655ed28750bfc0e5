import { useEffect, useState, type ReactElement } from 'react';
import { askBeforeLeaving } from '../leaving';
import { Button } from './button';
import { Dialog } from './dialog';
import { Actions } from './page';

/** Asks before the page is left with what is not saved. Shown only while there is something. */
export function Unsaved(): ReactElement {
  const [leave, setLeave] = useState<{ readonly go: () => void } | null>(null);
  useEffect(() => {
    const stop = askBeforeLeaving((go) =>
      setLeave({
        go: () => {
          stop();
          go();
        },
      }),
    );
    return stop;
  }, []);
  return (
    <Dialog
      title="Leave without saving?"
      description="Your changes are not saved."
      isOpen={leave !== null}
      onClose={() => setLeave(null)}
    >
      <Actions>
        <Button kind="danger" onClick={() => leave?.go()}>
          Discard and leave
        </Button>
        <Button onClick={() => setLeave(null)}>Stay</Button>
      </Actions>
    </Dialog>
  );
}
