import type { ReactElement, ReactNode } from 'react';
import { CheckIcon, Hidden } from '../../ui';
import { useSession, type Permission } from '../../session';
import css from './start.module.css';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  /** Below another heading. */
  readonly isBelow?: boolean;
  readonly children: ReactNode;
}

/** A step of a list, with what there is to do where it is the next one. */
export function Step({ number, title, isDone, isBelow = false, children }: StepProps): ReactElement {
  const Heading = isBelow ? 'h3' : 'h2';
  return (
    <li className={css.step}>
      <span className={css.mark} data-done={isDone}>
        {isDone ? <CheckIcon /> : number}
      </span>
      <Heading>
        {title}
        {isDone && <Hidden>, done</Hidden>}
      </Heading>
      {children !== false && <div className={css.body}>{children}</div>}
    </li>
  );
}

/** What the next step asks for, or whose turn it is. */
export function Turn({ needs, children }: { readonly needs: Permission; readonly children: ReactNode }): ReactElement {
  const { can } = useSession();
  return can(needs) ? <>{children}</> : <p>Your role does not include this. Ask an owner or admin of the workspace.</p>;
}
