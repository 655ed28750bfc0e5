import { answer, api, together, usePages, useRead, type Read, type Schemas } from '../api';
import { useSession, type Permission } from '../session';
import { followed, isComplete, isUsed, pushedTo } from './followed';

type Extension = Schemas['OverviewExtension'];
type Target = Schemas['OverviewTarget'];

/** The way to the first version that is live, and who may do each step of it. */
const STEPS = [
  { name: 'extension', needs: 'extensions:write' },
  { name: 'key', needs: 'credentials:write' },
  { name: 'item', needs: 'extensions:write' },
  { name: 'version', needs: 'artifacts:write' },
  { name: 'token', needs: 'tokens:write' },
] as const satisfies readonly { readonly name: string; readonly needs: Permission }[];

export type StepName = (typeof STEPS)[number]['name'];

interface Step {
  readonly name: StepName;
  readonly needs: Permission;
  readonly isDone: boolean;
}

/** Number of extensions on a page of the overview. */
const IN_PAGE = 100;

/** Every extension at every store, page by page. @param sort newest first, or first what needs attention */
export const useOverview = (sort: 'newest' | 'attention' = 'newest') =>
  usePages<Extension, Schemas['Overview']>(['overview', sort], (cursor, signal) =>
    answer(api.GET('/api/v1/overview', { params: { query: { limit: IN_PAGE, sort, cursor } }, signal })),
  );

interface Setup {
  /** The extension that the steps are about. */
  readonly extension: Extension | undefined;
  /** The stores that it goes to. */
  readonly stores: readonly Target['store'][];
  readonly version: string | null;
  readonly credentials: readonly Schemas['Credential'][];
  readonly steps: readonly Step[];
  /** Open steps, from the first; null when everything is done. */
  readonly next: Step | null;
  readonly isLoading: boolean;
  readonly problem: Read<unknown>['problem'];
  readonly retry: () => Promise<unknown>;
}

const hasAny = ({ data }: Read<{ readonly items: readonly unknown[] }>): boolean => (data?.items.length ?? 0) > 0;

/** Whether CI has what it needs to push: a token, or a rule that trusts what its provider signs. */
function useCi() {
  const { can } = useSession();
  const tokens = useRead({
    queryKey: ['access-tokens', 'start'],
    enabled: can('tokens:read'),
    staleTime: 300_000,
    queryFn: ({ signal }) => answer(api.GET('/api/v1/access-tokens', { params: { query: { limit: 1 } }, signal })),
  });
  const hasToken = hasAny(tokens);
  const rules = useRead({
    queryKey: ['trust-rules', 'start'],
    enabled: tokens.data !== undefined && !hasToken,
    staleTime: 300_000,
    queryFn: ({ signal }) => answer(api.GET('/api/v1/ci/trust-rules', { params: { query: { limit: 1 } }, signal })),
  });
  return { mayPush: hasToken || hasAny(rules), reads: [tokens, rules] };
}

/**
 * Progress of the first steps, which follows from existing data; the steps themselves are not stored.
 * @param extensions as the overview has them; undefined while they are loaded
 * @param wanted which extension the steps are about, and whether its keys are asked for although something is published with one
 */
export function useSetup(
  extensions: readonly Extension[] | undefined,
  { named = null, withKeys = false }: { readonly named?: string | null; readonly withKeys?: boolean } = {},
): Setup {
  const { can } = useSession();
  const extension = followed(extensions ?? [], named);
  const hasUsedKey = extensions?.some(({ targets }) => targets.some(isComplete)) === true;
  const isThere = extensions !== undefined;
  const credentials = useRead({
    queryKey: ['credentials', 'start'],
    enabled: can('credentials:read') && (withKeys || (isThere && !hasUsedKey)),
    queryFn: ({ signal }) => answer(api.GET('/api/v1/credentials', { params: { query: { limit: 100 } }, signal })),
  });
  const ci = useCi();
  const stores = [...new Set(extension?.targets.filter(isUsed).map(({ store }) => store))];
  const version = extension === undefined ? null : pushedTo(extension);
  const done: Readonly<Record<StepName, boolean>> = {
    extension: extension !== undefined,
    key: hasUsedKey || hasAny(credentials),
    item: stores.length > 0,
    version: version !== null,
    token: ci.mayPush,
  };
  const steps = STEPS.map((step) => ({ ...step, isDone: done[step.name] }));
  return {
    extension,
    stores,
    version,
    credentials: credentials.data?.items ?? [],
    steps,
    next: steps.find(({ isDone }) => !isDone) ?? null,
    isLoading: !isThere || [credentials, ...ci.reads].some((one) => one.isLoading),
    ...together(credentials, ...ci.reads),
  };
}
