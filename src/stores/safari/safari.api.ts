import { MINUTE_MS } from '../../common/system/index.js';
import { type HttpAnswer, type HttpClient, withoutTrailingSlashes } from '../../common/net/index.js';
import { StoreFailure } from '../failures/index.js';
import { callStore } from '../store-http.js';
import { isErrorAnswer } from './safari.api-error.js';
import { keyOf, type SafariCredentials } from './safari.credentials.js';
import { pageOf, type Page, type Resource } from './safari.documents.js';
import { safariFailure } from './safari.errors.js';
import { signedToken } from './safari.tokens.js';

/** The platforms with Safari extensions (src/stores/README.md#safari-states). */
export type Platform = 'MAC_OS' | 'IOS';

/** One platform of an app, and the credentials for it. */
export interface SafariApp {
  readonly credentials: SafariCredentials;
  readonly appId: string;
  readonly platform: Platform;
}

/** More than any app has, in case the links form a loop. */
const MAX_PAGES = 25;

interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** From `/v1/` on, including the query. */
  readonly path: string;
  readonly body?: object;
}

type Link = { readonly data: { readonly type: string; readonly id: string } };
export const link = (type: string, id: string): Link => ({ data: { type, id } });

/** Time for which a token is reused, so that it stays valid when the clocks differ by minutes. */
const REUSE_MS = MINUTE_MS;

/** Speaks JSON:API with App Store Connect (src/stores/README.md#safari-conventions). Each call may throw a `StoreFailure`. */
export class SafariApi {
  private readonly api: string;
  /** Kept while the credentials that signed them are in memory. */
  private readonly tokens = new WeakMap<SafariCredentials, { readonly token: string; readonly at: number }>();

  constructor(
    apiUrl: string,
    readonly http: HttpClient,
    readonly clock: { now(): Date },
  ) {
    this.api = withoutTrailingSlashes(apiUrl);
  }

  /** All pages of a list. The host in a link to the next page is ignored. */
  async pages(credentials: SafariCredentials, first: string): Promise<Page> {
    const [data, included]: [Resource[], Resource[]] = [[], []];
    let path: string | undefined = first;
    for (let count = 0; path !== undefined; count += 1) {
      if (count === MAX_PAGES) throw new StoreFailure('retry', 'App Store Connect sent an endless list.');
      const page: Page = pageOf(await this.call(credentials, { method: 'GET', path }));
      data.push(...page.data);
      included.push(...page.included);
      path = pathOf(page.next);
    }
    return { data, included, next: undefined };
  }

  /** The resource that a call has made. */
  async created(credentials: SafariCredentials, call: Call): Promise<Resource> {
    const [created] = pageOf(await this.call(credentials, call)).data;
    if (created !== undefined) return created;
    throw new StoreFailure('retry', 'The answer of App Store Connect does not contain the created resource.');
  }

  /** Makes a call, and repeats it once with a new token when the first one is refused. */
  async call(credentials: SafariCredentials, call: Call): Promise<unknown> {
    return callStore('App Store Connect', async () => {
      let answer = await this.send(credentials, call);
      if (answer.status === 401) {
        this.tokens.delete(credentials);
        answer = await this.send(credentials, call);
      }
      if (isErrorAnswer(answer)) throw safariFailure(answer, this.clock.now());
      return answer.json;
    });
  }

  /** Signing is the slowest part of a call, and a step makes a dozen calls. */
  private async tokenFor(credentials: SafariCredentials): Promise<string> {
    const now = this.clock.now();
    const cached = this.tokens.get(credentials);
    if (cached !== undefined && Math.abs(now.getTime() - cached.at) < REUSE_MS) return cached.token;
    const token = await signedToken(keyOf(credentials), now);
    this.tokens.set(credentials, { token, at: now.getTime() });
    return token;
  }

  private async send(credentials: SafariCredentials, { method, path, body }: Call): Promise<HttpAnswer> {
    const token = await this.tokenFor(credentials);
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    const url = `${this.api}${path}`;
    if (body === undefined) return this.http.request({ method, url, headers });
    const json = { ...headers, 'content-type': 'application/json' };
    return this.http.request({ method, url, headers: json, body: JSON.stringify(body) });
  }
}

/** The query of a path. */
export function query(parameters: Readonly<Record<string, string | number>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

/** The path and query of a link, from `/v1/` on. */
export function pathOf(next: string | undefined): string | undefined {
  if (next === undefined || !URL.canParse(next)) return undefined;
  const { pathname, search } = new URL(next);
  const start = pathname.indexOf('/v1/');
  return start === -1 ? undefined : `${pathname.slice(start)}${search}`;
}
