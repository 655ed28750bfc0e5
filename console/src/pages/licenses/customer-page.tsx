import { useId, type ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { answer, api, hasAnswered, useExtensionChoices, usePages, useRead, type Schemas } from '../../api';
import { ORDER_COLUMNS, stateOf, type Order } from '../../orders';
import {
  counted,
  Cell,
  Empty,
  PageHeader,
  ProblemNote,
  Detail,
  Skeleton,
  Status,
  Table,
  Time,
  upTo,
  type State,
  type TableProps,
} from '../../ui';
import { licenseColumns } from './license-columns';
import css from './licenses.module.css';

type Customer = Schemas['Customer'];
type Mail = Customer['mails'][number];

const MAIL_STATES: Readonly<Record<Mail['state'], readonly [State, string]>> = {
  waiting: ['underway', 'waits to be sent'],
  sent: ['live', 'sent'],
  undelivered: ['rejected', 'not delivered'],
};

const BACK = { href: '/licenses', label: 'Licenses' };

/** Has the height of a name, so that nothing moves when that arrives. */
const NOT_YET = '\u00a0';

/** Everything about a buyer: licenses, orders, devices and mails. The address is in the query, which no log keeps. */
export function CustomerPage(): ReactElement {
  const [search] = useSearchParams();
  const address = search.get('address') ?? '';
  if (address === '')
    return (
      <>
        <PageHeader title="Customer" back={BACK} />
        <Empty title="No customer is chosen">
          <p>
            The <Link href="/licenses">licenses</Link> lead to their buyers.
          </p>
        </Empty>
      </>
    );
  return <Shown key={address} address={address} />;
}

/** A part of the page: a table below its title. */
function Part<Row>({ title, ...table }: Omit<TableProps<Row>, 'caption'> & { readonly title: string }): ReactElement {
  const id = useId();
  const { rows = [], more = null } = table;
  return (
    <section className={css.section} aria-labelledby={id} data-cards>
      <h2 id={id}>
        {title}
        {rows.length > 0 && `, ${upTo({ count: rows.length, isMore: more !== null })}`}
      </h2>
      <Table caption={title} {...table} />
    </section>
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
      <PageHeader title={address} back={BACK}>
        {rest.data?.name ?? NOT_YET}
      </PageHeader>
      <Part
        title="Licenses"
        {...licenses.table}
        rowKey={({ id }) => id}
        columns={licenseColumns(nameOf).filter(({ title }) => title !== 'Buyer')}
        empty={<Empty title="No license has this address" />}
      />
      {hasLicenses && <Orders orders={orders} />}
      {hasLicenses && hasAnswered(orders.items, orders.problem) && <Rest {...rest} />}
    </>
  );
}

const Orders = ({ orders }: { readonly orders: ReturnType<typeof usePages<Order>> }): ReactElement => (
  <Part
    title="Orders"
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
      <Part
        title="Devices"
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
      <Part
        title="Mails"
        rows={data.mails}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Mail', cell: ({ kind }) => (kind === 'code' ? 'The code' : 'That the license expires') },
          { title: 'License', cell: (mail) => <LicenseLink of={mail} /> },
          { title: 'Written', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { title: 'Delivery', cell: (mail) => <MailState mail={mail} /> },
        ]}
        empty={
          <Empty title="No mail in the last 30 days">
            <p>Mails with codes, and about licenses that expire, appear here.</p>
          </Empty>
        }
      />
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
        {lastError !== null && `, ${counted(attempts, 'attempt')}, ${lastError}`}
      </Detail>
    </Cell>
  );
}
