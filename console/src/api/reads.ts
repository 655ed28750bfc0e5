import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { anonymous, answer, api } from './client';
import { asProblem, type Problem } from './problem';
import type { Schemas } from './schemas';

/** What a page reads: its data once there are some, and what went wrong. */
export interface Read<Data> {
  readonly data: Data | undefined;
  readonly problem: Problem | null;
  /** Whether it is asked for the first time. */
  readonly isLoading: boolean;
  readonly retry: () => void;
}

export const read = <Data>({ data, error, isLoading, refetch }: UseQueryResult<Data>): Read<Data> => ({
  data,
  isLoading,
  problem: error === null ? null : asProblem(error),
  retry: () => void refetch(),
});

/** What the stores can do, and want; the same for everyone. */
export const useStores = (): Read<readonly Schemas['StoreDescription'][]> =>
  read(
    useQuery({
      queryKey: ['stores'],
      queryFn: async ({ signal }) => (await answer(api.GET('/api/v1/stores', { signal }))).items,
      staleTime: Infinity,
    }),
  );

/** What names an extension where one is chosen. */
export type ExtensionChoice = Pick<Schemas['Extension'], 'id' | 'name'>;

/** The extensions among which somebody chooses; empty while they are loaded. */
export const useExtensionChoices = (): readonly ExtensionChoice[] =>
  useQuery({
    queryKey: ['extensions', 'choice'],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/extensions', { params: { query: { limit: 100 } }, signal })),
    staleTime: 60_000,
  }).data?.items ?? [];

/** How people log in at this service. */
export const useSignInMethods = (): Read<Schemas['SignInMethods']> =>
  read(
    useQuery({
      queryKey: ['sign-in-methods'],
      queryFn: ({ signal }) => answer(anonymous.GET('/api/v1/auth/methods', { signal })),
    }),
  );
