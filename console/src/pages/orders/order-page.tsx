import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { answer, api, useRead, type Schemas } from '../../api';
import type { PageProps } from '../../page-props';
import { useSession } from '../../session';
import {
  Button,
  BuyerLink,
  Cell,
  Detail,
  Empty,
  OutLink,
  PageHeader,
  ProblemNote,
  Skeleton,
  Status,
  Table,
  Time,
} from '../../ui';
import { ORIGINS, paidOf, productOf, sellerOf, stateOf } from '../../orders';
import css from './orders.module.css';
import { PlanDialog } from './plan-dialog';

type Details = Schemas['OrderDetails'];

/** One order: what was paid, what is wrong, its licenses and its events. */
export function OrderPage({ params: { id = '' } }: PageProps): ReactElement {
  const { can } = useSession();
  const [isSolving, setSolving] = useState(false);
  const {
    data: order,
    problem,
    retry,
  } = useRead({
    queryKey: ['orders', id],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/orders/{id}', { params: { path: { id } }, signal })),
  });
  const back = { href: '/orders', label: 'Orders and sales' };
  if (order === undefined)
    return (
      <>
        <PageHeader title="Order" back={back} />
        {problem === null ? <Skeleton label="order" lines={6} /> : <ProblemNote problem={problem} onRetry={retry} />}
      </>
    );
  return (
    <>
      <PageHeader
        title={`Order ${order.number ?? ''}`.trim()}
        back={back}
        actions={
          can('licenses:write') &&
          order.problem?.turn === 'you' && (
            <Button kind="primary" onClick={() => setSolving(true)}>
              Choose a plan…
            </Button>
          )
        }
      >
        {order.buyer === null ? 'The buyer is not known.' : <BuyerLink address={order.buyer} />}
        {order.buyerName !== null && `, ${order.buyerName}`}
      </PageHeader>
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      <Facts order={order} />
      <Licenses order={order} />
      <Events order={order} />
      {isSolving && <PlanDialog order={order} onClose={() => setSolving(false)} />}
    </>
  );
}

function Facts({ order }: { readonly order: Details }): ReactElement {
  const [state, word] = stateOf(order);
  return (
    <dl className={css.facts}>
      <dt>Licenses</dt>
      <dd>
        <Status state={state}>{word}</Status>
        {order.problem !== null && (
          <Detail>
            {order.problem.message} {order.problem.remedy}
          </Detail>
        )}
      </dd>
      <dt>Paid</dt>
      <dd>{paidOf(order)}</dd>
      <dt>Product</dt>
      <dd>{productOf(order)}</dd>
      <dt>Sold at</dt>
      <dd>
        {sellerOf(order)} {order.url !== null && <OutLink href={order.url}>Its page there</OutLink>}
      </dd>
      <dt>Country</dt>
      <dd>{order.country ?? 'not known'}</dd>
      <dt>Ordered</dt>
      <dd>
        <Time at={order.orderedAt} />
      </dd>
    </dl>
  );
}

const Licenses = ({ order }: { readonly order: Details }): ReactElement => (
  <section className={css.section} data-cards>
    <h2>Licenses</h2>
    {order.notice !== null && <p>{order.notice}</p>}
    <Table
      caption="Licenses of the order"
      rows={order.licenses}
      rowKey={({ id }) => id}
      columns={[
        { title: 'Code', cell: ({ id, codeHint }) => <Link href={`/licenses/${id}`}>…{codeHint}</Link> },
        { title: 'Plan', cell: ({ tier }) => tier },
        { title: 'Status', cell: ({ status }) => status },
        { title: 'The order', cell: (license) => <Origin license={license} /> },
      ]}
      empty={<Empty title="The order has no license" />}
    />
  </section>
);

/** How the order came to a license, and whether another one pays for it by now. */
const Origin = ({ license: { origin, passedAt } }: { readonly license: Details['licenses'][number] }): ReactElement => (
  <>
    {ORIGINS[origin]}
    {passedAt !== null && (
      <>
        , passed on <Time at={passedAt} />
      </>
    )}
  </>
);

const Events = ({ order }: { readonly order: Details }): ReactElement => (
  <section className={css.section} data-cards>
    <h2>Events</h2>
    <p>
      They are also among the <Link href={`/plans?processor=${order.processor}`}>payment notifications</Link>.
    </p>
    <Table
      caption="Events of the order"
      rows={order.events}
      rowKey={({ id }) => id}
      columns={[
        { title: 'Event', cell: ({ kind }) => <Cell>{kind}</Cell> },
        { title: 'Time', cell: ({ happenedAt }) => <Time at={happenedAt} /> },
        {
          title: 'What became of it',
          cell: ({ status, reason }) => (
            <Cell>
              {status}
              <Detail>{reason}</Detail>
            </Cell>
          ),
        },
      ]}
      empty={<Empty title="Its events are no longer kept" />}
    />
  </section>
);
