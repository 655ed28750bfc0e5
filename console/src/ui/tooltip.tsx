import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { classes } from './class-names';
import css from './ui.module.css';

/** A word more about a control, on hover and focus. What everybody needs stands on the page instead. */
export function Tooltip({ text, children }: { readonly text: string; readonly children: ReactElement }): ReactElement {
  return (
    <BaseTooltip.Root>
      <BaseTooltip.Trigger render={children} />
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner sideOffset={6}>
          <BaseTooltip.Popup className={classes(css.tooltip)}>{text}</BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}
