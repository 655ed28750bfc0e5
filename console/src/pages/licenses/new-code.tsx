import type { ReactElement } from 'react';
import { Button, CopyField, Dialog } from '../../ui';

/** Shows a code that cannot be shown again. */
export function NewCode({
  code,
  onClose,
}: {
  readonly code: string | null;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <Dialog
      title="The code"
      description="Copy it now. It is not stored and cannot be shown again."
      isOpen={code !== null}
      onClose={onClose}
    >
      <CopyField label="code" value={code ?? ''} />
      <div>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
