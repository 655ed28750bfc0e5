import createClient, { type Client } from 'openapi-fetch';
import { Failure } from '../failure.js';
import type { Login } from '../settings/login.js';
import { assertFromPierhead, problemFailure } from './problem.js';
import { received } from './received.js';
import { withRetries, type RetryOptions } from './retry.js';
import type { components, paths } from './schema.js';

/** A shape of the API by its name. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** Whether a text is an id, and not the name of something. */
export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Methods that may be carried out twice: PATCH sets values, and adds none. */
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'PATCH']);
/** A bearer token that was exchanged for the session lasts 15 minutes. */
const EXCHANGE_AFTER_MS = 14 * 60_000;

export interface ServiceOptions extends Omit<RetryOptions, 'url'> {
  readonly userAgent: string;
}

/** The service, as one user of it. */
export class Service {
  readonly url: string;
  /** Typed by the API's description. `answer` reads what its methods return. */
  readonly client: Client<paths>;
  private bearer: { readonly token: string; readonly since: number } | undefined;

  /** @param login without a token and session for what is open to everybody */
  constructor(
    private readonly login: Login,
    readonly options: ServiceOptions,
  ) {
    this.url = login.url;
    this.client = createClient<paths>({
      baseUrl: login.url,
      fetch: (request) => this.send(request, REPEATABLE.has(request.method)),
    });
  }

  /** For calls that may be carried out twice although their method does not say so: `POST(path, { fetch: service.repeatedly })`. */
  readonly repeatedly = (request: Request): Promise<Response> => this.send(request, true);

  /** The headers that say who asks: the token, or the session with a token that it was exchanged for, since routes take one or the other. */
  async authentication(): Promise<Readonly<Record<string, string>>> {
    const { token, session, bearer } = this.login;
    if (bearer !== undefined) return { authorization: `Bearer ${await bearer()}` };
    if (token !== undefined) return { authorization: `Bearer ${token}` };
    if (session === undefined) return {};
    const cookie = `svc_session=${session}`;
    if (this.bearer === undefined || Date.now() - this.bearer.since > EXCHANGE_AFTER_MS) {
      const since = Date.now();
      const exchanged = await answer(
        this.client.POST('/api/v1/auth/token', {
          headers: { cookie },
          fetch: (request) => this.exchange(request, true),
        }),
      );
      this.bearer = { token: exchanged.token, since };
    }
    return { cookie, authorization: `Bearer ${this.bearer.token}` };
  }

  /** Sends a request to any path of the API. */
  call(method: string, path: string, sent: Pick<RequestInit, 'headers' | 'body'> = {}): Promise<Response> {
    return this.send(new Request(`${this.url}${path}`, { method, ...sent }), REPEATABLE.has(method));
  }

  private async send(request: Request, isRepeatable: boolean): Promise<Response> {
    for (const [name, value] of Object.entries(await this.authentication())) request.headers.set(name, value);
    return this.exchange(request, isRepeatable);
  }

  private async exchange(request: Request, isRepeatable: boolean): Promise<Response> {
    const { userAgent } = this.options;
    if (!request.headers.has('user-agent')) request.headers.set('user-agent', userAgent);
    const response = await withRetries(
      () => received(request.clone(), this.options),
      ({ status, headers }) => ({ status, retryAfter: headers.get('retry-after') }),
      isRepeatable,
      { ...this.options, url: this.url },
    );
    if (response.status >= 300 && response.status < 400)
      throw redirectFailure(this.url, response.headers.get('location'));
    assertFromPierhead(this.url, response.status, response.headers.get('content-type') ?? '');
    return response;
  }
}

/** An address that leads elsewhere: only the user decides where the token goes. */
export const redirectFailure = (url: string, location: string | null): Failure =>
  new Failure(`${url} answers with a redirect to ${location ?? 'nowhere'}.`, {
    hint: 'Log in to that address instead, if you trust it.',
    code: 'redirected',
  });

interface Fetched<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of an answer. @throws Failure with what the service said when it refuses */
export async function answer<Data>(request: Promise<Fetched<Data>>): Promise<Data> {
  const { data, error, response } = await request;
  if (!response.ok) throw problemFailure(response.status, error);
  return data as Data;
}

type Page<Item> = (query: {
  readonly limit: number;
  readonly cursor?: string;
}) => Promise<Fetched<{ readonly items: readonly Item[]; readonly nextCursor: string | null }>>;

const PAGE = 100;

/** All items of a list, page by page. */
export const everything = async <Item>(page: Page<Item>): Promise<Item[]> => (await atMost(Infinity, page)).items;

/** The first items of a list, page by page, and whether there are more. */
export async function atMost<Item>(
  count: number,
  page: Page<Item>,
): Promise<{ readonly items: Item[]; readonly hasMore: boolean }> {
  const items: Item[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && items.length < count) {
    const limit = Math.min(PAGE, count - items.length);
    const { items: more, nextCursor } = await answer(page({ limit, ...(cursor === undefined ? {} : { cursor }) }));
    items.push(...more);
    cursor = nextCursor;
  }
  return { items, hasMore: cursor !== null };
}
