import {
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  type QueryKey,
  type UseMutationResult,
} from '@tanstack/react-query';
import { announce } from '../ui/announce';
import { asProblem, Problem } from './problem';

/** Asked again after a failure that may pass: not when the service refused. */
const mayPass = (problem: Problem): boolean => problem.isOffline || problem.body.status >= 500;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A request that cannot reach the service fails and is shown, instead of waiting in silence for the network.
      networkMode: 'always',
      retry: (count, error) => count < 2 && mayPass(asProblem(error)),
      retryDelay: (count) => 500 * 2 ** count,
    },
    mutations: { networkMode: 'always' },
  },
});

interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string | null;
}

/** Reads a list page by page. `more` is null at the end of the list. */
export function usePages<Item>(
  queryKey: QueryKey,
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<PageOf<Item>>,
): {
  readonly items: readonly Item[] | undefined;
  readonly problem: Problem | null;
  readonly more: (() => void) | null;
  readonly isFetchingMore: boolean;
} {
  const query = useInfiniteQuery({
    queryKey: [...queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  return {
    items: query.data?.pages.flatMap(({ items }) => items),
    problem: query.error === null ? null : asProblem(query.error),
    more: query.hasNextPage ? () => void query.fetchNextPage() : null,
    isFetchingMore: query.isFetchingNextPage,
  };
}

interface Write<Input, Output> {
  readonly write: (input: Input) => Promise<Output>;
  /** Beginnings of the keys of what the change concerns; these queries are asked again. */
  readonly changes: readonly QueryKey[];
  /** What happened, in one sentence; it is read out and shown for a moment. */
  readonly says?: (output: Output, input: Input) => string;
}

/** Changes something: asks again for what it concerns, and announces the result. Its `error` is always a `Problem`. */
export function useWrite<Input, Output>({
  write,
  changes,
  says,
}: Write<Input, Output>): UseMutationResult<Output, Problem, Input> {
  const client = useQueryClient();
  return useMutation<Output, Problem, Input>({
    mutationFn: (input) => write(input).catch((thrown: unknown) => Promise.reject(asProblem(thrown))),
    onSuccess: async (output, input) => {
      if (says !== undefined) announce(says(output, input));
      await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}
