import { useRef, useState, type ReactElement } from 'react';
import type { Schemas } from '../../api';
import { Actions, Button, classes, number, upTo, type Column } from '../../ui';
import css from './licenses.module.css';

type License = Schemas['License'];

/** Licenses that are chosen by checkbox; with Shift, all between the last one and this one. */
export function useSelection(rows: readonly License[] | undefined, mayChange: boolean) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const all = (rows ?? []).map(({ id }) => id);
  // Rows that are no longer shown are no longer chosen.
  const ids = all.filter((id) => chosen.has(id));
  const set = (id: string, isChosen: boolean, isRange: boolean): void => {
    const [from, to] = [isRange ? all.indexOf(last.current ?? id) : -1, all.indexOf(id)];
    const range = from < 0 ? [id] : all.slice(Math.min(from, to), Math.max(from, to) + 1);
    const next = new Set(ids);
    for (const one of range) {
      if (isChosen) next.add(one);
      else next.delete(one);
    }
    last.current = id;
    setChosen(next);
  };
  const column: Column<License> = {
    title: 'Select',
    cell: ({ id, codeHint }) => (
      <input
        type="checkbox"
        className={css.select}
        aria-label={`Select …${codeHint}`}
        checked={ids.includes(id)}
        onChange={({ target, nativeEvent }) =>
          set(id, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    ),
  };
  return {
    ids,
    columns: mayChange ? [column] : [],
    clear: () => setChosen(new Set()),
    chooseShown: () => setChosen(new Set(all)),
  };
}

interface SelectedProps {
  readonly selection: ReturnType<typeof useSelection>;
  readonly isFiltered: boolean;
  /** How many match the filters; undefined until that is known. */
  readonly count: Schemas['ListCount'] | undefined;
  /** Changes the chosen ones, or all that match the filters. */
  readonly onChange: (which: 'chosen' | 'bulk') => void;
}

/** What can be done with the chosen licenses. */
export function Selected({
  selection: { ids, clear, chooseShown },
  isFiltered,
  count,
  onChange,
}: SelectedProps): ReactElement {
  const isAny = ids.length > 0;
  return (
    <div
      className={classes(isAny && css.selected)}
      {...(isAny && { role: 'group', 'aria-label': 'Selected licenses' })}
    >
      {/* Screen readers read out what changes in a region that was there before. */}
      <span role="status">{isAny && `${number(ids.length)} selected`}</span>
      {isAny && (
        <Actions>
          <Button kind="primary" onClick={() => onChange('chosen')}>
            Change these
          </Button>
          <Button onClick={chooseShown}>Select all shown</Button>
          {isFiltered && (
            <Button onClick={() => onChange('bulk')}>
              Change all{count !== undefined && ` ${upTo(count)}`} that match
            </Button>
          )}
          <Button onClick={clear}>Clear</Button>
        </Actions>
      )}
    </div>
  );
}
