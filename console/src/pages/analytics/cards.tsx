import { useMemo, type ReactElement } from 'react';
import type { Schemas } from '../../api';
import { Change, change, day as dayName, dayRange, number, percent } from '../../ui';
import { Plot, releasesByDay, type Drawing } from '../../plot';
import { addDays } from './range';
import { METRICS, type Measured, type Metric } from './metrics';
import css from './analytics.module.css';

interface CardsProps {
  readonly figures: readonly Measured[];
  /** The figures of all installs, where a part of them is shown. */
  readonly of: readonly Measured[];
  readonly chosen: Metric;
  readonly onChoose: (metric: Metric) => void;
}

/** The figures with their change. A card switches what the plot shows. */
function Cards({ figures, of, chosen, onChoose }: CardsProps): ReactElement {
  return (
    <div className={css.cards} role="group" aria-label="Figures">
      {figures.map((figure) => {
        const { metric, compared } = figure;
        const { label, unit } = METRICS[metric];
        const { value, before } = compared;
        const all = of.find((one) => one.metric === metric)?.compared.value ?? 0;
        return (
          <button
            key={metric}
            type="button"
            className={css.card}
            data-printed
            aria-pressed={metric === chosen}
            onClick={() => onChoose(metric)}
          >
            <span className={css.cardLabel}>{label}</span>
            <span className={css.cardValue}>
              <b>{number(value)}</b>
              {unit !== '' && <small>{unit}</small>}
            </span>
            <span className={css.cardNote}>
              {compared.change !== null && (
                <>
                  <Change value={compared.change} isLessBetter={metric === 'lapsed'} />
                  {`before: ${number(before ?? 0)}`}
                </>
              )}
              {before === 0 && 'none before'}
              {of.length > 0 && all > 0 && <span>{percent(value / all)} of all</span>}
            </span>
          </button>
        );
      })}
    </div>
  );
}

interface ActivityProps extends Omit<CardsProps, 'chosen'> {
  readonly chosen: string | null;
  readonly closedThrough: string;
  readonly live: readonly Schemas['LiveMarker'][];
  readonly compared: Pick<Schemas['Changes'], 'from' | 'to' | 'beforeFrom' | 'beforeTo'>;
  /** What the figures are of, for a picture. */
  readonly name: string;
}

/** The figures of some installs, and the plot of one of them over the days before. */
export function Activity({
  figures,
  of,
  chosen,
  onChoose,
  closedThrough,
  live,
  compared,
  name,
}: ActivityProps): ReactElement {
  const figure = figures.find(({ metric }) => metric === chosen) ?? figures[0];
  const drawing = useMemo((): Drawing | null => {
    if (figure === undefined) return null;
    const { metric, days, values, before } = figure;
    return {
      days,
      series: [{ label: METRICS[metric].label, values }],
      kind: 'lines',
      markers: new Map(live.map(({ date, version }) => [date, version])),
      openFrom: addDays(closedThrough, 1),
      format: number,
      ...(before?.values.some((value) => value > 0) === true && { before }),
    };
  }, [figure, live, closedThrough]);
  const releases = useMemo(() => releasesByDay(live), [live]);
  if (figure === undefined || drawing === null) return <></>;
  const { label, unit } = METRICS[figure.metric];
  const to = figure.days.at(-1) ?? closedThrough;
  const figureText = `${number(figure.compared.value)} ${unit}`.trim();
  const about = [
    `${name} · ${dayRange(figure.days[0] ?? to, to)}`,
    figure.compared.change === null
      ? figureText
      : `${figureText}, ${change(figure.compared.change)} against ${dayRange(compared.beforeFrom, compared.beforeTo)}`,
  ];
  return (
    <section className={css.activity} aria-label="Installs">
      <Cards figures={figures} of={of} chosen={figure.metric} onChoose={onChoose} />
      <Plot title={label} unit="installs" drawing={drawing} releases={releases} about={about} />
      <Note compared={compared} closedThrough={closedThrough} to={to} />
    </section>
  );
}

/** What is compared, and which days still count. */
function Note({
  compared,
  closedThrough,
  to,
}: Pick<ActivityProps, 'compared' | 'closedThrough'> & { readonly to: string }): ReactElement {
  const first = addDays(closedThrough, 1);
  const open = first === to ? `${dayName(to)} is` : 'later days are';
  return (
    <p className={css.note}>
      {`${dayRange(compared.from, compared.to)} against ${dayRange(compared.beforeFrom, compared.beforeTo)}. `}
      {to <= closedThrough
        ? 'All days shown are final.'
        : `Days are UTC days. They are final through ${dayName(closedThrough)}; ${open} still counting.`}{' '}
      An install counts once on each day on which it reports, without anything that identifies a person.
    </p>
  );
}
