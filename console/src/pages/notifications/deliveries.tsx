import { useState, type ReactElement } from 'react';
import { Button, Empty, Select, Status, Table, Time, useFilters } from '../../ui';
import { answer, api, usePages, useWrite, type Schemas } from '../../api';
import { Attempts } from './attempts';
import { answerOf, eventName, outcomeOf, placeOf } from './words';
import css from './notifications.module.css';

type Delivery = Schemas['NotificationDelivery'];
type Outcome = Delivery['status'];

const ALL = 'all';
const OUTCOMES = [
  { value: ALL, label: 'All' },
  { value: 'waiting', label: 'On their way' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'given_up', label: 'Given up' },
] as const;

const isOutcome = (text: string | null): text is Outcome =>
  OUTCOMES.some(({ value }) => value === text && value !== ALL);

interface DeliveriesProps {
  readonly endpoints: readonly Schemas['NotificationEndpoint'][];
  readonly mayWrite: boolean;
}

/** Deliveries with their receivers and answers, and a way to replay each. */
export function Deliveries({ endpoints, mayWrite }: DeliveriesProps): ReactElement {
  const [params, set] = useFilters();
  const [shown, setShown] = useState<Delivery | null>(null);
  const [wantedEndpoint, wantedStatus] = [params.get('endpoint'), params.get('outcome')];
  const filter = {
    ...(endpoints.some(({ id }) => id === wantedEndpoint) && { endpoint: wantedEndpoint ?? '' }),
    ...(isOutcome(wantedStatus) && { status: wantedStatus }),
  };
  const list = usePages<Delivery>(['deliveries', filter], (cursor, signal) =>
    answer(
      api.GET('/api/v1/notifications/deliveries', {
        params: { query: { ...filter, ...(cursor !== undefined && { cursor }) } },
        signal,
      }),
    ),
  );
  const again = useWrite({
    write: ({ id }: Delivery) =>
      answer(api.POST('/api/v1/notifications/deliveries/{id}/redeliver', { params: { path: { id } } })),
    changes: [['deliveries']],
    announcement: () => 'Replayed the delivery.',
  });
  const choose = (name: string, value: string): void => set(name, value === ALL ? '' : value);
  const places = new Map(endpoints.map((endpoint) => [endpoint.id, placeOf(endpoint)]));
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <div className={css.filters}>
        <Select
          label="Endpoint"
          value={filter.endpoint ?? ALL}
          options={[
            { value: ALL, label: 'All endpoints' },
            ...endpoints.map((endpoint) => ({ value: endpoint.id, label: placeOf(endpoint) })),
          ]}
          onValue={(value) => choose('endpoint', value)}
        />
        <Select
          label="Outcome"
          value={filter.status ?? ALL}
          options={OUTCOMES}
          onValue={(value) => choose('outcome', value)}
        />
      </div>
      <Table
        caption="Deliveries"
        {...list.table}
        rowKey={({ id }) => id}
        refusal={again.error}
        empty={
          isFiltered ? (
            <Empty title="No matching deliveries">
              <p>Choose other filters above.</p>
            </Empty>
          ) : (
            <Empty title="Nothing was sent yet">
              <p>
                What Pierhead sends and how receivers respond is listed here for 90 days. Send a test to create the
                first entry.
              </p>
            </Empty>
          )
        }
        columns={[
          {
            title: 'What',
            cell: ({ kind, message, extensionName, version, endpointId, createdAt }) => (
              <>
                <div>
                  {kind === 'test' || extensionName === null ? eventName(kind) : `${extensionName} ${version ?? ''}`}
                </div>
                <div className={css.second}>{message}</div>
                <div className={css.second}>
                  <Time at={createdAt} /> to {places.get(endpointId) ?? 'a former endpoint'}
                </div>
              </>
            ),
          },
          {
            title: 'Outcome',
            cell: (delivery) => {
              const { state, word } = outcomeOf(delivery, Date.now());
              return (
                <div className={css.status}>
                  <div>
                    <Status state={state}>{word}</Status>
                    <div className={css.second}>{answerOf(delivery)}</div>
                  </div>
                  <div className={css.actions}>
                    {delivery.attempts > 0 && <Button onClick={() => setShown(delivery)}>Attempts</Button>}
                    {mayWrite && (
                      <Button
                        isBusy={again.isPending && again.variables.id === delivery.id}
                        onClick={() => again.mutate(delivery)}
                      >
                        Replay
                      </Button>
                    )}
                  </div>
                </div>
              );
            },
          },
        ]}
      />
      {shown !== null && <Attempts delivery={shown} onClose={() => setShown(null)} />}
    </>
  );
}
