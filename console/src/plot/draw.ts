import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { drawnOf, stacked, tickName, topOf, valueText, type Drawing } from './drawing';

/** Patterns that tell lines and areas apart without their colours. */
const DASHES = [[], [6, 4], [2, 3], [10, 4, 2, 4], [14, 4], [1, 4]] as const;
const TILE = 8;
const LEAST_HEIGHT = 120;
/** Alpha of the area below a single line, behind a colour in hexadecimal digits. */
const FAINT = '1f';

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
export const colorOf = (at: number): string => token(`--plot-${(at % 6) + 1}`);

/** Draws the pattern of an area over its colour, in a square of eight pixels. */
function drawTile(context: CanvasRenderingContext2D, at: number): void {
  context.fillStyle = colorOf(at);
  context.fillRect(0, 0, TILE, TILE);
  context.strokeStyle = token('--bg');
  context.lineWidth = 1;
  context.beginPath();
  const line = (fromX: number, fromY: number, toX: number, toY: number): void => {
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
  };
  if (at === 1) line(0, TILE, TILE, 0);
  if (at === 2) line(0, 0, TILE, TILE);
  if (at === 3) line(0, TILE / 2, TILE, TILE / 2);
  if (at === 4) line(TILE / 2, 0, TILE / 2, TILE);
  if (at === 5) context.rect(2, 2, 2, 2);
  context.stroke();
}

function patternOf(at: number): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = TILE;
  tile.height = TILE;
  const context = tile.getContext('2d');
  if (context === null) return colorOf(at);
  drawTile(context, at);
  return context.createPattern(tile, 'repeat') ?? colorOf(at);
}

/** Draws the key of a series: its dashes, or its area's pattern. */
export function drawKey(canvas: HTMLCanvasElement, kind: Drawing['kind'], at: number): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.clearRect(0, 0, canvas.width, canvas.height);
  if (kind !== 'lines') {
    context.fillStyle = patternOf(at);
    context.fillRect(0, 0, canvas.width, canvas.height);
    return;
  }
  context.strokeStyle = colorOf(at);
  context.lineWidth = 2;
  context.setLineDash([...(DASHES[at % DASHES.length] ?? [])]);
  context.beginPath();
  context.moveTo(0, canvas.height / 2);
  context.lineTo(canvas.width, canvas.height / 2);
  context.stroke();
}

const DAY = 86_400;
const MONTH = 30 * DAY;
/** Steps of the axis in seconds: whole days, months and years, as uPlot counts them. */
const STEPS = [1, 2, 3, 4, 5, 7, 10, 15, 30, 60, 90, 120, 180, 365].map((days) => days * DAY);

const OF_MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const OF_YEAR = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** How a step of the axis names its days. */
const tickDay =
  (step: number) =>
  (seconds: number): string =>
    (step >= MONTH ? OF_YEAR : OF_MONTH).format(seconds * 1000);

const secondsOf = (day: string): number => Date.parse(day) / 1000;

/** Marks the days that still change, behind the plot. */
function shadeOpenDays(plot: uPlot, { openFrom, days }: Drawing): void {
  const last = days.at(-1) ?? openFrom;
  if (openFrom > last) return;
  const { left, top, width, height } = plot.bbox;
  const x = Math.max(left, plot.valToPos(secondsOf(openFrom) - 43_200, 'x', true));
  plot.ctx.fillStyle = token('--bg-hover');
  plot.ctx.fillRect(x, top, left + width - x, height);
}

/** Draws a line at each day on which something went live, and the version where there is room. */
function drawMarkers(plot: uPlot, { markers }: Drawing): void {
  const { ctx, bbox } = plot;
  const ratio = uPlot.pxRatio;
  ctx.save();
  ctx.strokeStyle = token('--text-2');
  ctx.fillStyle = token('--text-2');
  ctx.lineWidth = ratio;
  ctx.setLineDash([3 * ratio, 3 * ratio]);
  ctx.font = `${11 * ratio}px ${token('--font')}`;
  let free = bbox.left;
  for (const [day, name] of markers) {
    const x = Math.round(plot.valToPos(secondsOf(day), 'x', true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const { width } = ctx.measureText(name);
    if (x < free || x + width > bbox.left + bbox.width) continue;
    ctx.fillText(name, x + 4 * ratio, bbox.top - 4 * ratio);
    free = x + width + 12 * ratio;
  }
  ctx.restore();
}

function seriesOf(drawing: Drawing): uPlot.Series[] {
  const { series, kind } = drawing;
  // A line of a single day would not be seen.
  const points = { show: drawnOf(drawing) === 1 };
  return series.map((_, at) =>
    kind === 'lines'
      ? {
          stroke: colorOf(at),
          width: 2,
          dash: [...(DASHES[at % DASHES.length] ?? [])],
          points,
          ...(series.length === 1 && { fill: `${colorOf(at)}${FAINT}` }),
        }
      : { stroke: token('--bg'), width: 1, fill: patternOf(at), points },
  );
}

/** Draws a plot into an element; `onDay` hears which day is pointed at, null for none. */
export function draw(into: HTMLElement, drawing: Drawing, onDay: (at: number | null) => void): uPlot {
  const { days, series, kind } = drawing;
  const axis = { stroke: token('--text-2'), font: `11px ${token('--font')}`, ticks: { show: false } };
  const values = kind === 'lines' ? series.map((one) => one.values) : stacked(series);
  // The highest area is drawn first, and the lower ones cover it.
  const order = kind === 'lines' ? values.map((_, at) => at) : values.map((_, at) => values.length - 1 - at);
  const { before } = drawing;
  const drawn = seriesOf(drawing);
  const end = drawnOf(drawing);
  return new uPlot(
    {
      width: Math.max(into.clientWidth, 200),
      height: Math.max(into.clientHeight, LEAST_HEIGHT),
      padding: [16, 20, 0, 0],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'lines' } },
      scales: { y: { range: (_, __, max) => [0, topOf(kind, max)] } },
      series: [
        {},
        ...(before === undefined
          ? []
          : [{ stroke: token('--text-2'), width: 1.5, dash: [4, 4], points: { show: false } }]),
        ...order.map((at) => drawn[at] ?? {}),
      ],
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 70,
          incrs: STEPS,
          values: (_, ticks, __, ___, step) => ticks.map(tickDay(step)),
        },
        {
          ...axis,
          size: 56,
          grid: { stroke: token('--line'), width: 1 },
          values: (_, ticks) => ticks.map((tick) => tickName(drawing, tick)),
        },
      ],
      hooks: {
        drawClear: [(plot) => shadeOpenDays(plot, drawing)],
        draw: [(plot) => drawMarkers(plot, drawing)],
        setCursor: [(plot) => onDay(plot.cursor.idx ?? null)],
      },
    },
    [
      days.map(secondsOf),
      ...(before === undefined ? [] : [[...before.values]]),
      ...order.map((at) => (values[at] ?? []).map((value, day) => (day < end ? value : null))),
    ],
    into,
  );
}

const MARGIN = 16;
const LINE = 22;

/** What a picture says beside its plot: the title, and lines on what it shows, such as the range and its figure. */
export interface Caption {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Makes a picture of a plot with its caption and keys, each with its last final value, as PNG. */
export function pictureOf(plot: uPlot, { title, lines }: Caption, drawing: Drawing): Promise<Blob | null> {
  const { series, kind, format } = drawing;
  const last = drawnOf(drawing) - 1;
  const head = LINE * (lines.length + 1);
  const { width, height } = plot.ctx.canvas;
  const ratio = uPlot.pxRatio;
  const picture = document.createElement('canvas');
  picture.width = width + 2 * MARGIN * ratio;
  picture.height = height + (2 * MARGIN + head + LINE * series.length) * ratio;
  const context = picture.getContext('2d');
  if (context === null) return Promise.resolve(null);
  context.fillStyle = token('--bg');
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(plot.ctx.canvas, MARGIN * ratio, (MARGIN + head) * ratio);
  context.scale(ratio, ratio);
  context.fillStyle = token('--text');
  context.font = `600 14px ${token('--font')}`;
  context.fillText(title, MARGIN, MARGIN + 12);
  context.font = `12px ${token('--font')}`;
  context.fillStyle = token('--text-2');
  for (const [at, line] of lines.entries()) context.fillText(line, MARGIN, MARGIN + 10 + LINE * (at + 1));
  for (const [at, { label, values }] of series.entries()) {
    const y = height / ratio + MARGIN + head + LINE * at;
    const key = document.createElement('canvas');
    key.width = 16;
    key.height = 12;
    drawKey(key, kind, at);
    context.drawImage(key, MARGIN, y);
    context.fillStyle = token('--text');
    context.fillText(`${label}  ${valueText(values[last], format)}`, MARGIN + 24, y + 11);
  }
  return new Promise((resolve) => {
    picture.toBlob(resolve, 'image/png');
  });
}
