import type { ReactElement } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Redirect } from 'wouter';
import { answer, api, asProblem } from '../../api';
import { useSession } from '../../session';
import { Empty, PageHeader, ProblemNote, Skeleton } from '../../ui';
import { Matrix } from './matrix';
import { NeedsYou } from './needs-you';

const IN_PAGE = 100;

/** What needs somebody, and where every extension stands at every store. */
export function HomePage(): ReactElement {
  const { can } = useSession();
  const query = useInfiniteQuery({
    queryKey: ['overview'],
    queryFn: ({ pageParam, signal }) =>
      answer(api.GET('/api/v1/overview', { params: { query: { limit: IN_PAGE, cursor: pageParam } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const items = data?.pages.flatMap((page) => page.items);
  const isEmpty = items?.length === 0;
  if (isEmpty && can('extensions:write')) return <Redirect to="/start" replace />;
  return (
    <>
      <PageHeader title="Home" />
      {error !== null && <ProblemNote problem={asProblem(error)} onRetry={() => void refetch()} />}
      {items === undefined && error === null && <Skeleton label="your extensions" lines={8} />}
      {isEmpty && (
        <Empty title="No extensions yet">
          <p>
            Each extension will stand here with its version at each store. An owner, admin or publisher registers the
            first.
          </p>
        </Empty>
      )}
      {data !== undefined && <NeedsYou needs={data.pages[0]?.needs ?? []} />}
      {items !== undefined && !isEmpty && (
        <Matrix
          extensions={items}
          more={hasNextPage ? () => void fetchNextPage() : null}
          isFetchingMore={isFetchingNextPage}
        />
      )}
    </>
  );
}
