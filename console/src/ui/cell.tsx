import type { ReactElement, ReactNode } from 'react';
import css from './ui.module.css';

/** Content of a table's cell that may be long: it breaks anywhere rather than widen the table. */
export const Cell = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <div className={css.cell}>{children}</div>
);

/** A line below, of less weight. */
export const Detail = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <span className={css.detail}>{children}</span>
);
