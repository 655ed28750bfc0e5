import { useState, type FormEvent, type ReactElement } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { answer, api, asProblem, useExtensionChoices, usePages, useRead, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import {
  announce,
  Button,
  Empty,
  Field,
  ListCount,
  Menu,
  MenuItem,
  MenuLink,
  MoreIcon,
  PageHeader,
  ProblemNote,
  Select,
  Table,
  upTo,
} from '../../ui';
import { BulkDialog } from './bulk-dialog';
import { download } from './export';
import { IssueDialog } from './issue-dialog';
import { IssueManyDialog } from './issue-many-dialog';
import { licenseColumns } from './license-columns';
import { filterIn, readSearch, type Filter } from './license-words';
import { Selected, useSelection } from './selection';
import css from './licenses.module.css';

type License = Schemas['License'];

const ANY = 'any';
const MODE_OPTIONS = [
  { value: ANY, label: 'Real and test sales' },
  { value: 'false', label: 'Without test sales' },
  { value: 'true', label: 'Test sales' },
] as const;
const STATUS_OPTIONS = [
  { value: ANY, label: 'Any status' },
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
];

/** All licenses: search, filters, and what is done with many of them. */
export function LicensesPage(): ReactElement {
  const { can } = useSession();
  const [search, setSearch] = useSearchParams();
  const [open, setOpen] = useState<'issue' | 'many' | 'bulk' | 'chosen' | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const filter = filterIn(search);
  const isFiltered = Object.keys(filter).length > 0;
  const extensions = useExtensionChoices();
  const list = usePages<License>(['licenses', filter], (cursor, signal) =>
    answer(
      api.GET('/api/v1/licenses', {
        params: { query: { ...filter, ...(cursor === undefined ? {} : { cursor }) } },
        signal,
      }),
    ),
  );
  const count = useCount(filter);
  const selection = useSelection(list.items, can('licenses:write'));
  const nameOf = (id: string): string => extensions.find((one) => one.id === id)?.name ?? '';
  const show = (change: Partial<Record<keyof Filter, string | undefined>>): void => {
    const next = { ...filter, ...change };
    setSearch(Object.entries(next).filter((entry): entry is [string, string] => entry[1] !== undefined));
  };
  const save = (): void => {
    setFault(null);
    download(filter).then(() => announce('Exported the licenses.'), setFault);
  };
  return (
    <>
      <PageHeader
        title="Licenses"
        actions={
          <>
            {can('licenses:write') && (
              <>
                <Button kind="primary" onClick={() => setOpen('issue')}>
                  Issue a license
                </Button>
                <Button onClick={() => setOpen('many')}>Issue many</Button>
              </>
            )}
            <Menu trigger={<MoreIcon />} label="More">
              <MenuLink href="/orders">Orders and sales</MenuLink>
              <MenuLink href="/plans">Plans and payments</MenuLink>
              {can('licenses:export') && (
                <MenuItem onSelect={save}>{isFiltered ? 'Export these as CSV' : 'Export all as CSV'}</MenuItem>
              )}
              {can('licenses:write') && <MenuLink href="/imports">Import from another tool</MenuLink>}
              {can('licenses:write') && (
                <MenuItem onSelect={() => setOpen('bulk')} disabled={!isFiltered}>
                  {isFiltered ? 'Change all of these' : 'Change many: filter first'}
                </MenuItem>
              )}
            </Menu>
          </>
        }
      />
      {fault !== null && <ProblemNote problem={asProblem(fault)} onRetry={save} />}
      <div className={css.filters}>
        <Search key={search.toString()} filter={filter} onSearch={show} />
        <Select
          label="Status"
          value={filter.status ?? ANY}
          onValue={(status) => show({ status: status === ANY ? undefined : status })}
          options={STATUS_OPTIONS}
        />
        <Select
          label="Mode"
          value={filter.isTest ?? ANY}
          onValue={(isTest) => show({ isTest: isTest === ANY ? undefined : isTest })}
          options={MODE_OPTIONS}
        />
        <Select
          label="Extension"
          value={filter.extension ?? ANY}
          onValue={(extension) => show({ extension: extension === ANY ? undefined : extension })}
          options={[
            { value: ANY, label: 'Any extension' },
            ...extensions.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </div>
      <LicenseCount filter={filter} all={count} />
      <Selected selection={selection} isFiltered={isFiltered} count={count} onChange={setOpen} />
      <div data-cards>
        <Table
          caption="Licenses"
          columns={[...selection.columns, ...licenseColumns(nameOf)]}
          {...list.table}
          rowKey={({ id }) => id}
          empty={<NoLicense isFiltered={isFiltered} onShowAll={() => setSearch({})} />}
        />
      </div>
      <IssueDialog isOpen={open === 'issue'} onClose={() => setOpen(null)} />
      <IssueManyDialog isOpen={open === 'many'} onClose={() => setOpen(null)} />
      {open === 'bulk' && <BulkDialog of={{ filter }} onClose={() => setOpen(null)} />}
      {open === 'chosen' && <BulkDialog of={{ ids: selection.ids }} onClose={() => setOpen(null)} />}
    </>
  );
}

interface NoLicenseProps {
  readonly isFiltered: boolean;
  readonly onShowAll: () => void;
}

/** The list without a license. */
function NoLicense({ isFiltered, onShowAll }: NoLicenseProps): ReactElement {
  if (isFiltered)
    return (
      <Empty title="No license matches">
        <Button onClick={onShowAll}>Show all licenses</Button>
      </Empty>
    );
  return (
    <Empty title="No licenses yet">
      <p>Each sale creates one automatically. You can also issue one by hand, or import licenses from another tool.</p>
    </Empty>
  );
}

/** How many licenses match a filter; undefined until that is known. */
function useCount(filter: Filter): Schemas['ListCount'] | undefined {
  const { data } = useRead({
    queryKey: ['licenses', filter, 'count'],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/licenses/count', { params: { query: filter }, signal })),
  });
  return data;
}

interface LicenseCountProps {
  readonly filter: Filter;
  readonly all: Schemas['ListCount'] | undefined;
}

/** How many licenses are listed, and how many of them have expired. */
function LicenseCount({ filter, all }: LicenseCountProps): ReactElement {
  const ofExpired: Filter = { ...filter, status: 'expired' };
  const expired = useCount(ofExpired);
  const some =
    filter.status === undefined && expired !== undefined && expired.count > 0
      ? { label: `${upTo(expired)} expired`, href: `/licenses?${new URLSearchParams({ ...ofExpired })}` }
      : undefined;
  return <ListCount all={all === undefined ? undefined : upTo(all, 'license')} some={some} />;
}

interface SearchProps {
  readonly filter: Filter;
  readonly onSearch: (change: Partial<Record<keyof Filter, string | undefined>>) => void;
}

const NOT_SEARCHED = { email: undefined, codeHint: undefined, order: undefined, search: undefined };

/** Finds licenses by how an address, its domain, the words of a name, the end of a code or an order begins, by a campaign, and by a whole code. */
function Search({ filter, onSearch }: SearchProps): ReactElement {
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState(filter.search ?? filter.email ?? filter.codeHint ?? filter.order ?? '');
  const [campaign, setCampaign] = useState(filter.campaign ?? '');
  const find = useWrite({
    write: (code: string) => answer(api.POST('/api/v1/licenses/find', { body: { code } })),
    changes: [],
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = readSearch(typed);
    if ('code' in read) find.mutate(read.code, { onSuccess: ({ id }) => navigate(`/licenses/${id}`) });
    else onSearch({ ...NOT_SEARCHED, ...read, campaign: campaign.trim() === '' ? undefined : campaign.trim() });
  };
  return (
    <form role="search" onSubmit={submit}>
      <Field
        label="Find"
        type="search"
        value={typed}
        onValue={setTyped}
        placeholder="Mail, name, code or order"
        minLength={3}
        autoComplete="off"
        maxLength={254}
        fault={find.error?.code === 'license_not_found' ? 'No license has this code.' : find.error?.message}
      />
      <Field
        label="Campaign"
        value={campaign}
        onValue={setCampaign}
        placeholder="Any"
        autoComplete="off"
        maxLength={64}
      />
      <Button type="submit" isBusy={find.isPending}>
        Find
      </Button>
    </form>
  );
}
