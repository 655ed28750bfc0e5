import {
  createContext,
  use,
  useId,
  type ComponentProps,
  type FormEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import type { Problem } from '../api/problem';
import { Button } from './button';
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

/** By what a control belongs to its label, hint and fault. */
interface Naming {
  readonly labelId: string;
  readonly control: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': true | undefined;
  };
}

const NamingContext = createContext<Naming | null>(null);

/** The attributes that the control inside a `Frame` takes. */
export function useNaming(): Naming {
  const naming = use(NamingContext);
  if (naming === null) throw new Error('No control outside of a Frame.');
  return naming;
}

/** A field with its label, hint and fault. */
export function Frame({ label, hint, fault, children }: Described & { readonly children: ReactNode }): ReactElement {
  const id = useId();
  const [hintId, faultId] = [`${id}-hint`, `${id}-fault`];
  const describedBy = classes(hint !== undefined && hintId, fault !== undefined && faultId);
  const naming: Naming = {
    labelId: `${id}-label`,
    control: {
      id,
      'aria-describedby': describedBy === '' ? undefined : describedBy,
      'aria-invalid': fault === undefined ? undefined : true,
    },
  };
  return (
    <div className={css.field}>
      <label htmlFor={id} id={naming.labelId} className={css.label}>
        {label}
      </label>
      <NamingContext value={naming}>{children}</NamingContext>
      {hint !== undefined && (
        <div id={hintId} className={css.hint}>
          {hint}
        </div>
      )}
      {fault !== undefined && (
        <div id={faultId} className={css.fault}>
          {faultOf(label, fault)}
        </div>
      )}
    </div>
  );
}

type FieldProps = Described &
  Omit<ComponentProps<'input'>, 'className' | 'onChange' | 'value' | 'defaultValue'> & {
    readonly value: string;
    readonly onValue: (value: string) => void;
  };

/** A field of one line. */
export function Field({ label, hint, fault, onValue, ...rest }: FieldProps): ReactElement {
  return (
    <Frame label={label} hint={hint} fault={fault}>
      <Control {...rest} onValue={onValue} />
    </Frame>
  );
}

function Control({ onValue, ...rest }: Omit<FieldProps, keyof Described>): ReactElement {
  return (
    <input {...rest} {...useNaming().control} onChange={({ target }) => onValue(target.value)} className={css.input} />
  );
}

type TextAreaProps = Described &
  Omit<ComponentProps<'textarea'>, 'className' | 'onChange' | 'value' | 'defaultValue'> & {
    readonly value: string;
    readonly onValue: (value: string) => void;
  };

/** A field of several lines. */
export function TextArea({ label, hint, fault, onValue, ...rest }: TextAreaProps): ReactElement {
  return (
    <Frame label={label} hint={hint} fault={fault}>
      <Lines {...rest} onValue={onValue} />
    </Frame>
  );
}

function Lines({ onValue, ...rest }: Omit<TextAreaProps, keyof Described>): ReactElement {
  return (
    <textarea
      {...rest}
      {...useNaming().control}
      onChange={({ target }) => onValue(target.value)}
      className={css.input}
    />
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
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // A day that cannot be read would be sent as none.
    const unreadable = event.currentTarget.querySelector<HTMLElement>('[data-unreadable]');
    if (unreadable !== null) return unreadable.focus();
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
