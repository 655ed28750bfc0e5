import { useState, type ReactElement } from 'react';
import { Button, Checkbox, Dialog, Field, Form, ProblemNote, Select, Skeleton } from '../../ui';
import { answer, answerWithTag, api, useRead, useWrite, type Problem, type Schemas } from '../../api';
import { EVENT_KINDS, EVENTS, type EventKind } from './words';

type Kind = Schemas['CreateNotificationEndpoint']['kind'];
type WithSecret = Schemas['NotificationEndpointWithSecret'];

const KINDS = [
  { value: 'webhook', label: 'Webhook' },
  { value: 'mail', label: 'E-mail' },
] as const;

const FIELDS = {
  webhook: { label: 'URL', hint: 'Begins with https. Redirects are not followed.', type: 'url' },
  mail: {
    label: 'E-mail address',
    hint: 'Its owner confirms it by a link before anything else is sent.',
    type: 'email',
  },
} as const;

interface FieldsProps {
  readonly kind: Kind;
  readonly place: string;
  readonly onPlace: (place: string) => void;
  readonly events: readonly EventKind[];
  readonly onEvents: (events: readonly EventKind[]) => void;
  readonly problem: Problem | null;
}

/** Address of an endpoint, and the events that it receives. */
function Fields({ kind, place, onPlace, events, onEvents, problem }: FieldsProps): ReactElement {
  return (
    <>
      <Field
        {...FIELDS[kind]}
        value={place}
        onValue={onPlace}
        fault={problem?.fault('url') ?? problem?.fault('address')}
        autoComplete="off"
      />
      <fieldset>
        <legend>Events</legend>
        {EVENT_KINDS.map((one) => (
          <Checkbox
            key={one}
            label={EVENTS[one]}
            checked={events.includes(one)}
            onChecked={(isOn) => onEvents(EVENT_KINDS.filter((each) => (each === one ? isOn : events.includes(each))))}
          />
        ))}
      </fieldset>
    </>
  );
}

interface AddProps {
  readonly onClose: () => void;
  /** Gets the endpoint with its secret, which is shown once. */
  readonly onAdded: (endpoint: WithSecret) => void;
}

/** Adds a webhook or an e-mail address. */
export function AddEndpoint({ onClose, onAdded }: AddProps): ReactElement {
  const [kind, setKind] = useState<Kind>('webhook');
  const [place, setPlace] = useState('');
  const [events, setEvents] = useState<readonly EventKind[]>(EVENT_KINDS);
  const add = useWrite({
    write: () =>
      answer(
        api.POST('/api/v1/notifications/endpoints', {
          body: { kind, events: [...events], ...(kind === 'webhook' ? { url: place } : { address: place }) },
        }),
      ),
    changes: [['endpoints']],
    announcement: () => (kind === 'webhook' ? 'Added the webhook.' : 'Added the address and sent it a link.'),
  });
  return (
    <Dialog
      title="Add endpoint"
      description="Pierhead sends what happens from now on to this place."
      isOpen
      onClose={onClose}
    >
      <Form
        label="Add endpoint"
        problem={add.error}
        onSubmit={() => add.mutate(undefined, { onSuccess: onAdded })}
        submit="Add endpoint"
        isBusy={add.isPending}
        isDisabled={events.length === 0}
        onCancel={onClose}
      >
        <Select label="Kind" value={kind} options={KINDS} onValue={setKind} />
        <Fields kind={kind} place={place} onPlace={setPlace} events={events} onEvents={setEvents} problem={add.error} />
      </Form>
    </Dialog>
  );
}

interface EditProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Changes where an endpoint leads and what it receives. */
export function EditEndpoint({ id, onClose }: EditProps): ReactElement {
  const { data, problem, retry } = useRead({
    queryKey: ['endpoints', id, 'edit'],
    queryFn: ({ signal }) =>
      answerWithTag(api.GET('/api/v1/notifications/endpoints/{id}', { params: { path: { id } }, signal })),
    gcTime: 0,
  });
  const [edition, setEdition] = useState(0);
  return (
    <Dialog title="Edit endpoint" isOpen onClose={onClose}>
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      {data === undefined && problem === null && <Skeleton label="endpoint" />}
      {data !== undefined && (
        <EditForm
          key={edition}
          newest={data}
          onClose={onClose}
          onReload={() => void retry().then(() => setEdition(edition + 1))}
        />
      )}
    </Dialog>
  );
}

interface EditFormProps {
  readonly newest: { readonly data: Schemas['NotificationEndpoint']; readonly etag: string | null };
  readonly onClose: () => void;
  readonly onReload: () => void;
}

function EditForm({ newest, onClose, onReload }: EditFormProps): ReactElement {
  // Fields that are being edited are not replaced.
  const [{ data: endpoint, etag }] = useState(newest);
  const { id, kind } = endpoint;
  const before = endpoint.url ?? endpoint.address ?? '';
  const [place, setPlace] = useState(before);
  const [events, setEvents] = useState<readonly EventKind[]>(endpoint.events);
  const isMoved = place.trim() !== before;
  const edit = useWrite({
    write: () =>
      answer(
        api.PATCH('/api/v1/notifications/endpoints/{id}', {
          params: { path: { id }, ...(etag !== null && { header: { 'If-Match': etag } }) },
          body: { events: [...events], ...(isMoved && (kind === 'webhook' ? { url: place } : { address: place })) },
        }),
      ),
    changes: [['endpoints']],
    announcement: () => 'Saved the endpoint.',
  });
  const isSame = !isMoved && events.toSorted().join() === endpoint.events.toSorted().join();
  return (
    <Form
      label="Edit endpoint"
      problem={edit.error}
      onSubmit={() => edit.mutate(undefined, { onSuccess: onClose })}
      submit="Save"
      isBusy={edit.isPending}
      isDisabled={events.length === 0 || isSame}
      onCancel={onClose}
      also={edit.error?.code === 'precondition_failed' && <Button onClick={onReload}>Show what is there now</Button>}
    >
      <Fields kind={kind} place={place} onPlace={setPlace} events={events} onEvents={setEvents} problem={edit.error} />
    </Form>
  );
}
