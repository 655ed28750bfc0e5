import type { ReactElement } from 'react';
import { Link } from 'wouter';
import css from './ui.module.css';

interface ListCountProps {
  /** Undefined until it is known; its place is held. */
  readonly all: string | undefined;
  /** Some of them, and where they are listed alone. */
  readonly some?: { readonly label: string; readonly href: string } | undefined;
}

/** How many rows a list has, above it. */
export function ListCount({ all, some }: ListCountProps): ReactElement {
  return (
    <p className={css.listCount}>
      <span role="status">{all ?? '\u00a0'}</span>
      {all !== undefined && some !== undefined && (
        <>
          {' · '}
          <Link href={some.href}>{some.label}</Link>
        </>
      )}
    </p>
  );
}
