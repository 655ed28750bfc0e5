import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Field as BaseField } from '@base-ui/react/field';
import { Select as BaseSelect } from '@base-ui/react/select';
import type { ComponentProps, FormEvent, ReactElement, ReactNode } from 'react';
import type { Problem } from '../api/problem';
import { Button } from './button';
import { CheckIcon, ChevronIcon } from './icons';
import { classes } from './class-names';
import { faultOf } from './faults';
import { ProblemNote } from './problem-note';
import css from './ui.module.css';

export interface Described {
  readonly label: string;
  /** Hint on the value, or on where to find it. */
  readonly hint?: ReactNode;
  /** Fault of the value; `problem.fault('name')` of a refused write. */
  readonly fault?: string | undefined;
}

/** A field with its label, hint and fault. */
export function Frame({ label, hint, fault, children }: Described & { readonly children: ReactNode }): ReactElement {
  return (
    <BaseField.Root className={classes(css.field)} invalid={fault !== undefined}>
      <BaseField.Label className={classes(css.label)}>{label}</BaseField.Label>
      {children}
      {hint !== undefined && <BaseField.Description className={classes(css.hint)}>{hint}</BaseField.Description>}
      {fault !== undefined && (
        <BaseField.Error match className={classes(css.fault)}>
          {faultOf(label, fault)}
        </BaseField.Error>
      )}
    </BaseField.Root>
  );
}

type FieldProps = Described &
  Omit<ComponentProps<'input'>, 'className' | 'onChange' | 'value' | 'defaultValue'> & {
    readonly value: string;
    readonly onValue: (value: string) => void;
  };

/** A field of one line. */
export function Field({ label, hint, fault, value, onValue, ...rest }: FieldProps): ReactElement {
  return (
    <Frame label={label} hint={hint} fault={fault}>
      <BaseField.Control {...rest} value={value} onValueChange={onValue} className={classes(css.input)} />
    </Frame>
  );
}

type TextAreaProps = Described &
  Omit<ComponentProps<'textarea'>, 'className' | 'onChange' | 'value' | 'defaultValue'> & {
    readonly value: string;
    readonly onValue: (value: string) => void;
  };

/** A field of several lines. */
export function TextArea({ label, hint, fault, value, onValue, ...rest }: TextAreaProps): ReactElement {
  return (
    <Frame label={label} hint={hint} fault={fault}>
      <BaseField.Control
        value={value}
        onValueChange={onValue}
        className={classes(css.input)}
        render={<textarea {...rest} />}
      />
    </Frame>
  );
}

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
        <BaseSelect.Trigger className={classes(css.button, css.select)}>
          <span className={css.selected}>{shown}</span>
          <ChevronIcon />
        </BaseSelect.Trigger>
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

interface FormProps {
  readonly onSubmit: () => void;
  readonly children?: ReactNode;
  /** Of the write; errors of its fields appear at the fields, the rest above the buttons. */
  readonly problem?: Problem | null;
  readonly label?: string;
  /** The word of the button that submits; a form that only shows something has none. */
  readonly submit: string | null;
  /** Of that button; `plain` where the page has several forms. */
  readonly kind?: 'primary' | 'danger' | 'plain';
  /** Whether it is being submitted: it then does not submit again. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly onCancel?: (() => void) | undefined;
  readonly cancel?: string;
  /** More buttons, or a word beside them. */
  readonly also?: ReactNode;
}

/** A form that Enter submits. */
export function Form(props: FormProps): ReactElement {
  const { onSubmit, children, problem = null, label, submit, isBusy = false, isDisabled = false, also } = props;
  const { kind = 'primary', onCancel, cancel = 'Cancel' } = props;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy && !isDisabled && submit !== null) onSubmit();
  };
  return (
    <form className={css.form} onSubmit={send} noValidate aria-label={label}>
      {children}
      {problem !== null && <ProblemNote problem={problem} />}
      <div className={css.actions}>
        {submit !== null && (
          <Button type="submit" {...(kind === 'plain' ? {} : { kind })} isBusy={isBusy} disabled={isDisabled}>
            {submit}
          </Button>
        )}
        {onCancel !== undefined && <Button onClick={onCancel}>{cancel}</Button>}
        {also}
      </div>
    </form>
  );
}
