import { useState, type ReactElement } from 'react';
import type { Schemas } from '../../api';
import { Button, number, percent } from '../../ui';
import { nameOf, type Dimension } from './names';
import css from './analytics.module.css';

/** Values shown before the reader asks for the rest. */
const SHOWN = 6;

interface SharesProps {
  readonly title: string;
  readonly dimension: Dimension;
  readonly shares: readonly Schemas['Share'][];
}

/** Distribution of installs among the values of a dimension, the most frequent first. */
export function Shares({ title, dimension, shares }: SharesProps): ReactElement {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? shares : shares.slice(0, SHOWN);
  return (
    <section className={css.shares} aria-label={title}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">Share of install-days</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ value, installs, share }) => (
            <tr key={value ?? ''}>
              <th scope="row" title={value ?? undefined}>
                <span className={value === null ? css.unknown : undefined}>{nameOf(dimension, value)}</span>
                <svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
                  <rect width="100" height="3" className={css.track} />
                  <rect width={share * 100} height="3" className={css.bar} />
                </svg>
              </th>
              <td title={`${number(installs)} install-days`}>{percent(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shares.length > SHOWN && (
        <Button kind="quiet" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${number(shares.length)}`}
        </Button>
      )}
    </section>
  );
}
