import { Select as BaseSelect } from '@base-ui/react/select';
import type { ReactElement } from 'react';
import { classes } from './class-names';
import { Frame, useNaming, type Described } from './field';
import { CheckIcon, ChevronIcon } from './icons';
import css from './ui.module.css';

interface Option<Value> {
  readonly value: Value;
  readonly label: string;
}

type SelectProps<Value extends string> = Described & {
  readonly value: Value | null;
  readonly onValue: (value: Value) => void;
  readonly options: readonly Option<Value>[];
  readonly placeholder?: string;
  readonly disabled?: boolean;
};

/** A choice of one of several. */
export function Select<Value extends string>({
  label,
  hint,
  fault,
  value,
  onValue,
  options,
  placeholder = 'Choose',
  disabled = false,
}: SelectProps<Value>): ReactElement {
  const shown = options.find((option) => option.value === value)?.label ?? placeholder;
  return (
    <Frame label={label} hint={hint} fault={fault}>
      <BaseSelect.Root
        value={value}
        onValueChange={(next) => {
          if (next !== null) onValue(next);
        }}
        items={options}
        disabled={disabled}
      >
        <Trigger shown={shown} />
        <BaseSelect.Portal>
          <BaseSelect.Positioner sideOffset={4} alignItemWithTrigger={false}>
            <BaseSelect.Popup className={classes(css.popup)}>
              {options.map((option) => (
                <BaseSelect.Item key={option.value} value={option.value} className={classes(css.item)}>
                  <BaseSelect.ItemText>{option.label}</BaseSelect.ItemText>
                  <span className={css.spacer} />
                  <BaseSelect.ItemIndicator>
                    <CheckIcon />
                  </BaseSelect.ItemIndicator>
                </BaseSelect.Item>
              ))}
            </BaseSelect.Popup>
          </BaseSelect.Positioner>
        </BaseSelect.Portal>
      </BaseSelect.Root>
    </Frame>
  );
}

function Trigger({ shown }: { readonly shown: string }): ReactElement {
  const { labelId, control } = useNaming();
  return (
    <BaseSelect.Trigger {...control} aria-labelledby={labelId} className={classes(css.button, css.select)}>
      <span className={css.selected}>{shown}</span>
      <ChevronIcon />
    </BaseSelect.Trigger>
  );
}
