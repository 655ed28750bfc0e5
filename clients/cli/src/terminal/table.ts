import type { Style } from './style.js';
import { truncated, widthOf, wrapped } from './width.js';

/** Facts about a table's columns, by their places from the left. */
interface Layout {
  /** A row of names above the others. */
  readonly heads?: readonly string[];
  /** Columns to leave out where there is no room, the least important first. */
  readonly dispensable?: readonly number[];
  /** Columns whose cells mean something else when they are cut, such as numbers. */
  readonly whole?: readonly number[];
  /** The last column holds sentences. Where there is no room, they go below their rows. */
  readonly endsInProse?: boolean;
}

interface Column {
  readonly at: number;
  readonly width: number;
}

const INDENT = '  ';
/** Width below which a cell is cut only when no column can be left out anymore. */
const READABLE = 16;
/** The narrowest terminal that has room for a letter. */
const NARROWEST = 3;

/** Pads text to a width, whatever its colors. */
export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(width - widthOf(text), 0));

/** Sets rows in columns of equal width, two spaces apart, indented by two. No line is wider than the terminal that the style is for. */
export function table(cells: readonly (readonly string[])[], style: Style, layout: Layout = {}): string {
  const { heads, endsInProse = false } = layout;
  // A line end in what a store says must not begin a row.
  const body = cells.map((row) => row.map((cell) => cell.replaceAll(/\s*\n\s*|\t/g, ' ')));
  const rows = heads === undefined ? body : [heads.map((head) => style('dim', head)), ...body];
  const columns = columnsOf(rows);
  const count = columns.length;
  const room = Math.max(style.width ?? Infinity, NARROWEST);
  if (lineWidth(columns) <= room) return drawn(rows, columns).join('\n');
  const above = endsInProse ? columns.slice(0, -1) : columns;
  const silent = above.filter(({ at }) => body.every((row) => ['', '—'].includes(row[at] ?? '')));
  const lines = drawn(rows, fitted(above, silent, room, layout));
  if (!endsInProse) return lines.join('\n');
  const below = (row: readonly string[]): string[] =>
    wrapped(row[count - 1] ?? '', Math.max(room - 2 * INDENT.length, 1))
      .filter((line) => line !== '')
      .map((line) => INDENT + INDENT + line);
  return rows.flatMap((row, at) => [lines[at] ?? '', ...below(row)]).join('\n');
}

function columnsOf(rows: readonly (readonly string[])[]): readonly Column[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widest = (at: number): number => Math.max(0, ...rows.map((row) => widthOf(row[at] ?? '')));
  return Array.from({ length: count }, (_, at) => ({ at, width: widest(at) }));
}

/** Whether a table of these rows needs nothing cut. */
export const isRoomFor = (cells: readonly (readonly string[])[], style: Style, heads: readonly string[]): boolean =>
  lineWidth(columnsOf([heads, ...cells])) <= (style.width ?? Infinity);

const lineWidth = (columns: readonly Column[], widthIn = ({ width }: Column): number => width): number =>
  columns.reduce((sum, column) => sum + INDENT.length + widthIn(column), 0);

const drawn = (rows: readonly (readonly string[])[], columns: readonly Column[]): string[] =>
  rows.map((row) =>
    columns
      .map(({ at, width }) => INDENT + pad(truncated(row[at] ?? '', width), width))
      .join('')
      .trimEnd(),
  );

/** The columns that a line has room for: first those go that say nothing, then what can be spared, and the widest cells are cut. */
function fitted(
  columns: readonly Column[],
  silent: readonly Column[],
  room: number,
  { dispensable = [], whole = [] }: Layout,
): readonly Column[] {
  const canBeCut = ({ at, width }: Column): boolean => !whole.includes(at) && width > READABLE;
  const without = (column: Column, fits: (kept: readonly Column[]) => boolean): void => {
    if (!fits(kept)) kept = kept.filter((each) => each !== column);
  };
  let kept = columns;
  for (const column of silent) without(column, (some) => lineWidth(some) <= room);
  for (const place of dispensable)
    for (const column of columns.filter(({ at }) => at === place))
      without(column, (some) => lineWidth(some, (each) => (canBeCut(each) ? READABLE : each.width)) <= room);
  for (const column of columns.slice(1).toReversed()) without(column, (some) => lineWidth(some, () => 1) <= room);
  while (lineWidth(kept) > room) {
    const some = kept.some(canBeCut) ? kept.filter(canBeCut) : kept;
    const widest = some.reduce((one, other) => (other.width > one.width ? other : one));
    kept = kept.map((each) => (each === widest ? { ...each, width: each.width - 1 } : each));
  }
  return kept;
}
