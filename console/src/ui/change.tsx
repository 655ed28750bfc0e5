import type { ReactElement } from 'react';
import { change as changeText } from './format';
import { classes } from './class-names';
import css from './ui.module.css';

interface ChangeProps {
  /** As a share of the figure before; null where there was none. */
  readonly value: number | null;
  /** Whether less is better. */
  readonly isLessBetter?: boolean;
}

/** A change against the days before: its sign says the direction, its colour whether that is good. */
export function Change({ value, isLessBetter = false }: ChangeProps): ReactElement {
  const rounded = Math.round((value ?? 0) * 100);
  const isGood = isLessBetter ? rounded < 0 : rounded > 0;
  return (
    <span className={classes(css.change, rounded !== 0 && (isGood ? css.better : css.worse))}>{changeText(value)}</span>
  );
}
