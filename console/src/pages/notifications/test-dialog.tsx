import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../../api';
import { Dialog, Form, Select } from '../../ui';
import { EVENT_KINDS, eventName, placeOf } from './words';

type Kind = Schemas['NotificationDelivery']['kind'];

const KINDS = (['test', ...EVENT_KINDS] as const).map((value) => ({ value, label: eventName(value) }));

interface TestDialogProps {
  readonly endpoint: Schemas['NotificationEndpoint'];
  readonly onClose: () => void;
}

/** Sends a test, or an example of a kind of notification. */
export function TestDialog({ endpoint, onClose }: TestDialogProps): ReactElement {
  const { id } = endpoint;
  const [kind, setKind] = useState<Kind>('test');
  const place = placeOf(endpoint);
  const test = useWrite({
    write: () =>
      answer(api.POST('/api/v1/notifications/endpoints/{id}/test', { params: { path: { id } }, body: { kind } })),
    changes: [['deliveries'], ['notifications']],
    announcement: () => `An example is on its way to ${place}. See the result under Deliveries.`,
  });
  return (
    <Dialog
      title="Send an example"
      description="An example has everything that such a notification has, is about nothing that exists, and says so."
      isOpen
      onClose={onClose}
    >
      <Form
        label="Send an example"
        onSubmit={() => test.mutate(undefined, { onSuccess: onClose })}
        problem={test.error}
        submit="Send"
        isBusy={test.isPending}
        onCancel={onClose}
      >
        <Select label="Example of" value={kind} options={KINDS} onValue={setKind} />
      </Form>
    </Dialog>
  );
}
