import { useState, type ReactElement, type ReactNode } from 'react';
import type { Schemas } from '../../api';
import { Button, CrossIcon, Hidden, isStore, number, percent, shortNumber, StoreIcon } from '../../ui';
import { DIMENSION_NAMES, isFilterable, type Filter } from './filters';
import { flagOf, nameOf, type Dimension } from './names';
import css from './analytics.module.css';

/** Values shown before the reader asks for the rest. */
const SHOWN = 6;

interface BreakdownProps {
  readonly title: string;
  readonly dimension: Dimension;
  readonly shares: readonly Schemas['Share'][];
  readonly filters: readonly Filter[];
  /** Looks at the installs with this value alone, or at all again. */
  readonly onFilter: (filter: Filter) => void;
  /** What the list is of can be chosen beside its title. */
  readonly choices?: ReactNode;
  /** Why there are no values. */
  readonly empty?: ReactNode;
}

/** Installs by one property, the most frequent value first: each row looks at its installs alone. */
export function Breakdown(props: BreakdownProps): ReactElement {
  const { title, dimension, shares, filters, onFilter, choices, empty } = props;
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? shares : shares.slice(0, SHOWN);
  const isTold = shares.some(({ value }) => value !== null);
  return (
    <section className={css.breakdown} aria-label={title}>
      <div className={css.breakdownHead}>
        <h2>{title}</h2>
        {choices}
      </div>
      {empty !== undefined && !isTold ? (
        <p className={css.empty}>{empty}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{DIMENSION_NAMES[dimension]}</th>
              <th scope="col">Install-days</th>
              <th scope="col">Share</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <Row key={one.value ?? ''} share={one} dimension={dimension} filters={filters} onFilter={onFilter} />
            ))}
          </tbody>
        </table>
      )}
      {shares.length === 0 && empty === undefined && <p className={css.empty}>No pings of these days are kept.</p>}
      {shares.length > SHOWN && (
        <Button kind="quiet" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${number(shares.length)}`}
        </Button>
      )}
    </section>
  );
}

interface RowProps extends Pick<BreakdownProps, 'dimension' | 'filters' | 'onFilter'> {
  readonly share: Schemas['Share'];
}

function Row({ share: { value, installs, share }, dimension, filters, onFilter }: RowProps): ReactElement {
  const isChosen = filters.some((one) => one.dimension === dimension && one.value === value);
  const name = (
    <>
      <Mark dimension={dimension} value={value} />
      <span className={value === null ? css.unknown : css.name}>{nameOf(dimension, value)}</span>
    </>
  );
  return (
    <tr>
      <th scope="row">
        {isFilterable(value) ? (
          <button
            type="button"
            className={css.row}
            data-printed
            aria-pressed={isChosen}
            title={value ?? undefined}
            onClick={() => onFilter({ dimension, value })}
          >
            {name}
            {isChosen && <CrossIcon />}
          </button>
        ) : (
          <span className={css.row}>{name}</span>
        )}
        <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width={share * 100} height="1" className={css.bar} />
        </svg>
      </th>
      <td title={number(installs)}>{shortNumber(installs)}</td>
      <td>{percent(share)}</td>
    </tr>
  );
}

/** The flag of a country or the mark of a store, beside its name. */
function Mark({ dimension, value }: Filter): ReactElement | null {
  if (dimension === 'country')
    return (
      <span className={css.flag} aria-hidden="true">
        {flagOf(value)}
      </span>
    );
  return dimension === 'store' && value !== null && isStore(value) ? <StoreIcon store={value} /> : null;
}

interface ChipsProps extends Pick<BreakdownProps, 'filters' | 'onFilter'> {
  readonly onClear: () => void;
}

/** The filters, each with a button that removes it. */
export function FilterChips({ filters, onFilter, onClear }: ChipsProps): ReactElement | null {
  if (filters.length === 0) return null;
  return (
    <div className={css.chips} role="group" aria-label="Filters">
      {filters.map((filter) => (
        <button key={filter.dimension} type="button" className={css.chip} onClick={() => onFilter(filter)}>
          <Hidden>Remove the filter </Hidden>
          <span>
            {DIMENSION_NAMES[filter.dimension]} <b>{nameOf(filter.dimension, filter.value)}</b>
          </span>
          <CrossIcon />
        </button>
      ))}
      {filters.length > 1 && (
        <Button kind="quiet" onClick={onClear}>
          Remove all
        </Button>
      )}
    </div>
  );
}
