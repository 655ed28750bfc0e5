import type { ReactElement } from 'react';
import { answer, api, useRead, type Schemas } from '../../api';
import { Dialog, Empty, exact, number, ProblemNote, Skeleton, Status } from '../../ui';
import { reasonOf } from './words';
import css from './notifications.module.css';

type Attempt = Schemas['DeliveryAttempt'];

interface AttemptsProps {
  readonly delivery: Schemas['NotificationDelivery'];
  readonly onClose: () => void;
}

/** What was sent to a receiver, and what it answered, attempt by attempt. */
export function Attempts({ delivery, onClose }: AttemptsProps): ReactElement {
  const { id, message } = delivery;
  const { data, problem, retry } = useRead({
    queryKey: ['deliveries', id, 'attempts'],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/notifications/deliveries/{id}/attempts', { params: { path: { id } }, signal })),
  });
  return (
    <Dialog title="Attempts" description={message} isOpen onClose={onClose}>
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      {data === undefined && problem === null && <Skeleton label="attempts" lines={4} />}
      {data?.items.length === 0 && (
        <Empty title="No attempts are kept">
          <p>It was not tried yet, or longer than 14 days ago.</p>
        </Empty>
      )}
      {data?.items.map((attempt, at) => (
        <AttemptDetails key={attempt.id} attempt={attempt} isOpen={at === 0} />
      ))}
    </Dialog>
  );
}

function AttemptDetails({ attempt, isOpen }: { readonly attempt: Attempt; readonly isOpen: boolean }): ReactElement {
  const { triedAt, durationMs, request, status, error, answer: said } = attempt;
  return (
    <details open={isOpen} className={css.attempt}>
      <summary>
        <Status state={error === null ? 'live' : 'rejected'}>{status ?? reasonOf(error ?? '')}</Status>{' '}
        <span className={css.second}>
          {exact(triedAt)}
          {durationMs !== null && `, ${number(durationMs)} ms`}
        </span>
      </summary>
      {request !== null && (
        <>
          <h3>Request</h3>
          <pre tabIndex={0} aria-label="Request">
            {textOf(request)}
          </pre>
        </>
      )}
      {error !== null && status !== null && <p>{reasonOf(error)}</p>}
      {said !== null && (
        <>
          <h3>Answer</h3>
          <pre tabIndex={0} aria-label="Answer">
            {said}
          </pre>
        </>
      )}
    </details>
  );
}

function textOf({ url, headers, body }: Schemas['AttemptRequest']): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${url}`, ...lines, '', JSON.stringify(JSON.parse(body), null, 2)].join('\n');
}
