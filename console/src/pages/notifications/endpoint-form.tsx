import { useState, type ReactElement } from 'react';
import { Button, Dialog, Field, Form, ProblemNote, Select, Skeleton } from '../../ui';
import { answer, answerWithTag, api, useRead, useWrite, type Problem, type Schemas } from '../../api';
import { bodyOf, isComplete, isSameTold, ToldChoice, USUALLY_TOLD, type Told } from './told';

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
  readonly told: Told;
  readonly onTold: (told: Told) => void;
  readonly problem: Problem | null;
}

/** Address of an endpoint, and what it is told. */
function Fields({ kind, place, onPlace, told, onTold, problem }: FieldsProps): ReactElement {
  return (
    <>
      <Field
        {...FIELDS[kind]}
        value={place}
        onValue={onPlace}
        fault={problem?.fault('url') ?? problem?.fault('address')}
        autoComplete="off"
      />
      <ToldChoice told={told} onTold={onTold} />
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
  const [told, setTold] = useState(USUALLY_TOLD);
  const add = useWrite({
    write: () =>
      answer(
        api.POST('/api/v1/notifications/endpoints', {
          body: { kind, ...bodyOf(told), ...(kind === 'webhook' ? { url: place } : { address: place }) },
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
        isDisabled={!isComplete(told)}
        onCancel={onClose}
      >
        <Select label="Kind" value={kind} options={KINDS} onValue={setKind} />
        <Fields kind={kind} place={place} onPlace={setPlace} told={told} onTold={setTold} problem={add.error} />
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
  const [told, setTold] = useState<Told>(endpoint);
  const isMoved = place.trim() !== before;
  const edit = useWrite({
    write: () =>
      answer(
        api.PATCH('/api/v1/notifications/endpoints/{id}', {
          params: { path: { id }, ...(etag !== null && { header: { 'If-Match': etag } }) },
          body: { ...bodyOf(told), ...(isMoved && (kind === 'webhook' ? { url: place } : { address: place })) },
        }),
      ),
    changes: [['endpoints']],
    announcement: () => 'Saved the endpoint.',
  });
  const isSame = !isMoved && isSameTold(told, endpoint);
  return (
    <Form
      label="Edit endpoint"
      problem={edit.error}
      onSubmit={() => edit.mutate(undefined, { onSuccess: onClose })}
      submit="Save"
      isBusy={edit.isPending}
      isDisabled={!isComplete(told) || isSame}
      onCancel={onClose}
      also={edit.error?.code === 'precondition_failed' && <Button onClick={onReload}>Show what is there now</Button>}
    >
      <Fields kind={kind} place={place} onPlace={setPlace} told={told} onTold={setTold} problem={edit.error} />
    </Form>
  );
}
