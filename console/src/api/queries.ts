import { useMemo, useState } from 'react';
import {
  hashKey,
  notifyManager,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  type QueryKey,
  type UseMutationResult,
} from '@tanstack/react-query';
import { announce } from '../ui/announce';
import { mayPass } from './plain';
import { asProblem, Problem } from './problem';

/** Time until a failed query, or one about work under way, is repeated automatically. */
const AGAIN_MS = 5_000;

export const againAfter = (error: Error | null): number | false =>
  error !== null && mayPass(asProblem(error)) && AGAIN_MS;

// A second press of a button can come before the next task, so a button learns in this one that its write is under way.
notifyManager.setScheduler(queueMicrotask);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A request that cannot reach the service fails and is shown, instead of waiting in silence for the network.
      networkMode: 'always',
      // A request that timed out is reported, not retried.
      retry: (count, error) => count < 2 && mayPass(asProblem(error)) && asProblem(error).code !== 'no_answer',
      retryDelay: (count) => 500 * 2 ** count,
      refetchInterval: ({ state: { error } }) => againAfter(error),
    },
    mutations: { networkMode: 'always' },
  },
});

/** Problem of a query. It stays while the query is repeated, so that its note neither flickers nor loses the focus. */
export function useProblem(
  { error, isFetching }: { readonly error: Error | null; readonly isFetching: boolean },
  queryKey: QueryKey,
): Problem | null {
  const asked = hashKey(queryKey);
  const [last, setLast] = useState({ asked, error });
  const shown = error ?? (isFetching && last.asked === asked ? last.error : null);
  if (last.asked !== asked || last.error !== shown) setLast({ asked, error: shown });
  return useMemo(() => (shown === null ? null : asProblem(shown)), [shown]);
}

interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string | null;
}

interface PagesState {
  readonly problem: Problem | null;
  readonly more: (() => void) | null;
  readonly isFetchingMore: boolean;
  readonly retry: () => Promise<unknown>;
}

/**
 * Reads a list page by page. `more` is null at the end of the list.
 * @param isMoving whether an item changes without a message in the stream
 */
export function usePages<Item, Page extends PageOf<Item> = PageOf<Item>>(
  queryKey: QueryKey,
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>,
  isMoving: (item: Item) => boolean = () => false,
): PagesState & {
  readonly items: readonly Item[] | undefined;
  /** The first page, for what it has beside its items. */
  readonly first: Page | undefined;
  /** The part of the list that a table shows. */
  readonly table: PagesState & { readonly rows: readonly Item[] | undefined };
} {
  const key = [...queryKey, 'pages'];
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data, error } }) =>
      data?.pages.some(({ items }) => items.some(isMoving)) === true ? AGAIN_MS : againAfter(error),
  });
  const items = query.data?.pages.flatMap((page) => page.items);
  const state: PagesState = {
    problem: useProblem(query, key),
    more: query.hasNextPage ? () => void query.fetchNextPage() : null,
    isFetchingMore: query.isFetchingNextPage,
    retry: query.refetch,
  };
  return { items, first: query.data?.pages[0], ...state, table: { rows: items, ...state } };
}

export interface Write<Input, Output> {
  readonly write: (input: Input) => Promise<Output>;
  /** Beginnings of the keys of what the change concerns; these queries are asked again. */
  readonly changes: readonly QueryKey[];
  /** Announcement in one sentence; it is read out and shown for a moment. */
  readonly announcement?: (output: Output, input: Input) => string;
  /** Returns what takes the change back, which the announcement offers; undefined where nothing can. */
  readonly undo?: (input: Input) => (() => void) | undefined;
}

/** Changes something: asks again for what it concerns, and announces the result. Its `error` is always a `Problem`. */
export function useWrite<Input, Output>({
  write,
  changes,
  announcement,
  undo,
}: Write<Input, Output>): UseMutationResult<Output, Problem, Input> {
  const client = useQueryClient();
  return useMutation<Output, Problem, Input>({
    mutationFn: (input) => write(input).catch((thrown: unknown) => Promise.reject(asProblem(thrown))),
    onSuccess: async (output, input) => {
      if (announcement !== undefined) announce(announcement(output, input), undo?.(input));
      await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}
