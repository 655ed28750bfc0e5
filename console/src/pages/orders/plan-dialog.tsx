import { useState, type ReactElement } from 'react';
import { answer, api, useWrite } from '../../api';
import { PlanChoice } from '../../plans';
import { Checkbox, Dialog, Form } from '../../ui';
import { CHANGES, type Order } from '../../orders';

interface PlanDialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

/** Gives an order the plan that it lacks. */
export function PlanDialog({ order: { id, problem }, onClose }: PlanDialogProps): ReactElement {
  const [planId, setPlanId] = useState<string | null>(null);
  const [remember, setRemember] = useState(true);
  const assign = useWrite({
    write: () =>
      answer(
        api.POST('/api/v1/orders/{id}/plan', { params: { path: { id } }, body: { planId: planId ?? '', remember } }),
      ),
    changes: CHANGES,
    announcement: (order) => order.problem?.message ?? 'Issued the licenses of the order.',
  });
  return (
    <Dialog title="Choose the plan of this order" description={problem?.message ?? null} isOpen onClose={onClose}>
      <Form
        onSubmit={() => assign.mutate(undefined, { onSuccess: onClose })}
        problem={assign.error}
        submit="Issue and mail it"
        isBusy={assign.isPending}
        onCancel={onClose}
      >
        <PlanChoice value={planId} onValue={setPlanId} fault={assign.error?.fault('planId')} />
        <Checkbox label="Also for later sales of its products" checked={remember} onChecked={setRemember} />
      </Form>
    </Dialog>
  );
}
