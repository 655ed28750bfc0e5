import type { ReactElement, ReactNode } from 'react';
import { Change, day as dayName } from '../ui';
import { valueText, type Drawing } from './drawing';
import css from './plot.module.css';

interface TooltipProps {
  readonly drawing: Drawing;
  /** The day that is shown. */
  readonly at: number;
  /** Versions that went live on the day. */
  readonly live: string | undefined;
  /** Where the day is, from the left of the plot, and how wide the plot is. */
  readonly left: number;
  readonly width: number;
  /** Draws the key of a series. */
  readonly keyOf: (at: number) => ReactNode;
}

/** The values of a day beside the pointer, for those who see the plot; others hear them from the plot itself. */
export function Tooltip({ drawing, at, live, left, width, keyOf }: TooltipProps): ReactElement {
  const { days, series, format, openFrom, before } = drawing;
  const day = days[at] ?? '';
  const earlier = before?.values[at];
  const value = series[0]?.values[at];
  const isRight = left > width / 2;
  return (
    <div
      className={css.tooltip}
      aria-hidden="true"
      style={isRight ? { right: Math.max(width - left + 12, 0) } : { left: left + 12 }}
    >
      <b className={css.day}>
        {dayName(day)}
        {day >= openFrom && ' · still counting'}
      </b>
      {series.map(({ label, values }, index) => (
        <span key={label} className={css.value}>
          {keyOf(index)}
          <span className={css.label}>{label}</span>
          <b>{valueText(values[at], format)}</b>
        </span>
      ))}
      {before !== undefined && (
        <span className={css.value}>
          <i className={css.beforeKey} />
          <span className={css.label}>{dayName(before.days[at] ?? day)}</span>
          <b>{valueText(earlier, format)}</b>
          {value != null && earlier != null && earlier > 0 && day < openFrom && <Change value={value / earlier - 1} />}
        </span>
      )}
      {live !== undefined && <span className={css.live}>Went live: {live}</span>}
    </div>
  );
}
