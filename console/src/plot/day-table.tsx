import type { ReactElement } from 'react';
import { valueText, type Before } from './drawing';
import type { Series } from './series';
import css from './plot.module.css';

interface DayTableProps {
  readonly title: string;
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  readonly releases: ReadonlyMap<string, string>;
  readonly openFrom: string;
  readonly before?: Before | undefined;
}

/** The numbers of a plot, the newest day first. */
export function DayTable({ title, days, series, format, releases, openFrom, before }: DayTableProps): ReactElement {
  return (
    <div className={css.dayTable} tabIndex={0} role="region" aria-label={`${title}, as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
            {before !== undefined && <th scope="col">Before</th>}
            {releases.size > 0 && <th scope="col">Went live</th>}
          </tr>
        </thead>
        <tbody>
          {days
            .map((day, at) => (
              <tr key={day}>
                <th scope="row">
                  {day}
                  {day >= openFrom && ' (still counting)'}
                </th>
                {series.map(({ label, values }) => (
                  <td key={label}>{valueText(values[at], format)}</td>
                ))}
                {before !== undefined && <td title={before.days[at]}>{valueText(before.values[at], format)}</td>}
                {releases.size > 0 && <td>{releases.get(day) ?? ''}</td>}
              </tr>
            ))
            .toReversed()}
        </tbody>
      </table>
    </div>
  );
}
