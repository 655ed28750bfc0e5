import type { Style } from '../terminal/style.js';
import { table } from '../terminal/table.js';
import { count } from './count.js';

const LEVELS = '▁▂▃▄▅▆▇█';
const MIDDLE = 3;
/** Stands for a day without a figure. */
export const GAP = '·';
/** Number of points of a curve. */
const POINTS = 28;

/** The last figures of a series as a curve, from the lowest to the highest, with both. Nothing outside a terminal, or without a figure. @param what the figures count, and how far apart they are */
export function curveText(
  { name, step, values }: { readonly name: string; readonly step: string; readonly values: readonly (number | null)[] },
  style: Style,
): string {
  const last = values.slice(-POINTS);
  const known = last.filter((value) => value !== null);
  if (style.width === undefined || known.length === 0) return '';
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const range = low === high ? count(low) : `${count(low)} to ${count(high)}`;
  const cells = [style('dim', name), style('cyan', sparkline(last)), `${range}, ${last.length} ${step}s`];
  return table([cells], style, { whole: [1], dispensable: [2] });
}

/** Numbers as blocks: the lowest is the smallest block, and null a gap. Pure. */
export function sparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const levelOf = (value: number): number =>
    low === high ? (value === 0 ? 0 : MIDDLE) : Math.round(((value - low) / (high - low)) * (LEVELS.length - 1));
  return values.map((value) => (value === null ? GAP : LEVELS[levelOf(value)])).join('');
}
