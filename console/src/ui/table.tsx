import { Fragment, useEffect, useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import type { Problem } from '../api/problem';
import { Button } from './button';
import { classes } from './class-names';
import { ProblemNote } from './problem-note';
import { Skeleton } from './page';
import css from './ui.module.css';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers and actions are aligned to the end of their column. */
  readonly isEnd?: boolean;
}

export interface TableProps<Row> {
  /** Name of the rows, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they are loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Heading of the rows that belong together and follow one another, such as a day. */
  readonly groupOf?: (row: Row) => string;
  /** Text for an empty list: its purpose, and the way to create the first entry. */
  readonly empty: ReactNode;
  /** Why the rows could not be read; `retry` reads them again. */
  readonly problem?: Problem | null;
  readonly retry?: () => Promise<unknown>;
  /** Why something that a button of a row does was refused. */
  readonly refusal?: Problem | null;
  /** Loads the next rows; null at the end, as `usePages` has it. */
  readonly more?: (() => void) | null;
  readonly isFetchingMore?: boolean;
}

/** Content that may be wider than the screen: then the keyboard scrolls it too. */
function Scrollable({ label, children }: { readonly label: string; readonly children: ReactElement }): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const { current } = frame;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => setWide(current.scrollWidth > current.clientWidth));
    for (const one of [current, ...current.children]) observer.observe(one);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={frame}
      className={css.tableWrap}
      {...(isWide && { tabIndex: 0, role: 'region', 'aria-label': `Table: ${label}` })}
    >
      {children}
    </div>
  );
}

const FOCUSABLE = 'a[href],button,input';

/** Rows of one kind. Arrow keys move between the links and buttons of the rows. */
export function Table<Row>(props: TableProps<Row>): ReactElement {
  const { caption, columns, rows, rowKey, groupOf, empty, more = null, isFetchingMore = false } = props;
  const { problem = null, retry, refusal = null } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const here = document.activeElement?.closest('tr');
    if (step === undefined || !here || document.activeElement instanceof HTMLInputElement) return;
    // A heading among the rows has nothing that could have the focus.
    const all = [...(body.current?.rows ?? [])].filter((row) => row === here || row.querySelector(FOCUSABLE));
    const next = all[all.indexOf(here) + step]?.querySelector<HTMLElement>(FOCUSABLE);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  const notes = (
    <>
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      {refusal !== null && <ProblemNote problem={refusal} />}
    </>
  );
  if (rows === undefined) return problem === null ? <Skeleton label={caption} lines={6} /> : notes;
  if (rows.length === 0)
    return (
      <>
        {notes}
        {empty}
      </>
    );
  return (
    <>
      {notes}
      <Scrollable label={caption}>
        <table className={css.table}>
          <caption className={css.visuallyHidden}>{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ title, isEnd }) => (
                <th key={title} scope="col" className={classes(isEnd === true && css.end)}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body} onKeyDown={move}>
            {rows.map((row, at) => (
              <Fragment key={rowKey(row)}>
                {groupOf !== undefined && (at === 0 || groupOf(row) !== groupOf(rows[at - 1] ?? row)) && (
                  <tr className={css.group}>
                    <th scope="rowgroup" colSpan={columns.length}>
                      {groupOf(row)}
                    </th>
                  </tr>
                )}
                <tr>
                  {columns.map(({ title, cell, isEnd }) => (
                    <td key={title} data-title={title} className={classes(isEnd === true && css.end)}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              </Fragment>
            ))}
          </tbody>
        </table>
      </Scrollable>
      {more !== null && (
        <div className={css.more}>
          <Button onClick={more} isBusy={isFetchingMore}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
