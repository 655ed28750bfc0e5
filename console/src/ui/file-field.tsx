import { useState, type ReactElement } from 'react';
import { classes } from './class-names';
import { Frame, useNaming, type Described } from './field';
import css from './ui.module.css';

interface FileFieldProps extends Described {
  /** Endings or types to offer, such as `.zip`. */
  readonly accept?: string;
  /** Name of the file that was chosen, where the page goes on to use it. */
  readonly chosen?: string | undefined;
  readonly onFile: (file: File) => void;
}

/** A field that takes a file of this computer, chosen or dropped. */
export function FileField({ label, hint, fault, ...drop }: FileFieldProps): ReactElement {
  return (
    <Frame label={label} hint={hint} fault={fault}>
      <Drop {...drop} />
    </Frame>
  );
}

function Drop({ accept, chosen, onFile }: Omit<FileFieldProps, keyof Described>): ReactElement {
  const { control } = useNaming();
  const [isOver, setOver] = useState(false);
  const away = (): void => setOver(false);
  return (
    <div className={classes(css.drop, isOver && css.over)}>
      {/* Covers the field unseen, since browsers draw it each in their own way; a file may be dropped on it, too. */}
      <input
        {...control}
        type="file"
        accept={accept}
        onDragEnter={() => setOver(true)}
        onDragLeave={away}
        onDrop={away}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) onFile(file);
          // So that the same file can be chosen again after it was corrected.
          currentTarget.value = '';
        }}
      />
      <span className={css.button} aria-hidden>
        Choose a file
      </span>
      <span role="status">{chosen ?? 'or drop it here'}</span>
    </div>
  );
}
