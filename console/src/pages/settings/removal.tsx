import { useState, type ReactElement } from 'react';
import { useWrite, type Write } from '../../api';
import { ConfirmByName } from '../../ui';

interface Removal<Row> extends Write<Row, unknown> {
  /** Name of the action, such as “Delete rule”. */
  readonly action: string;
  /** Consequence, in one sentence. */
  readonly description: string;
  readonly nameOf: (row: Row) => string;
}

/** Removes one of a list once somebody has typed its name: what asks for that, and the dialog while it is open. */
export function useRemoval<Row>({ action, description, nameOf, ...write }: Removal<Row>): {
  readonly ask: (row: Row) => void;
  readonly dialog: ReactElement | null;
} {
  const [asked, ask] = useState<Row | null>(null);
  const remove = useWrite(write);
  const close = (): void => {
    ask(null);
    remove.reset();
  };
  const dialog =
    asked === null ? null : (
      <ConfirmByName
        isOpen
        title={action}
        description={description}
        name={nameOf(asked)}
        action={action}
        isBusy={remove.isPending}
        problem={remove.error}
        onConfirm={() => remove.mutate(asked, { onSuccess: close })}
        onClose={close}
      />
    );
  return { ask, dialog };
}
