import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import type uPlot from 'uplot';
import { announce, Button, day as dayName, saveFile } from '../../ui';
import { DayTable } from './day-table';
import { dayAfter, shownOf, valueText, type Drawing } from './drawing';
import type { Series } from './series';
import css from './analytics.module.css';

const loadDrawing = (): Promise<typeof import('./draw')> => import('./draw');
// Begun with the page, while its figures are still on their way.
loadDrawing().catch(() => undefined);

interface PlotProps {
  readonly title: string;
  /** Drawn again when it is another object. */
  readonly drawing: Drawing;
  /** Unit of the numbers, such as "installs". */
  readonly unit: string;
  /** Rows of the table where the plot adds something up. */
  readonly whole?: readonly Series[];
  /** Versions that went live, by day. */
  readonly releases: ReadonlyMap<string, string>;
}

/** The key of a series, which differs by more than its colour. */
function Key({
  kind,
  at,
  scheme,
}: Pick<Drawing, 'kind'> & { readonly at: number; readonly scheme: string }): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    loadDrawing().then(
      ({ drawKey }) => canvas.current && drawKey(canvas.current, kind, at),
      () => undefined,
    );
  }, [kind, at, scheme]);
  return <canvas ref={canvas} width={16} height={12} className={css.key} aria-hidden="true" />;
}

/** The colours that the page has now, so that plots are drawn again in others. */
function useDrawnScheme(): string {
  const [scheme, setScheme] = useState(document.documentElement.dataset['scheme'] ?? '');
  useEffect(() => {
    const look = new MutationObserver(() => setScheme(document.documentElement.dataset['scheme'] ?? ''));
    look.observe(document.documentElement, { attributeFilter: ['data-scheme'] });
    return () => look.disconnect();
  }, []);
  return scheme;
}

/** A plot over days: with the values of the day that is pointed at, a table one key away, and a picture to take along. */
export function Plot({ title, unit, releases, drawing, whole }: PlotProps): ReactElement {
  const { days, series, kind, format, openFrom } = drawing;
  const into = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  const scheme = useDrawnScheme();
  useEffect(() => {
    const element = into.current;
    if (element === null) return;
    let isGone = false;
    const resized = new ResizeObserver(([entry]) => {
      const width = Math.max(entry?.contentRect.width ?? 0, 200);
      if (plot.current !== null && plot.current.width !== width)
        plot.current.setSize({ width, height: plot.current.height });
    });
    loadDrawing().then(
      ({ draw }) => {
        if (isGone) return;
        plot.current = draw(element, drawing, setAt);
        resized.observe(element);
      },
      // Without what draws it, the numbers are still there.
      () => setIsTable(true),
    );
    return () => {
      isGone = true;
      resized.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [drawing, scheme, isTable]);

  const shown = shownOf(drawing, at);
  const day = days[shown] ?? '';
  const live = releases.get(day);
  const values = series.map(({ label, values: all }) => `${label} ${valueText(all[shown], format)}`).join(', ');
  const isOpen = day >= openFrom;
  const onKey = (event: KeyboardEvent): void => {
    const to = dayAfter(event.key, shown, days.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    setAt(to);
    const { current } = plot;
    current?.setCursor({ left: current.valToPos(Date.parse(days[to] ?? '') / 1000, 'x'), top: 1 }, false);
  };
  const onFigureKey = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 't' || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setIsTable(!isTable);
  };
  const takePicture = async (): Promise<void> => {
    const blob = await loadDrawing()
      .then(({ pictureOf }) => (plot.current === null ? null : pictureOf(plot.current, title, drawing)))
      .catch(() => null);
    if (blob === null) return announce('The browser could not make the picture.');
    saveFile(blob, `${title.toLowerCase().replaceAll(/\W+/g, '-')}.png`);
    announce('Saved the picture.');
  };
  return (
    <figure className={css.figure} aria-labelledby={id} onKeyDown={onFigureKey}>
      <figcaption className={css.caption}>
        <h2 id={id}>{title}</h2>
        <div className={css.tools}>
          <Button kind="quiet" aria-pressed={isTable} aria-keyshortcuts="t" onClick={() => setIsTable(!isTable)}>
            Table
          </Button>
          {!isTable && (
            <Button kind="quiet" onClick={() => void takePicture()}>
              PNG
            </Button>
          )}
        </div>
      </figcaption>
      {isTable ? (
        <DayTable
          title={title}
          days={days}
          series={whole ?? series}
          format={format}
          releases={releases}
          openFrom={openFrom}
        />
      ) : (
        <>
          <div
            ref={into}
            className={css.plot}
            role="slider"
            tabIndex={0}
            aria-label={`${title}, day by day, in ${unit}`}
            aria-orientation="horizontal"
            aria-valuemin={0}
            aria-valuemax={Math.max(days.length - 1, 0)}
            aria-valuenow={shown}
            aria-valuetext={`${dayName(day)}: ${values}${isOpen ? ', still counting' : ''}${live === undefined ? '' : `. ${live} went live`}`}
            onKeyDown={onKey}
          />
          <div className={css.readout} aria-hidden="true">
            <span className={css.day}>
              {dayName(day)}
              {isOpen && ' · still counting'}
            </span>
            {series.map(({ label, values: all }, index) => (
              <span key={label} className={css.value}>
                <Key kind={kind} at={index} scheme={scheme} />
                <span className={css.label} title={label}>
                  {label}
                </span>
                <b>{valueText(all[shown], format)}</b>
              </span>
            ))}
          </div>
          {releases.size > 0 && <p className={css.live}>{live === undefined ? '' : `Went live: ${live}`}</p>}
        </>
      )}
    </figure>
  );
}
