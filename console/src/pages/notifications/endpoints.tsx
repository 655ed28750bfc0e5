import { useState, type ReactElement } from 'react';
import {
  Button,
  ConfirmByName,
  CopyField,
  Empty,
  Menu,
  MenuItem,
  MenuRule,
  MoreIcon,
  MustAnswer,
  Status,
  Table,
  Time,
} from '../../ui';
import { answer, api, useWrite, type Problem, type Schemas } from '../../api';
import { EditEndpoint } from './endpoint-form';
import { TestDialog } from './test-dialog';
import { eventsOf, placeOf, endpointStatus, successOf } from './words';
import css from './notifications.module.css';

type Endpoint = Schemas['NotificationEndpoint'];
type WithSecret = Schemas['NotificationEndpointWithSecret'];

/** Shows a webhook's secret, once. */
export function SecretOnce({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }): ReactElement {
  return (
    <MustAnswer
      title="The webhook’s secret"
      description="Your receiver uses it to verify that a call comes from Pierhead (Standard Webhooks). It is not shown again."
      isOpen
    >
      <CopyField label="secret" value={secret} />
      <div className={css.actions}>
        <Button kind="primary" onClick={onDone}>
          I have stored it
        </Button>
      </div>
    </MustAnswer>
  );
}

interface EndpointActionsProps {
  readonly endpoint: Endpoint;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly onExample: () => void;
  readonly onSecret: (endpoint: WithSecret) => void;
  readonly onProblem: (problem: Problem | null) => void;
}

function EndpointActions(props: EndpointActionsProps): ReactElement {
  const { endpoint, onEdit, onDelete, onExample, onSecret, onProblem } = props;
  const { id, kind, enabled, address, confirmedAt } = endpoint;
  const path = { path: { id } };
  const place = placeOf(endpoint);
  const test = useWrite({
    write: () => answer(api.POST('/api/v1/notifications/endpoints/{id}/test', { params: path })),
    changes: [['deliveries'], ['notifications']],
    announcement: () => `A test is on its way to ${place}. See the result under Deliveries.`,
  });
  const rotate = useWrite({
    write: () => answer(api.POST('/api/v1/notifications/endpoints/{id}/rotate', { params: path })),
    changes: [['endpoints']],
  });
  const change = useWrite({
    write: (body: Schemas['UpdateNotificationEndpoint']) =>
      answer(api.PATCH('/api/v1/notifications/endpoints/{id}', { params: path, body })),
    changes: [['endpoints'], ['deliveries']],
    announcement: (_, { enabled: isOn, address: again }) =>
      again !== undefined ? `Sent another link to ${again}.` : isOn === true ? 'Switched on.' : 'Switched off.',
  });
  const outcome = { onError: onProblem, onSuccess: () => onProblem(null) };
  const isUnconfirmed = kind === 'mail' && confirmedAt === null;
  return (
    <div className={css.actions}>
      {enabled && !isUnconfirmed && (
        <Button isBusy={test.isPending} onClick={() => test.mutate(undefined, outcome)}>
          Send a test
        </Button>
      )}
      <Menu trigger={<MoreIcon />} label={`More for ${place}`}>
        <MenuItem onSelect={onEdit}>Edit</MenuItem>
        {enabled && !isUnconfirmed && <MenuItem onSelect={onExample}>Send an example…</MenuItem>}
        {isUnconfirmed && (
          <MenuItem onSelect={() => change.mutate({ address: address ?? '' }, outcome)}>Send another link</MenuItem>
        )}
        {kind === 'webhook' && (
          <MenuItem onSelect={() => rotate.mutate(undefined, { ...outcome, onSuccess: onSecret })}>
            Make a new secret
          </MenuItem>
        )}
        <MenuItem onSelect={() => change.mutate({ enabled: !enabled }, outcome)}>
          {enabled ? 'Switch off' : 'Switch on'}
        </MenuItem>
        <MenuRule />
        <MenuItem onSelect={onDelete}>Delete</MenuItem>
      </Menu>
    </div>
  );
}

interface EndpointsProps {
  readonly endpoints: readonly Endpoint[] | undefined;
  readonly problem: Problem | null;
  readonly retry: () => Promise<unknown>;
  readonly mayWrite: boolean;
  readonly onSecret: (endpoint: WithSecret) => void;
}

/** The webhooks and addresses that notifications go to. */
export function Endpoints({ endpoints, problem, retry, mayWrite, onSecret }: EndpointsProps): ReactElement {
  const [editing, setEditing] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<Endpoint | null>(null);
  const [testing, setTesting] = useState<Endpoint | null>(null);
  const [failed, setFailed] = useState<Problem | null>(null);
  const remove = useWrite({
    write: ({ id }: Endpoint) =>
      answer(api.DELETE('/api/v1/notifications/endpoints/{id}', { params: { path: { id } } })),
    changes: [['endpoints'], ['deliveries']],
    announcement: (_, endpoint) => `Deleted ${placeOf(endpoint)}.`,
  });
  const closeDeletion = (): void => {
    setDeleting(null);
    remove.reset();
  };
  return (
    <>
      <Table
        caption="Endpoints"
        rows={endpoints}
        rowKey={({ id }) => id}
        problem={problem}
        retry={retry}
        refusal={failed}
        empty={
          <Empty title="No endpoints yet">
            <p>
              Webhooks and mail addresses that are notified when a version is live, rejected or needs you.
              {mayWrite ? ' Add one to begin.' : ' Owners, admins and publishers can add one.'}
            </p>
          </Empty>
        }
        columns={[
          {
            title: 'Endpoint',
            cell: (endpoint) => (
              <>
                <div className={css.place}>{placeOf(endpoint)}</div>
                <div className={css.second}>
                  {endpoint.kind === 'webhook' ? 'Webhook' : 'E-mail'} · {eventsOf(endpoint)}
                  {endpoint.formerSecretUntil !== null && (
                    <>
                      {' '}
                      · the former secret also signs, ending <Time at={endpoint.formerSecretUntil} />
                    </>
                  )}
                </div>
              </>
            ),
          },
          {
            title: 'State',
            cell: (endpoint) => {
              const { state, word, next } = endpointStatus(endpoint, Date.now());
              const success = successOf(endpoint);
              return (
                <div className={css.status}>
                  <div>
                    <Status state={state}>{word}</Status>
                    {next !== undefined && <div className={css.second}>{next}</div>}
                    {success !== null && <div className={css.second}>{success}</div>}
                  </div>
                  {mayWrite && (
                    <EndpointActions
                      endpoint={endpoint}
                      onEdit={() => setEditing(endpoint.id)}
                      onDelete={() => setDeleting(endpoint)}
                      onExample={() => setTesting(endpoint)}
                      onSecret={onSecret}
                      onProblem={setFailed}
                    />
                  )}
                </div>
              );
            },
          },
        ]}
      />
      {testing !== null && <TestDialog endpoint={testing} onClose={() => setTesting(null)} />}
      {editing !== null && <EditEndpoint id={editing} onClose={() => setEditing(null)} />}
      {deleting !== null && (
        <ConfirmByName
          title="Delete this endpoint?"
          description="Its deliveries are deleted too, and pending ones are not sent."
          name={placeOf(deleting)}
          action="Delete endpoint"
          isOpen
          isBusy={remove.isPending}
          problem={remove.error}
          onConfirm={() => remove.mutate(deleting, { onSuccess: closeDeletion })}
          onClose={closeDeletion}
        />
      )}
    </>
  );
}
