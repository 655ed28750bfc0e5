import { Link } from 'wouter';
import type { Schemas } from '../../api';
import { Cell, Detail, Status, type Column } from '../../ui';
import { End } from './last-day';
import { reasonOf, saleOf, STATUSES } from './license-words';
import css from './licenses.module.css';
import { Owner } from './owner';

type License = Schemas['License'];

/** The columns of a table of licenses. @param nameOf the name of an extension */
export const licenseColumns = (nameOf: (id: string) => string): readonly Column<License>[] => [
  {
    title: 'Code',
    cell: ({ id, codeHint }) => (
      <Link href={`/licenses/${id}`} className={css.code}>
        …{codeHint}
      </Link>
    ),
  },
  {
    title: 'Buyer',
    cell: (license) => (
      <Cell>
        <Owner license={license} />
        <Detail>{saleOf(license)}</Detail>
      </Cell>
    ),
  },
  {
    title: 'Status',
    cell: (license) => (
      <>
        <Status state={STATUSES[license.status]}>{license.status}</Status>
        <Detail>{reasonOf(license)}</Detail>
      </>
    ),
  },
  {
    title: 'For',
    cell: ({ tier, extensionId }) => (
      <Cell>
        {tier}
        <Detail>{nameOf(extensionId)}</Detail>
      </Cell>
    ),
  },
  { title: 'Devices', cell: ({ seats }) => `${seats.used} of ${seats.max}`, isEnd: true },
  { title: 'Expires', cell: (license) => <End license={license} /> },
];
