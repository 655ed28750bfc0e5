import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react';
import type uPlot from 'uplot';
import { announce, Button, day as dayName, dayRange, saveFile } from '../ui';
import { DayTable } from './day-table';
import { dayAfter, shownOf, valueText, type Drawing } from './drawing';
import type { Series } from './series';
import { Tooltip } from './tooltip';
import css from './plot.module.css';

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
  /** What else a picture says: the range, what it is of, its figure. */
  readonly about?: readonly string[];
  /** What the plot shows can be chosen beside its title. */
  readonly choices?: ReactNode;
}

const NOTHING: readonly string[] = [];

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

interface Place {
  readonly left: number;
  readonly width: number;
}

/** Where a day is within the element of its plot. */
const placeOf = (plot: uPlot, day: string): Place => ({
  left: plot.over.offsetLeft + plot.valToPos(Date.parse(day) / 1000, 'x'),
  width: plot.width,
});

interface Drawn {
  readonly into: RefObject<HTMLDivElement | null>;
  readonly plot: RefObject<uPlot | null>;
  /** The day that is pointed at, null for none. */
  readonly at: number | null;
  readonly setAt: (at: number | null) => void;
  readonly place: Place;
  readonly setPlace: (place: Place) => void;
}

/** Draws a plot into an element while it is shown, again in other colours or with other values, and follows the pointer. */
function useDrawn(drawing: Drawing, scheme: string, isTable: boolean, onFailure: () => void): Drawn {
  const into = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const failed = useRef(onFailure);
  const [at, setAt] = useState<number | null>(null);
  const [place, setPlace] = useState<Place>({ left: 0, width: 0 });
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
        plot.current = draw(element, drawing, (day) => {
          setAt(day);
          if (plot.current !== null && day !== null) setPlace(placeOf(plot.current, drawing.days[day] ?? ''));
        });
        resized.observe(element);
      },
      // Without what draws it, the numbers are still there.
      () => failed.current(),
    );
    return () => {
      isGone = true;
      resized.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [drawing, scheme, isTable]);
  return { into, plot, at, setAt, place, setPlace };
}

/** The keys of the lines and areas, and the days that they are of where others are behind them. */
function Keys({
  drawing,
  keyOf,
}: {
  readonly drawing: Drawing;
  readonly keyOf: (at: number) => ReactElement;
}): ReactElement | null {
  const { days, series, before } = drawing;
  if (series.length < 2 && before === undefined) return null;
  const rangeOf = (all: readonly string[]): string => dayRange(all[0] ?? '', all.at(-1) ?? '');
  return (
    <div className={css.keys} aria-hidden="true">
      {series.map(({ label }, index) => (
        <span key={label} className={css.value}>
          {keyOf(index)}
          <span className={css.label} title={label}>
            {before === undefined ? label : rangeOf(days)}
          </span>
        </span>
      ))}
      {before !== undefined && (
        <span className={css.value}>
          <i className={css.beforeKey} />
          {rangeOf(before.days)}
        </span>
      )}
    </div>
  );
}

/** A plot over days: with the values of the day that is pointed at, a table one key away, and a picture to take along. */
export function Plot({ title, unit, releases, drawing, whole, about = NOTHING, choices }: PlotProps): ReactElement {
  const { days, series, kind, format, openFrom, before } = drawing;
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  const scheme = useDrawnScheme();
  const { into, plot, at, setAt, place, setPlace } = useDrawn(drawing, scheme, isTable, () => setIsTable(true));

  const shown = shownOf(drawing, at);
  const day = days[shown] ?? '';
  const live = releases.get(day);
  const values = series.map(({ label, values: all }) => `${label} ${valueText(all[shown], format)}`).join(', ');
  const isOpen = day >= openFrom;
  const wasBefore =
    before === undefined ? '' : `, ${valueText(before.values[shown], format)} on ${dayName(before.days[shown] ?? day)}`;
  const keyOf = (index: number): ReactElement => <Key kind={kind} at={index} scheme={scheme} />;
  const onKey = (event: KeyboardEvent): void => {
    const to = dayAfter(event.key, shown, days.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    setAt(to);
    const { current } = plot;
    if (current === null) return;
    current.setCursor({ left: current.valToPos(Date.parse(days[to] ?? '') / 1000, 'x'), top: 1 }, false);
    setPlace(placeOf(current, days[to] ?? ''));
  };
  const onFigureKey = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 't' || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setIsTable(!isTable);
  };
  const takePicture = async (): Promise<void> => {
    const blob = await loadDrawing()
      .then(({ pictureOf }) =>
        plot.current === null ? null : pictureOf(plot.current, { title, lines: about }, drawing),
      )
      .catch(() => null);
    if (blob === null) return announce('The browser could not make the picture.');
    saveFile(blob, `${title.toLowerCase().replaceAll(/\W+/g, '-')}.png`);
    announce('Saved the picture.');
  };
  return (
    <figure className={css.figure} aria-labelledby={id} onKeyDown={onFigureKey}>
      <figcaption className={css.caption}>
        <h2 id={id}>{title}</h2>
        {choices}
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
          before={before}
        />
      ) : (
        <>
          <div className={css.field}>
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
              aria-valuetext={`${dayName(day)}: ${values}${wasBefore}${isOpen ? ', still counting' : ''}${live === undefined ? '' : `. ${live} went live`}`}
              onKeyDown={onKey}
              onBlur={() => setAt(null)}
            />
            {at !== null && days.length > 0 && (
              <Tooltip drawing={drawing} at={shown} live={live} keyOf={keyOf} {...place} />
            )}
          </div>
          <Keys drawing={drawing} keyOf={keyOf} />
        </>
      )}
    </figure>
  );
}
