import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { PageHeader } from '../../ui';

/** For addresses at which there is no page. */
export function NotFoundPage(): ReactElement {
  return (
    <>
      <PageHeader title="No such page">Nothing is at this address; it may have been deleted.</PageHeader>
      <Link href="/">Go to the start page</Link>
    </>
  );
}
