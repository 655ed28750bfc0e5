import { Link } from 'wouter';
import type { Schemas } from '../../api';
import { Status, type Column } from '../../ui';
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
      <div className={css.buyer}>
        <Owner license={license} />
        <span className={css.sub}>{saleOf(license)}</span>
      </div>
    ),
  },
  {
    title: 'Status',
    cell: (license) => (
      <>
        <Status state={STATUSES[license.status]}>{license.status}</Status>
        <span className={css.sub}>{reasonOf(license)}</span>
      </>
    ),
  },
  {
    title: 'For',
    cell: ({ tier, extensionId }) => (
      <div className={css.buyer}>
        {tier}
        <span className={css.sub}>{nameOf(extensionId)}</span>
      </div>
    ),
  },
  { title: 'Devices', cell: ({ seats }) => `${seats.used} of ${seats.max}`, isEnd: true },
  { title: 'Expires', cell: (license) => <End license={license} /> },
];
