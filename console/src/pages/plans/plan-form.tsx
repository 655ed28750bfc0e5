import type { ReactElement, ReactNode } from 'react';
import { answer, answerWithTag, api, useDraft, without, type Schemas } from '../../api';
import { Caution, Dialog, Form } from '../../ui';

type Plan = Schemas['Plan'];

/** Values of a plan that somebody else has changed since it was read. */
interface Conflict<Values> {
  readonly name: keyof Values;
  readonly theirs: string;
}

interface PlanDraftOptions<Values extends object> {
  readonly plan: Plan;
  readonly onClose: () => void;
  /** The values of a plan as text, in the order of the form. */
  readonly shown: (plan: Plan) => Values;
  /** The request that writes the values of a draft; the service reports their faults. */
  readonly bodyOf: (draft: Partial<Values>) => Schemas['UpdatePlan'];
  /** What the change concerns besides plans. */
  readonly alsoChanges?: readonly string[];
}

/** A change of a plan. What somebody else changes meanwhile is shown before anything is written over it. */
export function usePlanDraft<Values extends Readonly<Record<keyof Values, string>>>({
  plan,
  onClose,
  shown,
  bodyOf,
  alsoChanges = [],
}: PlanDraftOptions<Values>) {
  const params = { path: { id: plan.id } };
  const edit = useDraft<Plan, Partial<Values>, Conflict<Values>>({
    known: { data: plan, etag: `"${plan.updatedAt}"` },
    reread: () => answerWithTag(api.GET('/api/v1/plans/{id}', { params })),
    write: async (draft, etag) => {
      const header = etag === null ? {} : { header: { 'If-Match': etag } };
      await answer(api.PATCH('/api/v1/plans/{id}', { params: { ...params, ...header }, body: bodyOf(draft) }));
      onClose();
    },
    changes: [['plans'], ...alsoChanges.map((one) => [one])],
    announcement: () => `Changed the plan ${plan.tier}.`,
    conflictsOf: (before, now, draft) =>
      (Object.keys(shown(before)) as (keyof Values)[])
        .filter((name) => draft[name] !== undefined && shown(before)[name] !== shown(now)[name])
        .map((name) => ({ name, theirs: shown(now)[name] })),
  });
  const { base, draft, revise } = edit;
  const input = <Name extends keyof Values>(name: Name) => ({
    value: draft[name] ?? shown(base)[name],
    onValue: (value: Values[Name]) =>
      revise((before, now) => (value === shown(now)[name] ? without(before, [name]) : { ...before, [name]: value })),
  });
  return { ...edit, input, onClose };
}

interface PlanFormProps<Values> {
  readonly title: string;
  readonly description: string;
  /** Result of `usePlanDraft`. */
  readonly edit: Pick<
    ReturnType<typeof usePlanDraft<Record<string, string>>>,
    'isChanged' | 'isBusy' | 'problem' | 'submit' | 'onClose'
  > & { readonly conflicts: readonly Conflict<Values>[] };
  /** A sentence about what somebody else changed. */
  readonly said: (name: keyof Values, theirs: string) => string;
  readonly children: ReactNode;
}

/** The dialog that edits a draft of a plan. */
export function PlanForm<Values extends object>({
  title,
  description,
  edit: { conflicts, isChanged, isBusy, problem, submit, onClose },
  said,
  children,
}: PlanFormProps<Values>): ReactElement {
  return (
    <Dialog title={title} description={description} isOpen onClose={onClose}>
      <Form
        onSubmit={submit}
        problem={problem}
        submit={conflicts.length === 0 ? 'Save' : 'Save mine'}
        isBusy={isBusy}
        isDisabled={!isChanged}
        onCancel={onClose}
        cancel={conflicts.length === 0 ? 'Cancel' : 'Keep theirs'}
      >
        {children}
        {conflicts.map(({ name, theirs }) => (
          <Caution key={String(name)}>{said(name, theirs)}</Caution>
        ))}
      </Form>
    </Dialog>
  );
}
