import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../../api';
import { PlanChoice } from '../../plans';
import { Button, Dialog, Field, Form, number, saveFile, Select, TextArea, wholeNumberIn } from '../../ui';
import { addressesIn, countIn, newKey } from './batch';
import { endOf } from './days';

type Delivery = Schemas['IssueBatch']['delivery'];

const DELIVERIES: readonly { readonly value: Delivery; readonly label: string }[] = [
  { value: 'code', label: 'Codes as a CSV' },
  { value: 'gift', label: 'Gift links as a CSV' },
  { value: 'mail', label: 'Codes by mail' },
];

const EMPTY = { count: '', emails: '', campaign: '', expires: '', delivery: 'code' as Delivery };

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
    changes: [['licenses'], ['campaigns']],
    announcement: (made) => `Issued ${number(countIn(made))} licenses.`,
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
  const { count, campaign, expires, delivery } = form;
  const emails = addressesIn(form.emails);
  const submit = (): void =>
    issue.mutate(
      {
        planId: planId ?? '',
        ...(emails.length > 0 ? { emails } : { count: wholeNumberIn(count) }),
        ...(campaign.trim() !== '' && { campaign }),
        ...(expires !== '' && { expiresAt: endOf(expires) }),
        delivery,
      },
      { onSuccess: setCsv },
    );
  return (
    <Dialog
      title="Issue many licenses"
      description="All have the same plan and end. Codes and links are in the file alone, which cannot be made again later."
      isOpen={isOpen}
      onClose={close}
    >
      {csv === null ? (
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
          <Field
            label="Campaign"
            value={campaign}
            onValue={(value) => change({ campaign: value })}
            maxLength={64}
            autoComplete="off"
            hint="Your name for the occasion, to find, count and revoke these licenses together."
            fault={issue.error?.fault('campaign')}
          />
          <Field
            label="Last day"
            type="date"
            value={expires}
            onValue={(value) => change({ expires: value })}
            hint="Empty: as the plan says."
            fault={issue.error?.fault('expiresAt')}
          />
        </Form>
      ) : (
        <>
          <p>
            Issued {number(countIn(csv))} licenses.
            {delivery === 'mail' && ' Their codes are being mailed.'}
          </p>
          <div>
            {delivery !== 'mail' && (
              <Button
                kind="primary"
                onClick={() =>
                  saveFile(new Blob([csv], { type: 'text/csv' }), delivery === 'gift' ? 'links.csv' : 'codes.csv')
                }
              >
                Save as CSV
              </Button>
            )}{' '}
            <Button onClick={close}>Done</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
