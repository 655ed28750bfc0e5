import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../../api';
import { PlanChoice } from '../../plans';
import { Dialog, DayField, Field, Form, number, Select, TextArea, wholeNumberIn } from '../../ui';
import { addressesIn, countIn, newKey } from './batch';
import { endOf } from './days';
import { Issued } from './issued';

type Delivery = Schemas['IssueBatch']['delivery'];

const DELIVERIES: readonly { readonly value: Delivery; readonly label: string }[] = [
  { value: 'code', label: 'Codes, to hand out yourself' },
  { value: 'gift', label: 'Gift links, to hand out yourself' },
  { value: 'mail', label: 'Codes by mail to the owners' },
];

const EMPTY = { count: '', emails: '', campaign: '', expires: '', giftExpires: '', delivery: 'code' as Delivery };

interface IssueManyDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Issues many licenses, and saves their codes or links. */
export function IssueManyDialog({ isOpen, onClose }: IssueManyDialogProps): ReactElement {
  const [planId, setPlanId] = useState<string | null>(null);
  const [form, setForm] = useState(EMPTY);
  // Another request has another key; the same one, sent again after a lost answer, issues nothing twice.
  const [key, setKey] = useState(newKey);
  const [csv, setCsv] = useState<string | null>(null);
  const issue = useWrite({
    write: (body: Schemas['IssueBatch']) =>
      answer(
        api.POST('/api/v1/licenses/batch', {
          params: { header: { 'Idempotency-Key': key } },
          headers: { accept: 'text/csv' },
          parseAs: 'text',
          body,
        }),
      ),
    changes: [['licenses']],
    announcement: (made, body) =>
      `Issued ${number(countIn(made))} licenses.${body.delivery === 'mail' ? ' Their codes are being mailed.' : ''}`,
  });
  const change = (part: Partial<typeof EMPTY>): void => {
    setForm((now) => ({ ...now, ...part }));
    setKey(newKey());
  };
  const close = (): void => {
    issue.reset();
    setForm(EMPTY);
    setKey(newKey());
    setCsv(null);
    onClose();
  };
  const { count, campaign, expires, giftExpires, delivery } = form;
  const emails = addressesIn(form.emails);
  const submit = (): void =>
    issue.mutate(
      {
        planId: planId ?? '',
        ...(emails.length > 0 ? { emails } : { count: wholeNumberIn(count) }),
        ...(campaign.trim() !== '' && { campaign }),
        ...(expires !== '' && { expiresAt: endOf(expires) }),
        delivery,
        ...(delivery === 'gift' && giftExpires !== '' && { giftExpiresAt: endOf(giftExpires) ?? '' }),
      },
      { onSuccess: (made) => (delivery === 'mail' ? close() : setCsv(made)) },
    );
  return (
    <>
      <Dialog
        title="Issue many licenses"
        description="All have the same plan and expire on the same day. Their codes or links are shown once."
        isOpen={isOpen && csv === null}
        onClose={close}
      >
        <Form
          onSubmit={submit}
          problem={issue.error}
          submit="Issue"
          isBusy={issue.isPending}
          isDisabled={planId === null || (count === '' && emails.length === 0)}
          onCancel={close}
        >
          <PlanChoice
            value={planId}
            onValue={(id) => {
              setPlanId(id);
              setKey(newKey());
            }}
            fault={issue.error?.fault('planId')}
          />
          <Field
            label="Number"
            inputMode="numeric"
            value={count}
            onValue={(value) => change({ count: value })}
            disabled={emails.length > 0}
            hint="Nobody owns them yet. Up to 5,000."
            fault={issue.error?.fault('count')}
          />
          <TextArea
            label="Or the owners’ e-mail addresses"
            value={form.emails}
            onValue={(value) => change({ emails: value })}
            spellCheck={false}
            hint="One on each line: each gets a license."
            fault={issue.error?.fault('emails')}
          />
          <Select
            label="Delivery"
            value={delivery}
            onValue={(value) => change({ delivery: value })}
            options={DELIVERIES}
            fault={issue.error?.fault('delivery')}
          />
          {delivery === 'gift' && (
            <DayField
              label="Links expire on"
              value={giftExpires}
              onValue={(value) => change({ giftExpires: value })}
              hint="Empty: as long as the licenses."
              fault={issue.error?.fault('giftExpiresAt')}
            />
          )}
          <Field
            label="Campaign"
            value={campaign}
            onValue={(value) => change({ campaign: value })}
            maxLength={64}
            autoComplete="off"
            hint="Your name for the occasion, to find, count and revoke these licenses together."
            fault={issue.error?.fault('campaign')}
          />
          <DayField
            label="Last day of the licenses"
            value={expires}
            onValue={(value) => change({ expires: value })}
            hint="Empty: as the plan says."
            fault={issue.error?.fault('expiresAt')}
          />
        </Form>
      </Dialog>
      <Issued csv={csv} isGift={delivery === 'gift'} onClose={close} />
    </>
  );
}
