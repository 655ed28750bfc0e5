import type { ReactElement, ReactNode } from 'react';
import type { Problem } from '../api/problem';
import { Button } from './button';
import { Form } from './field';
import { Caution } from './problem-note';
import { Unsaved } from './unsaved';
import { Words } from './words';
import css from './ui.module.css';

/** Something that somebody else has changed since it was read. */
export interface Conflict<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly theirs: string;
  /** Values that this form would write; null where it leaves them. */
  readonly mine: string | null;
}

interface DraftFormProps {
  readonly label: string;
  /** Name of the edited thing, for a sentence. */
  readonly of: string;
  /** Result of `useDraft`. */
  readonly edit: {
    readonly conflicts: readonly Conflict<string>[];
    readonly isChanged: boolean;
    readonly isBusy: boolean;
    readonly problem: Problem | null;
    readonly discard: () => void;
    readonly keepTheirs: () => void;
    readonly submit: () => void;
  };
  readonly isReadOnly: boolean;
  /** Whether somebody already leaves the page on purpose, as one does who deletes what it shows. */
  readonly isLeaving?: boolean;
  readonly children: ReactNode;
}

/** A form that saves a draft. It asks before the draft is written over what somebody else has changed, and before it is left unsaved. */
export function DraftForm({ label, of, edit, isReadOnly, isLeaving = false, children }: DraftFormProps): ReactElement {
  const { isChanged, isBusy, problem, discard, submit } = edit;
  return (
    <>
      {edit.conflicts.length > 0 && <Conflicts of={of} edit={edit} />}
      <Form
        label={label}
        onSubmit={submit}
        problem={problem}
        submit={isReadOnly ? null : 'Save'}
        isBusy={isBusy}
        isDisabled={!isChanged}
        onCancel={isChanged && !isReadOnly ? discard : undefined}
        cancel="Discard changes"
        also={isReadOnly && <span className={css.hint}>Your role may see this, and not change it.</span>}
      >
        {children}
      </Form>
      {isChanged && !isBusy && !isLeaving && <Unsaved />}
    </>
  );
}

function Conflicts({ of, edit }: Pick<DraftFormProps, 'of' | 'edit'>): ReactElement {
  return (
    <div role="alert" className={css.conflicts}>
      <Caution>
        <strong>Somebody else changed {of}. Nothing was saved.</strong>
        <ul>
          {edit.conflicts.map(({ name, label, theirs, mine }) => (
            <li key={name}>
              {label}: now <Words text={theirs} />
              {mine !== null && (
                <>
                  ; yours: <Words text={mine} />
                </>
              )}
            </li>
          ))}
        </ul>
        <Button onClick={edit.keepTheirs}>Keep theirs</Button>{' '}
        <Button kind="primary" onClick={edit.submit}>
          Save mine
        </Button>
      </Caution>
    </div>
  );
}
