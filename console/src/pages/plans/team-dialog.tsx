import type { ReactElement } from 'react';
import type { Schemas } from '../../api';
import { limitIn, shownLimit } from '../../plans';
import { Field } from '../../ui';
import { PlanForm, usePlanDraft } from './plan-form';

type Plan = Schemas['Plan'];

/** Values that the form writes, as text; the service reports their faults. */
interface Values {
  readonly people: string;
  readonly each: string;
}

const shown = ({ maxMembers, seatsPerMember }: Plan): Values => ({
  people: shownLimit(maxMembers),
  each: shownLimit(seatsPerMember),
});

const LABELS = {
  people: 'People besides the buyer',
  each: 'Devices for each of them',
} as const satisfies Record<keyof Values, string>;

const bodyOf = ({ people, each }: Partial<Values>): Schemas['UpdatePlan'] => ({
  ...(people !== undefined && { maxMembers: limitIn(people) }),
  ...(each !== undefined && { seatsPerMember: limitIn(each) }),
});

/** Changes how many people may use a license of a plan, unless somebody else has meanwhile. */
export function TeamDialog({ plan, onClose }: { readonly plan: Plan; readonly onClose: () => void }): ReactElement {
  const edit = usePlanDraft<Values>({ plan, onClose, shown, bodyOf, alsoChanges: ['licenses'] });
  const input = <Name extends keyof Values>(name: Name) => ({
    label: LABELS[name],
    inputMode: 'numeric' as const,
    ...edit.input(name),
  });
  return (
    <PlanForm<Values>
      title={`Team of ${plan.tier}`}
      description="Each person gets a code of their own and shares the devices of the license. Those who are on a license stay. Licenses with numbers of their own keep these."
      edit={edit}
      said={(name, theirs) => `Somebody changed the plan meanwhile. ${LABELS[name]}: ${theirs || 'none said'}`}
    >
      <Field
        {...input('people')}
        hint="From 1 to 100. Empty: a license is for one person."
        fault={edit.problem?.fault('maxMembers')}
      />
      <Field
        {...input('each')}
        hint={`Of the ${plan.maxActivations} of the license. Empty: all share them without a limit for each.`}
        fault={edit.problem?.fault('seatsPerMember')}
      />
    </PlanForm>
  );
}
