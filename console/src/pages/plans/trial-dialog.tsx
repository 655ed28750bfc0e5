import type { ReactElement } from 'react';
import { answer, answerWithTag, api, useDraft, without, type Schemas } from '../../api';
import { Caution, Dialog, Field, Form, Select, wholeNumberIn } from '../../ui';

type Plan = Schemas['Plan'];

/** Values that the form writes, as text; the service reports their faults. */
interface Draft {
  readonly days?: string;
  readonly email?: 'yes' | 'no';
}

const shown = ({ trialDays, trialNeedsEmail }: Plan): Required<Draft> => ({
  days: trialDays === null ? '' : String(trialDays),
  email: trialNeedsEmail ? 'yes' : 'no',
});

const LABELS = { days: 'Days of trial', email: 'Address' } as const satisfies Record<keyof Draft, string>;

const EMAIL = [
  { value: 'no', label: 'not needed' },
  { value: 'yes', label: 'needed, confirmed by a link' },
] as const;

interface Conflict {
  readonly name: keyof Draft;
  readonly theirs: string;
}

/** What somebody else made of what this form changes too. */
const conflictsOf = (before: Plan, now: Plan, draft: Draft): readonly Conflict[] =>
  (Object.keys(LABELS) as (keyof Draft)[])
    .filter((name) => draft[name] !== undefined && shown(before)[name] !== shown(now)[name])
    .map((name) => ({ name, theirs: shown(now)[name] || 'none' }));

const bodyOf = ({ days, email }: Draft): Schemas['UpdatePlan'] => ({
  ...(days !== undefined && { trialDays: days.trim() === '' ? null : wholeNumberIn(days) }),
  ...(email !== undefined && { trialNeedsEmail: email === 'yes' }),
});

/** Changes the trial that a plan offers, unless somebody else has meanwhile. */
export function TrialDialog({ plan, onClose }: { readonly plan: Plan; readonly onClose: () => void }): ReactElement {
  const params = { path: { id: plan.id } };
  const { base, draft, isChanged, conflicts, isBusy, problem, revise, submit } = useDraft<Plan, Draft, Conflict>({
    known: { data: plan, etag: `"${plan.updatedAt}"` },
    reread: () => answerWithTag(api.GET('/api/v1/plans/{id}', { params })),
    write: async (changed, etag) => {
      const header = etag === null ? {} : { header: { 'If-Match': etag } };
      await answer(api.PATCH('/api/v1/plans/{id}', { params: { ...params, ...header }, body: bodyOf(changed) }));
      onClose();
    },
    changes: [['plans']],
    announcement: () => `Changed the plan ${plan.tier}.`,
    conflictsOf,
  });
  const input = <Name extends keyof Draft>(name: Name) => ({
    label: LABELS[name],
    value: draft[name] ?? shown(base)[name],
    onValue: (value: Required<Draft>[Name]) =>
      revise((before, now) => (value === shown(now)[name] ? without(before, [name]) : { ...before, [name]: value })),
  });
  return (
    <Dialog
      title={`Trial of ${plan.tier}`}
      description="Each device can use the plan once without a license. Trials that have begun keep their end."
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={submit}
        problem={problem}
        submit={conflicts.length === 0 ? 'Save' : 'Save mine'}
        isBusy={isBusy}
        isDisabled={!isChanged}
        onCancel={onClose}
        cancel={conflicts.length === 0 ? 'Cancel' : 'Keep theirs'}
      >
        <Field
          {...input('days')}
          inputMode="numeric"
          hint="From 1 to 365. Empty: no trial."
          fault={problem?.fault('trialDays')}
        />
        <Select {...input('email')} options={EMAIL} hint="With an address, each gets one trial." />
        {conflicts.map(({ name, theirs }) => (
          <Caution key={name}>
            Somebody changed the plan meanwhile. {LABELS[name]}: {theirs}
          </Caution>
        ))}
      </Form>
    </Dialog>
  );
}
