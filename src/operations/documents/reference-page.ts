/** What the plugin reads of the Immutable.js collections that Swagger UI holds. */
interface Collection {
  readonly size: number;
  get(key: string): Collection;
  getIn(keys: readonly string[]): string | undefined;
  set(key: string, value: unknown): Collection;
  map(change: (item: Collection) => Collection): Collection;
  filter(keep: (item: Collection) => boolean): Collection;
}

interface System {
  readonly layoutSelectors: { readonly currentFilter: () => unknown };
}

type IsShown = (part: readonly string[] | string, byDefault: boolean) => boolean;

/** A request that Swagger UI is about to send. */
interface TriedRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/**
 * Tries an operation as the person who is logged in to the console, where no other token was entered: routes of tenants take no cookie.
 * The page gets the text of the function, so that it uses nothing that stands outside of it.
 */
async function asSession(request: TriedRequest): Promise<TriedRequest> {
  const { origin } = (globalThis as unknown as { readonly location: URL }).location;
  const [service = ''] = request.url.split('/api/v1/');
  if (!service.startsWith(origin) || request.headers['Authorization'] !== undefined) return request;
  const answer = await fetch(`${service}/api/v1/auth/token`, { method: 'POST' });
  if (answer.ok) {
    const { token } = (await answer.json()) as { readonly token: string };
    request.headers['Authorization'] = `Bearer ${token}`;
  }
  return request;
}

/**
 * A plugin of Swagger UI whose filter finds operations by method, path and summary, and opens their groups: its own finds names of groups alone.
 * The page gets the text of each function, so that none may use what stands outside of it.
 * @see https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api/
 */
const SEARCH_PLUGIN = {
  fn: {
    opsFilter: (groups: Collection, phrase: string): Collection => {
      const words = phrase.toLowerCase().split(/\s+/);
      const isFound = (one: Collection): boolean => {
        const told = [['method'], ['path'], ['operation', 'summary']].map((keys) => one.getIn(keys) ?? '');
        const text = told.join(' ').toLowerCase();
        return words.every((word) => text.includes(word));
      };
      return groups
        .map((group) => group.set('operations', group.get('operations').filter(isFound)))
        .filter((group) => group.get('operations').size > 0);
    },
  },
  statePlugins: {
    layout: {
      wrapSelectors: {
        isShown:
          (original: IsShown, { layoutSelectors }: System) =>
          (_state: unknown, ...[part, byDefault]: Parameters<IsShown>): boolean => {
            const phrase = layoutSelectors.currentFilter();
            const isSearched = typeof phrase === 'string' && phrase !== '' && part[0] === 'operations-tag';
            return original(part, byDefault || isSearched);
          },
      },
    },
  },
};

/** How Swagger UI shows the reference. */
export const REFERENCE_OPTIONS = {
  // All operations and schemas at once take seconds to draw.
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  tryItOutEnabled: true,
  plugins: [SEARCH_PLUGIN],
  requestInterceptor: asSession,
};
