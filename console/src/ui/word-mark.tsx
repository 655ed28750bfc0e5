import type { ReactElement } from 'react';
import icon from '../frame/icon.svg';
import css from './ui.module.css';

/** The sign and the name of the service. */
export const WordMark = (): ReactElement => (
  <p className={css.mark}>
    <img src={icon} width="28" height="28" alt="" />
    Pierhead
  </p>
);
