import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../../api';
import { Dialog, Form, STORES, TextArea } from '../../ui';

interface DecisionProps {
  readonly approval: Schemas['Approval'];
  readonly onClose: () => void;
}

/** What is asked again after a decision. */
const changesOf = ({ extensionId }: DecisionProps['approval']) =>
  [['approvals'], ['overview'], ['extensions', extensionId]] as const;

/** Lets a version be sent, behind what that means. */
export function ApproveDialog({ approval, onClose }: DecisionProps): ReactElement {
  const { id, version, store, requestedBy } = approval;
  const approve = useWrite({
    write: () => answer(api.POST('/api/v1/approvals/{id}/approve', { params: { path: { id } } })),
    changes: changesOf(approval),
    announcement: () => `Approved ${version}.`,
  });
  return (
    <Dialog
      title={`Approve ${version}`}
      description={`${version} goes to ${store === null ? 'every enabled store' : STORES[store]}, with exactly this package. The audit log keeps that ${requestedBy ?? 'somebody'} asked for it and that you approved it.`}
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => approve.mutate(undefined, { onSuccess: onClose })}
        problem={approve.error}
        submit={`Approve ${version}`}
        isBusy={approve.isPending}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** Keeps a version from being sent, with the reason. */
export function RejectDialog({ approval, onClose }: DecisionProps): ReactElement {
  const { id, version } = approval;
  const [reason, setReason] = useState('');
  const reject = useWrite({
    write: () => answer(api.POST('/api/v1/approvals/{id}/reject', { params: { path: { id } }, body: { reason } })),
    changes: changesOf(approval),
    announcement: () => `Rejected ${version}.`,
  });
  return (
    <Dialog
      title={`Reject ${version}`}
      description="It is not sent to any store. The pusher gets the reason, and the timeline shows it."
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => reject.mutate(undefined, { onSuccess: onClose })}
        problem={reject.error}
        submit={`Reject ${version}`}
        isBusy={reject.isPending}
        isDisabled={reason.trim() === ''}
        onCancel={onClose}
      >
        <TextArea label="Why" value={reason} onValue={setReason} fault={reject.error?.fault('reason')} />
      </Form>
    </Dialog>
  );
}
