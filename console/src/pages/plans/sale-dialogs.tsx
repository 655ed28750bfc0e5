import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../../api';
import { PlanChoice } from '../../plans';
import { Dialog, Form } from '../../ui';
import { replayAll, SALES } from './sales';

type InboxItem = Schemas['InboxItem'];

interface SaleDialogProps {
  readonly item: InboxItem;
  readonly onClose: () => void;
}

/** Issues the license of a sale that made none. */
export function SaleDialog({ item: { id, reason }, onClose }: SaleDialogProps): ReactElement {
  const [planId, setPlanId] = useState('');
  const issue = useWrite({
    write: () =>
      answer(
        api.POST('/api/v1/webhooks/inbox/{id}/replay', {
          params: { path: { id } },
          body: { issue: true, ...(planId === '' ? {} : { planId }) },
        }),
      ),
    changes: SALES,
    announcement: ({ status, reason: why }) =>
      status === 'handled' ? 'Issued the license.' : `No license was issued. ${why ?? ''}`,
  });
  return (
    <Dialog title="Issue the license of this sale" description={reason} isOpen onClose={onClose}>
      <Form
        onSubmit={() => issue.mutate(undefined, { onSuccess: onClose })}
        problem={issue.error}
        submit="Issue and mail it"
        isBusy={issue.isPending}
        onCancel={onClose}
      >
        <PlanChoice
          value={planId}
          onValue={setPlanId}
          fault={issue.error?.fault('planId')}
          none="The plan that lists its product"
        />
      </Form>
    </Dialog>
  );
}

interface SalesDialogProps {
  readonly processor: InboxItem['processor'] | undefined;
  readonly onClose: () => void;
}

/** Issues the licenses of all sales that made none. */
export function SalesDialog({ processor, onClose }: SalesDialogProps): ReactElement {
  const issue = useWrite({
    write: () => replayAll({ issue: true, ...(processor === undefined ? {} : { processor }) }),
    changes: SALES,
    announcement: (open) => (open === 0 ? 'Issued the licenses of all sales.' : `${open} sales still have no license.`),
  });
  return (
    <Dialog
      title="Issue the licenses of all sales"
      description="Each sale that made no license gets one of the plan that lists its product, and its buyer the code by mail."
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => issue.mutate(undefined, { onSuccess: onClose })}
        problem={issue.error}
        submit="Issue and mail them"
        isBusy={issue.isPending}
        onCancel={onClose}
      />
    </Dialog>
  );
}
