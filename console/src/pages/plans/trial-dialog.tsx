import type { ReactElement } from 'react';
import type { Schemas } from '../../api';
import { Field, Select, wholeNumberIn } from '../../ui';
import { PlanForm, usePlanDraft } from './plan-form';

type Plan = Schemas['Plan'];

/** Values that the form writes, as text; the service reports their faults. */
interface Values {
  readonly days: string;
  readonly email: 'yes' | 'no';
}

const shown = ({ trialDays, trialNeedsEmail }: Plan): Values => ({
  days: trialDays === null ? '' : String(trialDays),
  email: trialNeedsEmail ? 'yes' : 'no',
});

const LABELS = { days: 'Days of trial', email: 'E-mail address' } as const satisfies Record<keyof Values, string>;

const EMAIL = [
  { value: 'no', label: 'not needed' },
  { value: 'yes', label: 'needed, confirmed by a link' },
] as const;

const bodyOf = ({ days, email }: Partial<Values>): Schemas['UpdatePlan'] => ({
  ...(days !== undefined && { trialDays: days.trim() === '' ? null : wholeNumberIn(days) }),
  ...(email !== undefined && { trialNeedsEmail: email === 'yes' }),
});

/** Changes the trial that a plan offers, unless somebody else has meanwhile. */
export function TrialDialog({ plan, onClose }: { readonly plan: Plan; readonly onClose: () => void }): ReactElement {
  const edit = usePlanDraft<Values>({ plan, onClose, shown, bodyOf });
  const input = <Name extends keyof Values>(name: Name) => ({ label: LABELS[name], ...edit.input(name) });
  return (
    <PlanForm<Values>
      title={`Trial of ${plan.tier}`}
      description="Each device can use the plan once without a license. Trials that have begun keep their end."
      edit={edit}
      said={(name, theirs) => `Somebody changed the plan meanwhile. ${LABELS[name]}: ${theirs || 'none'}`}
    >
      <Field
        {...input('days')}
        inputMode="numeric"
        hint="From 1 to 365. Empty: no trial."
        fault={edit.problem?.fault('trialDays')}
      />
      <Select {...input('email')} options={EMAIL} hint="Then each address gets one trial, too." />
    </PlanForm>
  );
}
