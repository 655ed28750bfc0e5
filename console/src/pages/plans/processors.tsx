import { useState, type ReactElement } from 'react';
import type { Read, Schemas } from '../../api';
import { useSession } from '../../session';
import { CredentialForm } from '../../stores';
import { Button, CopyField, Dialog, ProblemNote, Detail, Skeleton, Status, Time } from '../../ui';
import css from './plans.module.css';

type Summary = Schemas['WebhookSummary'];
type ProcessorSummary = Summary['processors'][number];

/** Address for the notifications of each processor, their kinds, and the last one. */
export function Processors({ read: { data, problem, retry } }: { readonly read: Read<Summary> }): ReactElement {
  return (
    <section className={css.section}>
      <h2>Payment processors</h2>
      {data === undefined && problem === null && <Skeleton label="payment processors" />}
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      {data !== undefined && (
        <>
          <p>
            Enter this URL where the processor asks for a webhook. It does not have to stay secret, because each
            notification is signed.
          </p>
          <CopyField label="webhook URL" value={data.webhookUrl} />
          {data.processors.map((one) => (
            <Processor key={one.processor} summary={one} />
          ))}
        </>
      )}
    </section>
  );
}

function Processor({ summary }: { readonly summary: ProcessorSummary }): ReactElement {
  const { can } = useSession();
  const [isOpen, setOpen] = useState(false);
  const { processor, title, form, last, credentials, events } = summary;
  const isConnected = credentials.length > 0;
  return (
    <div className={css.processor}>
      <div className={css.head}>
        <h3>{title}</h3>
        <Status state={last === null ? (isConnected ? 'needs_you' : 'off') : 'live'}>
          {last === null ? (isConnected ? 'nothing received yet' : 'not connected') : `last ${last.kind}`}
        </Status>
        {last !== null && <Time at={last.receivedAt} />}
        {can('credentials:write') && (
          <Button
            onClick={() => setOpen(true)}
            aria-label={isConnected ? `Add a secret of ${title}` : `Connect ${title}`}
          >
            {isConnected ? 'Add a secret' : 'Connect'}
          </Button>
        )}
      </div>
      {credentials.map(({ id, label, last: signed }) => (
        <Detail key={id}>
          {label ?? 'Secret without a name'}:{' '}
          {signed === null ? (
            'has signed nothing yet'
          ) : (
            <>
              last signed <Time at={signed.receivedAt} />
            </>
          )}
        </Detail>
      ))}
      <details>
        <summary>Events to tick at {title}</summary>
        <ul className={css.events}>
          {events.map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
      </details>
      <Dialog
        title={`Connect ${title}`}
        description="The secret is encrypted. It verifies that notifications come from the processor."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <CredentialForm provider={{ id: processor, title, ...form }} onSaved={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}
