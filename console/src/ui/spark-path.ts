interface Box {
  readonly width: number;
  readonly height: number;
}

/** Keeps the line whole where it touches the top or the bottom. */
const MARGIN = 1.5;

/** Paths of a line through the known values, and of the area below it; the lowest value is zero. A gap is crossed by a straight line. Pure. */
export function sparkPath(values: readonly (number | null)[], { width, height }: Box): { line: string; area: string } {
  const top = Math.max(1, ...values.filter((value) => value !== null));
  const each = width / Math.max(values.length - 1, 1);
  const points = values.flatMap((value, at) =>
    value === null ? [] : [`${rounded(at * each)},${rounded(height - MARGIN - (value / top) * (height - 2 * MARGIN))}`],
  );
  const [start, end] = [points[0]?.split(',')[0], points.at(-1)?.split(',')[0]];
  if (start === undefined || end === undefined) return { line: '', area: '' };
  const line = `M${points.join('L')}`;
  return { line, area: `${line}L${end},${height}L${start},${height}Z` };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
