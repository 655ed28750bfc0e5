import type { ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { answer, api, hasAnswered, useExtensionChoices, usePages, useRead, type Schemas } from '../../api';
import { ORDER_COLUMNS, stateOf, type Order } from '../../orders';
import { Cell, Empty, PageHeader, ProblemNote, Detail, Skeleton, Status, Table, Time, type State } from '../../ui';
import { licenseColumns } from './license-columns';
import css from './licenses.module.css';

type Customer = Schemas['Customer'];
type Mail = Customer['mails'][number];

const MAIL_STATES: Readonly<Record<Mail['state'], readonly [State, string]>> = {
  waiting: ['underway', 'waits to be sent'],
  sent: ['live', 'sent'],
  undelivered: ['rejected', 'not delivered'],
};

/** Everything about a buyer: licenses, orders, devices and mails. The address is in the query, which no log keeps. */
export function CustomerPage(): ReactElement {
  const [search] = useSearchParams();
  const address = search.get('address') ?? '';
  const back = { href: '/licenses', label: 'Licenses' };
  if (address === '')
    return (
      <>
        <PageHeader title="Customer" back={back} />
        <Empty title="No customer is chosen">
          <p>
            The <Link href="/licenses">licenses</Link> lead to their buyers.
          </p>
        </Empty>
      </>
    );
  return (
    <>
      <PageHeader title={address} back={back} />
      <Shown key={address} address={address} />
    </>
  );
}

function Shown({ address }: { readonly address: string }): ReactElement {
  const extensions = useExtensionChoices();
  const nameOf = (id: string): string => extensions.find((one) => one.id === id)?.name ?? '';
  const licenses = usePages<Schemas['License']>(['licenses', { email: address }], (cursor, signal) =>
    answer(api.GET('/api/v1/licenses', { params: { query: { email: address, cursor } }, signal })),
  );
  const orders = usePages<Order>(['orders', { buyer: address }], (cursor, signal) =>
    answer(api.GET('/api/v1/orders', { params: { query: { buyer: address, cursor } }, signal })),
  );
  const rest = useRead<Customer>({
    queryKey: ['licenses', 'customer', address],
    queryFn: ({ signal }) => answer(api.POST('/api/v1/customers/find', { body: { email: address }, signal })),
  });
  const hasLicenses = hasAnswered(licenses.items, licenses.problem);
  return (
    <>
      <section className={css.section} aria-labelledby="licenses" data-cards>
        <h2 id="licenses">Licenses</h2>
        <Table
          caption="Licenses"
          {...licenses.table}
          rowKey={({ id }) => id}
          columns={licenseColumns(nameOf).filter(({ title }) => title !== 'Buyer')}
          empty={<Empty title="No license has this address" />}
        />
      </section>
      {hasLicenses && <Orders orders={orders} />}
      {hasLicenses && hasAnswered(orders.items, orders.problem) && <Rest {...rest} />}
    </>
  );
}

const Orders = ({ orders }: { readonly orders: ReturnType<typeof usePages<Order>> }): ReactElement => (
  <section className={css.section} aria-labelledby="orders" data-cards>
    <h2 id="orders">Orders</h2>
    <Table
      caption="Orders"
      {...orders.table}
      rowKey={({ id }) => id}
      columns={[
        { title: 'Order', cell: ({ id, number }) => <Link href={`/orders/${id}`}>{number ?? 'Open'}</Link> },
        ...ORDER_COLUMNS,
        {
          title: 'Licenses',
          cell: (order) => {
            const [state, word] = stateOf(order);
            return <Status state={state}>{word}</Status>;
          },
        },
      ]}
      empty={<Empty title="No order has this address" />}
    />
  </section>
);

interface RestProps {
  readonly data: Customer | undefined;
  readonly problem: ReturnType<typeof useRead<Customer>>['problem'];
  readonly retry: () => Promise<unknown>;
}

/** The devices that use the licenses, and the mails about them. */
function Rest({ data, problem, retry }: RestProps): ReactElement {
  if (data === undefined)
    return problem === null ? (
      <Skeleton label="devices and mails" lines={4} />
    ) : (
      <ProblemNote problem={problem} onRetry={retry} />
    );
  return (
    <>
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      <section className={css.section} aria-labelledby="devices" data-cards>
        <h2 id="devices">Devices</h2>
        <Table
          caption="Devices"
          rows={data.devices}
          rowKey={({ id }) => id}
          columns={[
            { title: 'Device', cell: ({ label }) => <Cell>{label ?? 'Unnamed device'}</Cell> },
            { title: 'License', cell: (device) => <LicenseLink of={device} /> },
            { title: 'Since', cell: ({ firstSeenAt }) => <Time at={firstSeenAt} /> },
            { title: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
          ]}
          empty={<Empty title="No device holds a seat" />}
        />
      </section>
      <section className={css.section} aria-labelledby="mails" data-cards>
        <h2 id="mails">Mails</h2>
        <Table
          caption="Mails"
          rows={data.mails}
          rowKey={({ id }) => id}
          columns={[
            { title: 'Mail', cell: ({ kind }) => (kind === 'code' ? 'The code' : 'The end of the license') },
            { title: 'License', cell: (mail) => <LicenseLink of={mail} /> },
            { title: 'Written', cell: ({ createdAt }) => <Time at={createdAt} /> },
            { title: 'Delivery', cell: (mail) => <MailState mail={mail} /> },
          ]}
          empty={
            <Empty title="No mail in the last 30 days">
              <p>Mails with codes and about the end of licenses appear here.</p>
            </Empty>
          }
        />
      </section>
    </>
  );
}

const LicenseLink = ({ of }: { readonly of: Pick<Mail, 'licenseId' | 'codeHint'> }): ReactElement => (
  <Link href={`/licenses/${of.licenseId}`} className={css.code}>
    …{of.codeHint}
  </Link>
);

function MailState({ mail: { state, attempts, lastError, updatedAt } }: { readonly mail: Mail }): ReactElement {
  const [sign, word] = MAIL_STATES[state];
  return (
    <Cell>
      <Status state={sign}>{word}</Status>
      <Detail>
        {attempts > 0 && <Time at={updatedAt} />}
        {lastError !== null && `, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, ${lastError}`}
      </Detail>
    </Cell>
  );
}
