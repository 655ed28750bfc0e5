import type { ReactElement } from 'react';
import css from './analytics.module.css';

interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onValue: (value: Value) => void;
}

/** A choice of a few, all in sight. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>): ReactElement {
  const { label, value, options, onValue } = props;
  return (
    <div className={css.segmented} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onValue(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
