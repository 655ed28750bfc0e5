import type { ReactElement, ReactNode } from 'react';
import type { Schemas } from '../api/schemas';
import { AttentionIcon, CrossIcon, DashIcon, LiveIcon, MovingIcon } from './icons';
import { classes } from './class-names';
import css from './ui.module.css';

export type State = Schemas['Display']['tone'];

const ICONS: Readonly<Record<State, () => ReactElement>> = {
  live: LiveIcon,
  underway: MovingIcon,
  needs_you: AttentionIcon,
  rejected: CrossIcon,
  off: DashIcon,
};

/** A state by icon, colour and word; never by colour alone. */
export function Status({ state, children }: { readonly state: State; readonly children: ReactNode }): ReactElement {
  const Icon = ICONS[state];
  return (
    <span className={classes(css.status, css[state])}>
      <Icon />
      {children}
    </span>
  );
}
