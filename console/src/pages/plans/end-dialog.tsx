import type { ReactElement } from 'react';
import type { Schemas } from '../../api';
import { daysIn, noticesIn } from '../../plans';
import { Field, Select, TextArea } from '../../ui';
import { PlanForm, usePlanDraft } from './plan-form';

type Plan = Schemas['Plan'];

/** Values that the form writes, as text; the service reports their faults. */
interface Values {
  readonly starts: Plan['durationFrom'];
  readonly grace: string;
  readonly leeway: string;
  readonly atEnd: Plan['onEnd'];
  readonly notices: string;
  readonly words: string;
}

const shown = ({ durationFrom, graceDays, renewalLeewayHours, onEnd, noticeDays, noticeText }: Plan): Values => ({
  starts: durationFrom,
  grace: String(graceDays),
  leeway: String(renewalLeewayHours ?? ''),
  atEnd: onEnd,
  notices: noticeDays.join(', '),
  words: noticeText ?? '',
});

const LABELS = {
  starts: 'Begins',
  grace: 'Days of grace',
  leeway: 'Hours of leeway',
  atEnd: 'Its end means',
  notices: 'Mails to the buyer',
  words: 'Your words in them',
} as const satisfies Record<keyof Values, string>;

const STARTS = [
  { value: 'issue', label: 'when it is sold or issued' },
  { value: 'activation', label: 'with its first device' },
] as const;
const AT_END = [
  { value: 'expire', label: 'it expires' },
  { value: 'maintain', label: 'it stays, for versions released before' },
] as const;

const bodyOf = ({ starts, grace, leeway, atEnd, notices, words }: Partial<Values>): Schemas['UpdatePlan'] => ({
  ...(starts !== undefined && { durationFrom: starts }),
  ...(grace !== undefined && { graceDays: daysIn(grace) }),
  ...(leeway !== undefined && { renewalLeewayHours: leeway.trim() === '' ? null : daysIn(leeway) }),
  ...(atEnd !== undefined && { onEnd: atEnd }),
  ...(notices !== undefined && { noticeDays: noticesIn(notices) }),
  ...(words !== undefined && { noticeText: words.trim() === '' ? null : words }),
});

/** Changes the terms about the end of a plan's licenses, unless somebody else has meanwhile. */
export function EndDialog({ plan, onClose }: { readonly plan: Plan; readonly onClose: () => void }): ReactElement {
  const edit = usePlanDraft<Values>({ plan, onClose, shown, bodyOf, alsoChanges: ['licenses'] });
  const { problem } = edit;
  const input = <Name extends keyof Values>(name: Name) => ({ label: LABELS[name], ...edit.input(name) });
  return (
    <PlanForm<Values>
      title={`When licenses of ${plan.tier} end`}
      description="For licenses that are issued from now on. Those that exist keep their terms."
      edit={edit}
      said={(name, theirs) => `Somebody changed the plan meanwhile. ${LABELS[name]}: ${theirs || 'nothing'}`}
    >
      <Select {...input('starts')} options={STARTS} hint="The time that the plan says a license lasts." />
      <Select {...input('atEnd')} options={AT_END} />
      <Field
        {...input('grace')}
        inputMode="numeric"
        hint="How long a license goes on after its end."
        fault={problem?.fault('graceDays')}
      />
      <Field
        {...input('leeway')}
        inputMode="numeric"
        hint="How long a subscription waits for the word of its renewal. Empty: as the operator says."
        fault={problem?.fault('renewalLeewayHours')}
      />
      <Field
        {...input('notices')}
        hint="Days before the end, of 30, 7 and 1. Empty: none."
        fault={problem?.fault('noticeDays')}
      />
      <TextArea {...input('words')} hint="Such as where to renew." fault={problem?.fault('noticeText')} />
    </PlanForm>
  );
}
