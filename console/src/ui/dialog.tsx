import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { useState, type ReactElement, type ReactNode } from 'react';
import type { Problem } from '../api/problem';
import { classes } from './class-names';
import { Field, Form } from './field';
import css from './ui.module.css';

interface DialogProps {
  readonly title: string;
  /** Consequence, in one sentence. */
  readonly description?: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog over the page. Escape closes it; the focus returns to what opened it. */
export function Dialog({ title, description, isOpen, onClose, children }: DialogProps): ReactElement {
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={classes(css.veil)} />
        <BaseDialog.Popup className={classes(css.dialog)}>
          <BaseDialog.Title>{title}</BaseDialog.Title>
          {description !== undefined && <BaseDialog.Description render={<div />}>{description}</BaseDialog.Description>}
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** A dialog that stays until it is answered: neither Escape nor a click beside it closes it. */
export function MustAnswer({ title, description, isOpen, children }: Omit<DialogProps, 'onClose'>): ReactElement {
  return (
    <AlertDialog.Root open={isOpen}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={classes(css.veil)} />
        <AlertDialog.Popup className={classes(css.dialog)}>
          <AlertDialog.Title>{title}</AlertDialog.Title>
          {description !== undefined && (
            <AlertDialog.Description render={<div />}>{description}</AlertDialog.Description>
          )}
          {children}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

interface ConfirmByNameProps {
  readonly title: string;
  /** Consequence that cannot be undone, in one sentence. */
  readonly description: ReactNode;
  /** Text that has to be typed: the name of the subject. */
  readonly name: string;
  /** The button's word, such as "Delete extension". */
  readonly action: string;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for the name of the thing before something that cannot be undone. */
export function ConfirmByName({ title, description, isOpen, ...form }: ConfirmByNameProps): ReactElement {
  return (
    <Dialog title={title} description={description} isOpen={isOpen} onClose={form.onClose}>
      <NameForm {...form} />
    </Dialog>
  );
}

type NameFormProps = Omit<ConfirmByNameProps, 'title' | 'description' | 'isOpen'>;

/** Mounted while the dialog is open, so that nothing typed is left for the next thing of the same name. */
function NameForm({ name, action, isBusy, problem, onConfirm, onClose }: NameFormProps): ReactElement {
  const [typed, setTyped] = useState('');
  return (
    <Form
      onSubmit={onConfirm}
      problem={problem}
      submit={action}
      isBusy={isBusy}
      isDisabled={typed.trim() !== name.trim()}
      kind="danger"
      onCancel={onClose}
    >
      <Field label={`Type “${name}” to confirm`} value={typed} onValue={setTyped} autoComplete="off" />
    </Form>
  );
}
