import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './class-names';
import { CheckIcon } from './icons';
import css from './ui.module.css';

interface CheckboxProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly disabled?: boolean;
}

/** Something that is on or off. */
export function Checkbox({ label, hint, checked, onChecked, disabled = false }: CheckboxProps): ReactElement {
  return (
    <label className={css.check}>
      <BaseCheckbox.Root checked={checked} onCheckedChange={onChecked} disabled={disabled} className={classes(css.box)}>
        <BaseCheckbox.Indicator>
          <CheckIcon />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <span>
        {label}
        {hint !== undefined && <div className={css.hint}>{hint}</div>}
      </span>
    </label>
  );
}
