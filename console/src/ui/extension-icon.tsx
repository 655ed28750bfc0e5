import type { ReactElement } from 'react';
import { classes } from './class-names';
import css from './ui.module.css';

interface ExtensionIconProps {
  readonly id: string;
  /** 20, 32 or 48 pixels; 32 by default. */
  readonly size?: 'small' | 'large';
}

/** An extension's own icon, or its initials; its name stands beside it. */
export function ExtensionIcon({ id, size }: ExtensionIconProps): ReactElement {
  return (
    <img
      src={`/api/v1/extensions/${id}/icon`}
      alt=""
      loading="lazy"
      decoding="async"
      className={classes(css.extensionIcon, size !== undefined && css[size])}
    />
  );
}
