import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { answer, api, usePages, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, Dialog, Empty, number, Table, type Column } from '../../ui';
import { BulkDialog } from './bulk-dialog';
import css from './licenses.module.css';

type Campaign = Schemas['Campaign'];

interface CampaignsDialogProps {
  readonly onClose: () => void;
}

/** The campaigns with their figures, each of which can be revoked as a whole. */
export function CampaignsDialog({ onClose }: CampaignsDialogProps): ReactElement {
  const { can } = useSession();
  const [revoked, setRevoked] = useState<string | null>(null);
  const list = usePages<Campaign>(['campaigns'], (cursor, signal) =>
    answer(api.GET('/api/v1/campaigns', { params: { query: cursor === undefined ? {} : { cursor } }, signal })),
  );
  if (revoked !== null)
    return <BulkDialog filter={{ campaign: revoked }} first="revoke" onClose={() => setRevoked(null)} />;
  const columns: readonly Column<Campaign>[] = [
    {
      title: 'Campaign',
      cell: ({ campaign, tier }) => (
        <div className={css.buyer}>
          <Link href={`/licenses?campaign=${encodeURIComponent(campaign)}`} onClick={onClose}>
            {campaign}
          </Link>
          <span className={css.sub}>{tier}</span>
        </div>
      ),
    },
    { title: 'Issued', cell: ({ issued }) => number(issued), isEnd: true },
    { title: 'Used', cell: ({ used }) => number(used), isEnd: true },
    { title: 'Revoked', cell: (one) => number(one.revoked), isEnd: true },
    ...(can('licenses:write')
      ? [
          {
            title: 'All',
            cell: (one: Campaign) => (
              <Button kind="danger" disabled={one.revoked === one.issued} onClick={() => setRevoked(one.campaign)}>
                Revoke all…
              </Button>
            ),
          },
        ]
      : []),
  ];
  return (
    <Dialog
      title="Campaigns"
      description="Licenses that were issued for one occasion. One is used once a device has activated it, or its gift link was used."
      isOpen
      onClose={onClose}
    >
      <Table
        caption="Campaigns"
        columns={columns}
        {...list.table}
        rowKey={({ campaign, planId }) => `${campaign} ${planId}`}
        empty={
          <Empty title="No campaign yet">
            <p>Name one when you issue many licenses.</p>
          </Empty>
        }
      />
    </Dialog>
  );
}
