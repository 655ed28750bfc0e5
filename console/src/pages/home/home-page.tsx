import type { ReactElement } from 'react';
import { Redirect } from 'wouter';
import { answer, api, usePages, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Empty, PageHeader, ProblemNote, Skeleton } from '../../ui';
import { Matrix } from './matrix';
import { NeedsYou } from './needs-you';

const IN_PAGE = 100;

/** What needs somebody, and where every extension stands at every store. */
export function HomePage(): ReactElement {
  const { can } = useSession();
  const { items, first, problem, more, isFetchingMore, retry } = usePages<
    Schemas['OverviewExtension'],
    Schemas['Overview']
  >(['overview'], (cursor, signal) =>
    answer(api.GET('/api/v1/overview', { params: { query: { limit: IN_PAGE, cursor } }, signal })),
  );
  const isEmpty = items?.length === 0;
  if (isEmpty && can('extensions:write')) return <Redirect to="/start" replace />;
  return (
    <>
      <PageHeader title="Home" />
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      {items === undefined && problem === null && <Skeleton label="your extensions" lines={8} />}
      {isEmpty && (
        <Empty title="No extensions yet">
          <p>
            Each extension appears here with its version at each store. An owner, admin or publisher registers the
            first.
          </p>
        </Empty>
      )}
      {first !== undefined && <NeedsYou needs={first.needs} />}
      {items !== undefined && !isEmpty && <Matrix extensions={items} more={more} isFetchingMore={isFetchingMore} />}
    </>
  );
}
