import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../../api';
import { Dialog, DayField, Field, Form } from '../../ui';
import { PlanChoice } from '../../plans';
import { endOf } from './days';
import { ownerOf } from './license-words';
import { NewCode } from './new-code';

interface IssueDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Issues a license by hand, and shows its code. */
export function IssueDialog({ isOpen, onClose }: IssueDialogProps): ReactElement {
  const [planId, setPlanId] = useState<string | null>(null);
  const [buyerEmail, setBuyerEmail] = useState('');
  const [expires, setExpires] = useState('');
  const [code, setCode] = useState<string | null>(null);
  const issue = useWrite({
    write: (body: Schemas['IssueLicense']) => answer(api.POST('/api/v1/licenses', { body })),
    changes: [['licenses']],
    announcement: (license) => `Issued a license to ${ownerOf(license)}.`,
  });
  const close = (): void => {
    issue.reset();
    setBuyerEmail('');
    setExpires('');
    onClose();
  };
  const submit = (): void =>
    issue.mutate(
      { planId: planId ?? '', buyerEmail, ...(expires !== '' && { expiresAt: endOf(expires) }) },
      {
        onSuccess: (license) => {
          close();
          setCode(license.code);
        },
      },
    );
  return (
    <>
      <Dialog
        title="Issue a license"
        description="No mail is sent: you get the code and pass it on."
        isOpen={isOpen}
        onClose={close}
      >
        <Form
          onSubmit={submit}
          problem={issue.error}
          submit="Issue"
          isBusy={issue.isPending}
          isDisabled={planId === null}
          onCancel={close}
        >
          <PlanChoice value={planId} onValue={setPlanId} fault={issue.error?.fault('planId')} />
          <Field
            label="Buyer’s e-mail address"
            type="email"
            value={buyerEmail}
            onValue={setBuyerEmail}
            autoComplete="off"
            fault={issue.error?.fault('buyerEmail')}
          />
          <DayField
            label="Last day"
            value={expires}
            onValue={setExpires}
            hint="Empty: as its plan says."
            fault={issue.error?.fault('expiresAt')}
          />
        </Form>
      </Dialog>
      <NewCode code={code} onClose={() => setCode(null)} />
    </>
  );
}
