import type { ReactElement } from 'react';
import { number } from './format';
import { sparkPath } from './spark-path';
import css from './ui.module.css';

interface SparklineProps {
  /** A value for each day, oldest first; null where it is not known. */
  readonly values: readonly (number | null)[];
  /** What is counted, such as "Installs a day". */
  readonly label: string;
}

const WIDTH = 96;
const HEIGHT = 24;

/** A small plot without axes, which grows with the room that it has; it says its first, last and highest value. Nothing below two known values. */
export function Sparkline({ values, label }: SparklineProps): ReactElement | null {
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (known.length < 2 || first === undefined || last === undefined) return null;
  const words = `${label}, ${values.length} days: from ${number(first)} to ${number(last)}, at most ${number(Math.max(...known))}`;
  const { line, area } = sparkPath(values, { width: WIDTH, height: HEIGHT });
  return (
    <svg
      className={css.sparkline}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <path className={css.sparkArea} d={area} />
      <path className={css.sparkLine} d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
