import type { ReactElement } from 'react';
import { answer, answerWithTag, api, useDraft, without, type Schemas } from '../../api';
import { daysIn, noticesIn } from '../../plans';
import { Caution, Dialog, Field, Form, Select, TextArea } from '../../ui';

type Plan = Schemas['Plan'];

/** Values that the form writes, as text; the service reports their faults. */
interface Draft {
  readonly starts?: Plan['durationFrom'];
  readonly grace?: string;
  readonly atEnd?: Plan['onEnd'];
  readonly notices?: string;
  readonly words?: string;
}

const shown = ({ durationFrom, graceDays, onEnd, noticeDays, noticeText }: Plan): Required<Draft> => ({
  starts: durationFrom,
  grace: String(graceDays),
  atEnd: onEnd,
  notices: noticeDays.join(', '),
  words: noticeText ?? '',
});

const LABELS = {
  starts: 'Begins',
  grace: 'Days of grace',
  atEnd: 'Its end means',
  notices: 'Mails to the buyer',
  words: 'Your words in them',
} as const satisfies Record<keyof Draft, string>;

const STARTS = [
  { value: 'issue', label: 'when it is sold or issued' },
  { value: 'activation', label: 'with its first device' },
] as const;
const AT_END = [
  { value: 'expire', label: 'it expires' },
  { value: 'maintain', label: 'it stays, for versions released before' },
] as const;

interface Conflict {
  readonly name: keyof Draft;
  readonly theirs: string;
}

/** What somebody else made of what this form changes too. */
const conflictsOf = (before: Plan, now: Plan, draft: Draft): readonly Conflict[] =>
  (Object.keys(LABELS) as (keyof Draft)[])
    .filter((name) => draft[name] !== undefined && shown(before)[name] !== shown(now)[name])
    .map((name) => ({ name, theirs: shown(now)[name] || 'nothing' }));

const bodyOf = ({ starts, grace, atEnd, notices, words }: Draft): Schemas['UpdatePlan'] => ({
  ...(starts !== undefined && { durationFrom: starts }),
  ...(grace !== undefined && { graceDays: daysIn(grace) }),
  ...(atEnd !== undefined && { onEnd: atEnd }),
  ...(notices !== undefined && { noticeDays: noticesIn(notices) }),
  ...(words !== undefined && { noticeText: words.trim() === '' ? null : words }),
});

/** Changes the terms about the end of a plan's licenses, unless somebody else has meanwhile. */
export function EndDialog({ plan, onClose }: { readonly plan: Plan; readonly onClose: () => void }): ReactElement {
  const params = { path: { id: plan.id } };
  const { base, draft, isChanged, conflicts, isBusy, problem, revise, submit } = useDraft<Plan, Draft, Conflict>({
    known: { data: plan, etag: `"${plan.updatedAt}"` },
    reread: () => answerWithTag(api.GET('/api/v1/plans/{id}', { params })),
    write: async (changed, etag) => {
      const header = etag === null ? {} : { header: { 'If-Match': etag } };
      await answer(api.PATCH('/api/v1/plans/{id}', { params: { ...params, ...header }, body: bodyOf(changed) }));
      onClose();
    },
    changes: [['plans'], ['licenses']],
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
      title={`When licenses of ${plan.tier} end`}
      description="For licenses that are issued from now on. Those that exist keep their terms."
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
        <Select {...input('starts')} options={STARTS} hint="The time that the plan says a license lasts." />
        <Select {...input('atEnd')} options={AT_END} />
        <Field
          {...input('grace')}
          inputMode="numeric"
          hint="How long a license goes on after its end."
          fault={problem?.fault('graceDays')}
        />
        <Field
          {...input('notices')}
          hint="Days before the end, of 30, 7 and 1. Empty: none."
          fault={problem?.fault('noticeDays')}
        />
        <TextArea {...input('words')} hint="Such as where to renew." fault={problem?.fault('noticeText')} />
        {conflicts.map(({ name, theirs }) => (
          <Caution key={name}>
            Somebody changed the plan meanwhile. {LABELS[name]}: {theirs}
          </Caution>
        ))}
      </Form>
    </Dialog>
  );
}
