import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { answer, api, useRead, type Schemas } from '../../api';
import { Change, money, number } from '../../ui';
import css from './home.module.css';

type Figure = Schemas['WeekFigure'];

const FRESH_MS = 300_000;

/** Installs, sales and licenses of the last week, and their change. Nothing where there are none to show. */
export function Week(): ReactElement | null {
  const { data } = useRead({
    queryKey: ['week'],
    staleTime: FRESH_MS,
    queryFn: ({ signal }) => answer(api.GET('/api/v1/overview/week', { signal })),
  });
  if (data === undefined) return null;
  const { installs, sales, licenses } = data;
  const hasLicenses = licenses !== null && licenses.value + licenses.before > 0;
  if (installs === null && !hasLicenses && (sales === null || sales.length === 0)) return null;
  return (
    <section aria-labelledby="week" className={css.week}>
      <h2 id="week" className={css.heading}>
        Last 7 days
      </h2>
      <dl className={css.cards}>
        {installs !== null && <Card title="New installs" href="/analytics" figure={installs} words={number} />}
        {sales?.map((one) => (
          <Card
            key={one.currency}
            title={`Net sales in ${one.currency}`}
            href="/orders"
            figure={one}
            words={(value) => money({ value, currency: one.currency })}
          />
        ))}
        {hasLicenses && <Card title="Licenses issued" href="/licenses" figure={licenses} words={number} />}
      </dl>
    </section>
  );
}

interface CardProps {
  readonly title: string;
  /** The page with more about it. */
  readonly href: string;
  readonly figure: Figure;
  readonly words: (value: number) => string;
}

function Card({ title, href, figure: { value, before, change }, words }: CardProps): ReactElement {
  return (
    <div className={css.card}>
      <dt>
        <Link href={href}>{title}</Link>
      </dt>
      <dd className={css.figure}>{words(value)}</dd>
      <dd className={css.change}>
        {change !== null && change !== 0 && (
          <>
            <Change value={change} />{' '}
          </>
        )}
        {change === 0
          ? 'as in the week before'
          : `${change === null ? '' : 'against '}${words(before)} the week before`}
      </dd>
    </div>
  );
}
