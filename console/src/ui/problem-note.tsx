import { useState, type ReactElement, type ReactNode } from 'react';
import type { Problem } from '../api/problem';
import { Button, ButtonLink } from './button';
import { classes } from './class-names';
import { faultOf, wordsOf } from './faults';
import css from './ui.module.css';

interface ProblemNoteProps {
  readonly problem: Problem;
  /** Tries again what failed, which is offered where it can help; absent where the form's button does. */
  readonly onRetry?: (() => Promise<unknown> | void) | undefined;
}

/** Whether it can help to ask again: there was no answer, it was too early, or the service failed. */
const mayHelp = ({ body: { status } }: Problem): boolean => status === 0 || status === 429 || status >= 500;

/** Whether there is nothing to see at this address, at least for this person. */
const isElsewhere = ({ body: { status } }: Problem): boolean => status === 403 || status === 404;

/** A problem, its code and the id by which the operator finds it in the log. */
export function ProblemNote({ problem, onRetry }: ProblemNoteProps): ReactElement {
  const { title, detail, code, errors = [], requestId } = problem.body;
  const others = problem.otherFaults();
  const [isBusy, setBusy] = useState(false);
  const retry = async (): Promise<void> => {
    setBusy(true);
    await onRetry?.();
    setBusy(false);
  };
  if (errors.length > 0 && others.length === 0)
    return (
      <div role="alert" className={classes(css.notice, css.problem)} data-code={code}>
        Correct the marked fields.
      </div>
    );
  return (
    <div role="alert" className={classes(css.notice, css.problem)} data-code={code}>
      <strong>{title}</strong>
      {/* The detail of a request with faults is the faults. */}
      {(code !== 'invalid_request' || others.length === 0) && <p>{detail}</p>}
      {others.length > 0 && (
        <ul>
          {others.map(({ field, message }) => (
            <li key={`${field} ${message}`}>{faultOf(wordsOf(field), message)}</li>
          ))}
        </ul>
      )}
      <footer>
        {onRetry !== undefined && isElsewhere(problem) && <ButtonLink href="/">Go to Home</ButtonLink>}
        {onRetry !== undefined && mayHelp(problem) && (
          <Button isBusy={isBusy} onClick={() => void retry()}>
            Try again
          </Button>
        )}
        {requestId !== undefined && (
          <details>
            <summary>Details</summary>
            <a href={`/api/docs/problems#${code}`} target="_blank" rel="noreferrer">
              {code}
            </a>
            <span>
              request <code>{requestId}</code>
            </span>
          </details>
        )}
      </footer>
    </div>
  );
}

/** Something to know before continuing, such as the effect of a change. */
export function Caution({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className={classes(css.notice, css.caution)}>{children}</div>;
}
