import type { ReactElement } from 'react';
import { announce } from './announce';
import { Button } from './button';
import { CopyIcon } from './icons';
import css from './ui.module.css';

interface CopyFieldProps {
  /** Kind of the value, such as "token". */
  readonly label: string;
  readonly value: string;
}

/** Copies a text, and announces it. */
export function copyText(label: string, text: string): void {
  const fail = (): void => announce('The browser does not let the console copy. Select the text instead.');
  // Absent where the page is not served from a secure origin.
  if (navigator.clipboard === undefined) fail();
  else navigator.clipboard.writeText(text).then(() => announce(`Copied the ${label}.`), fail);
}

/** A value to copy, such as a command or a token that is shown once. */
export function CopyField({ label, value }: CopyFieldProps): ReactElement {
  return (
    <div className={css.copy}>
      <code tabIndex={0} aria-label={label}>
        {value}
      </code>
      <Button label={`Copy ${label}`} onClick={() => copyText(label, value)}>
        <CopyIcon />
      </Button>
    </div>
  );
}
