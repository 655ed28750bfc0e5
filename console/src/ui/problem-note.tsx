import { useState, type ReactElement, type ReactNode } from 'react';
import type { Problem } from '../api/problem';
import { Button } from './button';
import { classes } from './class-names';
import css from './ui.module.css';

interface ProblemNoteProps {
  readonly problem: Problem;
  /** Tries again what failed; absent where the form's button does. */
  readonly onRetry?: (() => Promise<unknown> | void) | undefined;
}

/** What went wrong, its code and the id by which the operator finds it in the log. */
export function ProblemNote({ problem, onRetry }: ProblemNoteProps): ReactElement {
  const { title, detail, code, requestId } = problem.body;
  const errors = problem.otherFaults();
  const [isBusy, setBusy] = useState(false);
  const retry = async (): Promise<void> => {
    setBusy(true);
    await onRetry?.();
    setBusy(false);
  };
  return (
    <div role="alert" className={classes(css.notice, css.problem)} data-code={code}>
      <strong>{title}</strong>
      <p>{detail}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {field !== '' && <code>{field}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      <footer>
        {onRetry !== undefined && (
          <Button isBusy={isBusy} onClick={() => void retry()}>
            Try again
          </Button>
        )}
        {requestId !== undefined && (
          <>
            <a href={`/api/docs/problems#${code}`} target="_blank" rel="noreferrer">
              {code}
            </a>
            <span>
              request <code>{requestId}</code>
            </span>
          </>
        )}
      </footer>
    </div>
  );
}

/** Something to know before continuing, such as the effect of a change. */
export function Caution({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className={classes(css.notice, css.caution)}>{children}</div>;
}
