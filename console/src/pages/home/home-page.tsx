import type { ReactElement } from 'react';
import { Redirect } from 'wouter';
import { useSession } from '../../session';
import { useOverview } from '../../setup';
import { Empty, PageHeader, ProblemNote, Skeleton } from '../../ui';
import { GetStarted } from './get-started';
import { Matrix } from './matrix';
import { NeedsYou } from './needs-you';
import { Register } from './register';

/** Needs for attention, and the state of every extension at every store. */
export function HomePage(): ReactElement {
  const { can } = useSession();
  const { items, first, problem, more, isFetchingMore, retry } = useOverview();
  const isEmpty = items?.length === 0;
  if (isEmpty && can('extensions:write')) return <Redirect to="/start" replace />;
  return (
    <>
      <PageHeader title="Home" actions={items !== undefined && can('extensions:write') && <Register />} />
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
      {items !== undefined && !isEmpty && can('extensions:write') && <GetStarted extensions={items} />}
      {first !== undefined && <NeedsYou needs={first.needs} />}
      {items !== undefined && !isEmpty && <Matrix extensions={items} more={more} isFetchingMore={isFetchingMore} />}
    </>
  );
}
