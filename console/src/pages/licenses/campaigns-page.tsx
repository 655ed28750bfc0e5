import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { answer, api, useExtensionChoices, usePages, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, Cell, Empty, number, PageHeader, Detail, Table, Time, type Column } from '../../ui';
import { BulkDialog } from './bulk-dialog';
import { IssueManyDialog } from './issue-many-dialog';

type Campaign = Schemas['Campaign'];

/** The licenses of a campaign as a filter of the list. */
const filterOf = ({ campaign, extensionId }: Campaign) => ({ campaign, extension: extensionId });

/** The campaigns with their figures: each leads to its licenses, and can be revoked as a whole. */
export function CampaignsPage(): ReactElement {
  const mayWrite = useSession().can('licenses:write');
  const [isIssuing, setIssuing] = useState(false);
  const [revoked, setRevoked] = useState<Campaign | null>(null);
  const extensions = useExtensionChoices();
  const list = usePages<Campaign>(['licenses', 'campaigns'], (cursor, signal) =>
    answer(api.GET('/api/v1/campaigns', { params: { query: { cursor } }, signal })),
  );
  const columns: readonly Column<Campaign>[] = [
    {
      title: 'Campaign',
      cell: (one) => (
        <Cell>
          <Link href={`/licenses?${new URLSearchParams(filterOf(one))}`}>{one.campaign}</Link>
        </Cell>
      ),
    },
    {
      title: 'For',
      cell: ({ tier, extensionId }) => (
        <Cell>
          {tier}
          <Detail>{extensions.find(({ id }) => id === extensionId)?.name ?? '\u00a0'}</Detail>
        </Cell>
      ),
    },
    { title: 'Issued', cell: ({ issued }) => number(issued), isEnd: true },
    { title: 'Used', cell: ({ used }) => number(used), isEnd: true },
    { title: 'Active', cell: ({ active }) => number(active), isEnd: true },
    { title: 'Revoked', cell: (one) => number(one.revoked), isEnd: true },
    { title: 'Last issued', cell: ({ lastIssuedAt }) => <Time at={lastIssuedAt} /> },
    ...(mayWrite
      ? [
          {
            title: 'All',
            cell: (one: Campaign) =>
              one.revoked === one.issued ? null : (
                <Button kind="danger" onClick={() => setRevoked(one)} aria-label={`Revoke all of ${one.campaign}…`}>
                  Revoke all…
                </Button>
              ),
          },
        ]
      : []),
  ];
  return (
    <>
      <PageHeader
        title="Campaigns"
        back={{ href: '/licenses', label: 'Licenses' }}
        actions={
          mayWrite && (
            <Button kind="primary" onClick={() => setIssuing(true)}>
              Issue many
            </Button>
          )
        }
      >
        Licenses that were issued for one occasion. One is used once a device has activated it, or its gift link was
        used.
      </PageHeader>
      <div data-cards>
        <Table
          caption="Campaigns"
          columns={columns}
          {...list.table}
          rowKey={({ campaign, planId }) => `${campaign} ${planId}`}
          empty={
            <Empty title="No campaign yet">
              <p>Issue many licenses under a name, such as spring sale, and they are counted here.</p>
            </Empty>
          }
        />
      </div>
      <IssueManyDialog isOpen={isIssuing} onClose={() => setIssuing(false)} />
      {revoked !== null && (
        <BulkDialog of={{ filter: filterOf(revoked) }} first="revoke" onClose={() => setRevoked(null)} />
      )}
    </>
  );
}
