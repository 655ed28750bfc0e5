import createClient from 'openapi-fetch';
import { logIns, waitForLogIn } from './log-in';
import { fetchWithTimeout } from './with-timeout';
import { asProblem, problemOf } from './problem';
import type { Paths } from './schemas';
import { waitForSecondFactor } from './second-factor';
import { accessToken, dropToken } from './token';

/** The routes that take the session cookie or nothing, as `METHOD /path` of openapi.json; `vite.config.ts` reads them. */
declare const ROUTES_WITHOUT_TOKEN: readonly string[];

const WITHOUT_TOKEN = ROUTES_WITHOUT_TOKEN.map(
  (route) => new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
);

const wantsToken = (method: string, path: string): boolean =>
  !WITHOUT_TOKEN.some((route) => route.test(`${method} ${path}`));

/**
 * Sends a request with the token that its route wants. When the session has ended, it waits for log-in and sends the request again; when the
 * service wants the second factor, for a code.
 */
async function send(request: Request): Promise<Response> {
  const isBearer = wantsToken(request.method, new URL(request.url).pathname);
  const attempt = async (): Promise<Response> => {
    const copy = request.clone();
    if (isBearer) copy.headers.set('authorization', `Bearer ${await accessToken()}`);
    return fetchWithTimeout(copy);
  };
  let since = logIns();
  let response = await attempt();
  for (
    let again = 0;
    response.status === 401 && again < 3 && (await codeOf(response)) === 'unauthenticated';
    again += 1
  ) {
    // A token that was revoked with its session: the exchange for another one finds out, and asks for log-in.
    if (isBearer) dropToken();
    else await waitForLogIn(since);
    since = logIns();
    response = await attempt();
  }
  if (response.status !== 403 || (await codeOf(response)) !== 'second_factor_required') return response;
  return (await waitForSecondFactor()) ? attempt() : response;
}

async function codeOf(response: Response): Promise<string | undefined> {
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { readonly code?: string } | null;
  return body?.code;
}

/** The service. A call answers `{ data, error }`; `answer` makes it the data, or throws the problem. */
export const api = createClient<Paths>({ baseUrl: window.location.origin, fetch: send });

/** The same without asking for log-in: for what is called before it. */
export const anonymous = createClient<Paths>({ baseUrl: window.location.origin, fetch: fetchWithTimeout });

/** Requests a file, such as a CSV. @throws Problem with what the service said when it refuses */
export async function fetchFile(path: string, init?: Pick<RequestInit, 'headers'>): Promise<Response> {
  const response = await send(new Request(path, init)).catch((thrown: unknown) => Promise.reject(asProblem(thrown)));
  if (!response.ok) throw problemOf(response, await response.json().catch(() => null));
  return response;
}

interface Called<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns what a call answered. @throws Problem */
export async function answer<Data>(call: Promise<Called<Data>>): Promise<Data> {
  const { data, error, response } = await call.catch((thrown: unknown) => Promise.reject(asProblem(thrown)));
  if (error !== undefined || !response.ok) throw problemOf(response, error);
  return data as Data;
}

/** Returns what a call answered with its ETag, for `If-Match` of a later change. @throws Problem */
export async function answerWithTag<Data>(
  call: Promise<Called<Data>>,
): Promise<{ readonly data: Data; readonly etag: string | null }> {
  const called = await call.catch((thrown: unknown) => Promise.reject(asProblem(thrown)));
  const data = await answer(Promise.resolve(called));
  return { data, etag: called.response.headers.get('etag') };
}
