import { useState, type ReactElement } from 'react';
import { Button, PageHeader } from '../../ui';
import { answer, api, useRead, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Deliveries } from './deliveries';
import { AddEndpoint } from './endpoint-form';
import { Endpoints, SecretOnce } from './endpoints';
import css from './notifications.module.css';

type WithSecret = Schemas['NotificationEndpointWithSecret'];

/** Receivers of notifications, and whether they arrived. */
export function NotificationsPage(): ReactElement {
  const mayWrite = useSession().can('extensions:write');
  const [isAdding, setIsAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  // A tenant has at most twenty.
  const endpoints = useRead({
    queryKey: ['endpoints'],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/notifications/endpoints', { signal })),
  });
  const items = endpoints.data?.items;
  const showSecret = (endpoint: WithSecret): void => setSecret(endpoint.secret);
  return (
    <>
      <PageHeader
        title="Notifications"
        actions={
          mayWrite && (
            <Button kind="primary" onClick={() => setIsAdding(true)}>
              Add endpoint
            </Button>
          )
        }
      >
        Who is notified when a version is live, rejected or needs you.
      </PageHeader>
      <div className={css.page}>
        <section aria-label="Endpoints">
          <Endpoints
            endpoints={items}
            problem={endpoints.problem}
            retry={endpoints.retry}
            mayWrite={mayWrite}
            onSecret={showSecret}
          />
        </section>
        {items !== undefined && items.length > 0 && (
          <section aria-labelledby="deliveries" className={css.deliveries} data-cards>
            <h2 id="deliveries">Deliveries</h2>
            <Deliveries endpoints={items} mayWrite={mayWrite} />
          </section>
        )}
      </div>
      {isAdding && (
        <AddEndpoint
          onClose={() => setIsAdding(false)}
          onAdded={(endpoint) => {
            setIsAdding(false);
            showSecret(endpoint);
          }}
        />
      )}
      {secret !== null && <SecretOnce secret={secret} onDone={() => setSecret(null)} />}
    </>
  );
}
