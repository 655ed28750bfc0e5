import { useQuery, type RefetchOptions, type UseQueryOptions } from '@tanstack/react-query';
import { anonymous, answer, api } from './client';
import type { Problem } from './problem';
import { againAfter, useProblem } from './queries';
import type { Schemas } from './schemas';

/** A read of a page: its data once there are some, and its problem. */
export interface Read<Data> {
  readonly data: Data | undefined;
  readonly problem: Problem | null;
  /** Whether it is asked for the first time. */
  readonly isLoading: boolean;
  /** Whether the data are those of what was asked before. */
  readonly isPlaceholder: boolean;
  /** Asks again, until there is an answer. */
  readonly retry: (options?: RefetchOptions) => Promise<{ readonly data: Data | undefined }>;
}

/** Time until something that somebody watches while it moves is read again. */
const WATCH_MS = 1_000;

/**
 * Reads something of the service.
 * @param isMoving whether it changes without a message in the stream, so that it is read again and again
 */
export function useRead<Data>(
  options: UseQueryOptions<Data>,
  isMoving: (data: Data) => boolean = () => false,
): Read<Data> {
  const query = useQuery({
    refetchInterval: ({ state: { data, error } }) =>
      error === null && data !== undefined && isMoving(data) ? WATCH_MS : againAfter(error),
    ...options,
  });
  const { data, isLoading, isPlaceholderData, refetch } = query;
  const problem = useProblem(query, options.queryKey);
  return { data, problem, isLoading: isLoading && problem === null, isPlaceholder: isPlaceholderData, retry: refetch };
}

/** Problem of one of several reads, which are shown together; `retry` repeats those that failed. */
export const together = (
  ...reads: readonly Read<unknown>[]
): {
  readonly problem: Problem | null;
  readonly retry: () => Promise<unknown>;
} => ({
  problem: reads.find(({ problem }) => problem !== null)?.problem ?? null,
  retry: () => Promise.all(reads.filter(({ problem }) => problem !== null).map((one) => one.retry())),
});

/**
 * Whether a read has ended, with data or a problem. Content below it is shown from then on: it would move when the height of the content above
 * becomes known.
 */
export const hasAnswered = (shown: unknown, problem: Problem | null): boolean =>
  shown !== undefined || problem !== null;

/** Capabilities and requirements of the stores; the same for everyone. */
export const useStores = (): Read<readonly Schemas['StoreDescription'][]> =>
  useRead({
    queryKey: ['stores'],
    queryFn: async ({ signal }) => (await answer(api.GET('/api/v1/stores', { signal }))).items,
    staleTime: Infinity,
  });

/** The payment processors: their webhook, what each wants of a credential, and what came last. */
export const useProcessors = (options: { readonly enabled?: boolean } = {}): Read<Schemas['WebhookSummary']> =>
  useRead({
    queryKey: ['inbox', 'processors'],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/webhooks/processors', { signal })),
    ...options,
  });

interface PageOfChoices<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** Reads a whole list among which somebody chooses, page by page. */
export const useChoices = <Item>(
  resource: string,
  fetchPage: (query: { limit: number; cursor?: string }, signal: AbortSignal) => Promise<PageOfChoices<Item>>,
  options: { readonly enabled?: boolean; readonly staleTime?: number } = {},
): Read<readonly Item[]> =>
  useRead({
    queryKey: [resource, 'choices'],
    queryFn: async ({ signal }) => {
      const items: Item[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: PageOfChoices<Item> = await fetchPage({ limit: 100, ...(cursor === '' ? {} : { cursor }) }, signal);
        items.push(...page.items);
        cursor = page.nextCursor;
      }
      return items;
    },
    ...options,
  });

/** Name of an extension where one is chosen. */
export type ExtensionChoice = Pick<Schemas['Extension'], 'id' | 'name'>;

/** The extensions among which somebody chooses; empty while they are loaded. */
export const useExtensionChoices = (): readonly ExtensionChoice[] =>
  useChoices('extensions', (query, signal) => answer(api.GET('/api/v1/extensions', { params: { query }, signal })), {
    staleTime: 60_000,
  }).data ?? [];

/** The members among which somebody chooses. */
export const useMemberChoices = (options: { readonly enabled?: boolean } = {}): Read<readonly Schemas['Member'][]> =>
  useChoices('members', (query, signal) => answer(api.GET('/api/v1/members', { params: { query }, signal })), options);

/** Ways to log in at this service. */
export const useSignInMethods = (): Read<Schemas['SignInMethods']> =>
  useRead({
    queryKey: ['sign-in-methods'],
    queryFn: ({ signal }) => answer(anonymous.GET('/api/v1/auth/methods', { signal })),
  });
