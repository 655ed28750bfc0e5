import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import {
  answer,
  answerWithTag,
  api,
  hasAnswered,
  useExtensionChoices,
  useRead,
  useWrite,
  type Schemas,
} from '../../api';
import { History } from '../../audit';
import type { PageProps } from '../../page-props';
import { shownFeatures, shownMetadata } from '../../plans';
import { useSession } from '../../session';
import {
  Button,
  Cell,
  Detail,
  Dialog,
  Empty,
  Form,
  PageHeader,
  ProblemNote,
  Skeleton,
  Status,
  Table,
  Time,
} from '../../ui';
import { EndInFull } from './last-day';
import { LicenseActions } from './license-actions';
import { DELIVERIES, reasonOf, saleOf, STATUSES } from './license-words';
import css from './licenses.module.css';
import { useMembers, type Members } from './members';
import { Owner } from './owner';
import { Team } from './team';

type LicenseWithDevices = Schemas['LicenseWithDevices'];
type Device = LicenseWithDevices['devices'][number];

/** Has the height of a name, so that nothing moves when that arrives. */
const NOT_YET = '\u00a0';

/** One license: what is true of it, its devices, and what can be done. */
export function LicensePage({ params: { id = '' } }: PageProps): ReactElement {
  const { can } = useSession();
  const extensions = useExtensionChoices();
  const { data, problem, retry } = useRead({
    queryKey: ['licenses', id],
    queryFn: ({ signal }) => answerWithTag(api.GET('/api/v1/licenses/{id}', { params: { path: { id } }, signal })),
  });
  const back = { href: '/licenses', label: 'Licenses' };
  if (data === undefined)
    return (
      <>
        <PageHeader title="License" back={back} />
        {problem === null ? <Skeleton label="license" lines={6} /> : <ProblemNote problem={problem} onRetry={retry} />}
      </>
    );
  const { data: license, etag } = data;
  return (
    <>
      <PageHeader
        title={`License …${license.codeHint}`}
        back={back}
        actions={can('licenses:write') && <LicenseActions license={license} etag={etag} />}
      >
        <Owner license={license} />
      </PageHeader>
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      <dl className={css.facts}>
        <dt>Status</dt>
        <dd>
          <Status state={STATUSES[license.status]}>
            {license.status} {reasonOf(license)}
          </Status>
        </dd>
        <dt>Plan</dt>
        <dd>
          {license.tier}
          <Detail>{extensions.find((one) => one.id === license.extensionId)?.name ?? NOT_YET}</Detail>
        </dd>
        <dt>{license.renews ? 'Renews' : 'Expires'}</dt>
        <dd>
          <EndInFull license={license} />
        </dd>
        {license.entitlements.length > 0 && (
          <>
            <dt>Features</dt>
            <dd>{shownFeatures(license.entitlements)}, besides its plan’s</dd>
          </>
        )}
        {Object.keys(license.metadata).length > 0 && (
          <>
            <dt>Your data</dt>
            <dd className={css.data}>{shownMetadata(license.metadata)}</dd>
          </>
        )}
        <dt>Sale</dt>
        <dd>{saleOf(license)}</dd>
        {license.campaign !== null && (
          <>
            <dt>Campaign</dt>
            <dd>
              <Link href={`/licenses?${new URLSearchParams({ campaign: license.campaign })}`}>{license.campaign}</Link>
            </dd>
          </>
        )}
        <dt>Delivery</dt>
        <dd>{license.delivery === null ? 'No mail was sent for this code.' : DELIVERIES[license.delivery]}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={license.createdAt} />
        </dd>
      </dl>
      <Use license={license} />
    </>
  );
}

/** Who uses a license: its devices, and its people; and what was done to it. */
function Use({ license }: { readonly license: LicenseWithDevices }): ReactElement {
  const { can } = useSession();
  const members = useMembers(license.id);
  return (
    <>
      <Devices license={license} members={members} />
      {hasAnswered(members.items, members.problem) && <Team license={license} members={members} />}
      {hasAnswered(members.items, members.problem) && can('audit:read') && (
        <History subjectType="license" subjectId={license.id} queryKey={['licenses', license.id]} />
      )}
    </>
  );
}

interface DevicesProps {
  readonly license: LicenseWithDevices;
  readonly members: Members;
}

/** The devices that hold a seat, each of which can be freed. */
function Devices({ license, members }: DevicesProps): ReactElement {
  const { can } = useSession();
  const [chosen, setChosen] = useState<Device | null>(null);
  const free = useWrite({
    write: (deviceId: string) =>
      answer(
        api.DELETE('/api/v1/licenses/{id}/devices/{deviceId}', { params: { path: { id: license.id, deviceId } } }),
      ),
    changes: [['licenses']],
    announcement: () => 'Freed the seat.',
  });
  const close = (): void => {
    free.reset();
    setChosen(null);
  };
  return (
    <section className={css.section} aria-labelledby="devices" data-cards>
      <h2 id="devices">
        Devices, {license.seats.used} of {license.seats.max}
      </h2>
      <Table
        caption="Devices that hold a seat"
        rows={license.devices}
        rowKey={({ id }) => id}
        columns={[
          {
            title: 'Device',
            cell: ({ label, memberId }) => (
              <Cell>
                {label ?? 'Unnamed device'}
                {memberId !== null && (
                  <Detail>{members.items?.find(({ id }) => id === memberId)?.email ?? NOT_YET}</Detail>
                )}
              </Cell>
            ),
          },
          { title: 'Since', cell: ({ firstSeenAt }) => <Time at={firstSeenAt} /> },
          { title: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
          ...(can('licenses:write')
            ? [{ title: 'Seat', cell: (device: Device) => <Button onClick={() => setChosen(device)}>Free</Button> }]
            : []),
        ]}
        empty={
          <Empty title="No device yet">
            <p>The buyer enters the code in the extension, and the device takes a seat.</p>
          </Empty>
        }
      />
      <Dialog
        title="Free the seat"
        description={`${chosen?.label ?? 'The device'} loses its license at its next check. This cannot be undone, but the device can activate again with the code.`}
        isOpen={chosen !== null}
        onClose={close}
      >
        <Form
          onSubmit={() => free.mutate(chosen?.id ?? '', { onSuccess: close })}
          problem={free.error}
          submit="Free the seat"
          isBusy={free.isPending}
          onCancel={close}
        />
      </Dialog>
    </section>
  );
}
