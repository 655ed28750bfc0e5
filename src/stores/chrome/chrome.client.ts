import {
  asList,
  asRecord,
  asText,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
  withoutTrailingSlashes,
} from '../../common/net/index.js';
import { StoreFailure } from '../failures/index.js';
import type { FigureRange } from '../figures.js';
import { UNKNOWN, type Known, type StorePackage } from '../store.js';
import { callStore, openPackage } from '../store-http.js';
import { UpdateService } from '../update-service.js';
import { isErrorAnswer } from './chrome.api-error.js';
import { timeSpec, type MetricsQuery } from './chrome.figures.js';
import { identityOf, keyOf, type ChromeCredentials } from './chrome.credentials.js';
import { chromeFailure, isTokenRefused } from './chrome.errors.js';
import { isItemStatus, offeredVersion } from './chrome.states.js';
import { ChromeTokens } from './chrome.tokens.js';

/** The URLs of the Chrome Web Store (src/stores/README.md#chrome-addresses). */
export interface ChromeUrls {
  /** `https://chromewebstore.googleapis.com` */
  readonly apiUrl: string;
  /** The whole URL of the token endpoint. */
  readonly tokenUrl: string;
  /** The whole URL of the update service (src/stores/README.md#chrome-update-check). */
  readonly updateUrl: string;
}

/** `PublishItemRequest.publishType` (src/stores/README.md#chrome-publish). */
export type PublishType = 'DEFAULT_PUBLISH' | 'STAGED_PUBLISH';

/** The fields of `PublishItemRequest` that Pierhead uses (src/stores/README.md#chrome-publish). */
export interface PublishRequest {
  readonly publishType: PublishType;
  readonly deployInfos?: readonly { readonly deployPercentage: number }[];
  readonly skipReview?: true;
}

/** `RollbackItemRequest` (src/stores/README.md#chrome-rollback). */
export interface RollbackRequest {
  readonly targetCrxVersion: string;
  readonly newVersion: string;
  readonly rollbackReason: string;
  readonly validateOnly: boolean;
}

/** An item and the credentials of its owner. */
export interface ChromeItem {
  readonly credentials: ChromeCredentials;
  readonly storeItemId: string;
}

/** Where the files are that Chrome's update service names (src/stores/README.md#chrome-update-check). */
export const FILE_DOMAINS = ['clients2.googleusercontent.com'] as const;
const STORE = 'The Chrome Web Store';
/** The most that the store sends at once (src/stores/README.md#chrome-figures). */
const ROWS_PER_PAGE = 1000;
/** Half of the most that the store sends at once: an answer has a limit of its own. */
const REVIEWS_PER_PAGE = 100;
/** More than the countries of a hundred days, in case the pages form a loop. */
const MAX_PAGES = 50;

/** The calls of API v2 (src/stores/README.md#chrome-calls). Each returns the answer's JSON or throws a `StoreFailure`. */
export class ChromeClient {
  private readonly api: string;
  readonly updates: UpdateService;
  private readonly tokens: ChromeTokens;

  constructor(
    urls: ChromeUrls,
    private readonly http: HttpClient,
    private readonly clock: { now(): Date },
  ) {
    this.api = withoutTrailingSlashes(urls.apiUrl);
    this.updates = new UpdateService(
      { store: STORE, url: urls.updateUrl, fileDomains: FILE_DOMAINS, question: '&uc' },
      http,
    );
    this.tokens = new ChromeTokens(urls.tokenUrl, http, clock);
  }

  /** Exchanges the credential for a new token, never for a cached one. @returns whose credential it is */
  async verify(credentials: ChromeCredentials): Promise<string> {
    await callStore(STORE, () => this.tokens.exchange(keyOf(credentials)));
    return identityOf(credentials);
  }

  /** Sends a package as the item's new draft. The package is opened again when the token has to be renewed. */
  async upload(item: ChromeItem, pkg: StorePackage): Promise<unknown> {
    const url = `${this.api}/upload/v2/${nameOf(item)}:upload`;
    // The name tells the store what it is sent (src/stores/README.md#chrome-signed-packages).
    const headers = { 'X-Goog-Upload-Protocol': 'raw', 'X-Goog-Upload-File-Name': `extension.${pkg.format ?? 'zip'}` };
    return this.call(item, async () => ({ method: 'POST', url, headers, body: await openPackage(pkg) }));
  }

  async fetchStatus(item: ChromeItem): Promise<unknown> {
    const json = await this.call(item, { method: 'GET', url: `${this.api}/v2/${nameOf(item)}:fetchStatus` });
    if (isItemStatus(json)) return json;
    throw new StoreFailure('retry', "The Chrome Web Store's answer is not an item status.");
  }

  /** All rows of a query, page by page (src/stores/README.md#chrome-figures). */
  async queryMetrics(
    item: ChromeItem,
    { metrics, dimension }: MetricsQuery,
    range: FigureRange,
  ): Promise<readonly unknown[]> {
    const url = new URL(`${this.api}/v2/${nameOf(item)}:queryMetrics`);
    for (const [name, value] of timeSpec(range)) url.searchParams.append(name, value);
    for (const metric of metrics) url.searchParams.append('metrics', metric);
    if (dimension !== undefined) url.searchParams.append('dimensions', dimension);
    url.searchParams.append('pageSize', String(ROWS_PER_PAGE));
    const rows: unknown[] = [];
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = asRecord(await this.call(item, { method: 'GET', url: url.href }));
      if (answer === undefined) throw new StoreFailure('retry', "The Chrome Web Store's answer has no figures.");
      rows.push(...asList(answer['metricRows']));
      const next = asText(answer['nextPageToken']);
      if (next === undefined || next === '') return rows;
      url.searchParams.set('pageToken', next);
    }
    throw new StoreFailure('retry', 'The Chrome Web Store sent an endless list of figures.');
  }

  /** The summary of all ratings (src/stores/README.md#chrome-figures). */
  ratingSummary(item: ChromeItem): Promise<unknown> {
    return this.call(item, { method: 'GET', url: `${this.api}/v2/${nameOf(item)}/ratingSummary` });
  }

  /** A page of reviews, newest first (src/stores/README.md#chrome-reviews). */
  async fetchReviews(item: ChromeItem, pageToken: string | undefined): Promise<Readonly<Record<string, unknown>>> {
    const url = new URL(`${this.api}/v2/${nameOf(item)}:fetchReviews`);
    url.searchParams.set('pageSize', String(REVIEWS_PER_PAGE));
    url.searchParams.set('orderBy', 'createTime desc');
    if (pageToken !== undefined) url.searchParams.set('pageToken', pageToken);
    const answer = asRecord(await this.call(item, { method: 'GET', url: url.href }));
    // Proto JSON leaves an empty list out.
    if (answer === undefined || !Array.isArray(answer['reviews'] ?? []))
      throw new StoreFailure('retry', "The Chrome Web Store's answer has no list of reviews.");
    return answer;
  }

  publish(item: ChromeItem, request: PublishRequest): Promise<unknown> {
    return this.post(item, 'publish', request);
  }

  cancelSubmission(item: ChromeItem): Promise<unknown> {
    return this.post(item, 'cancelSubmission', {});
  }

  setRollout(item: ChromeItem, deployPercentage: number): Promise<unknown> {
    return this.post(item, 'setPublishedDeployPercentage', { deployPercentage });
  }

  rollback(item: ChromeItem, request: RollbackRequest): Promise<unknown> {
    return this.post(item, 'rollback', request);
  }

  /**
   * The version that Chrome's update service offers to any browser (src/stores/README.md#chrome-update-check). It never throws: the service only
   * confirms what the API says, and it does not know items that are published to some users only.
   */
  async updateCheck({ storeItemId }: ChromeItem): Promise<Known<string>> {
    const answer = await this.updates.check(storeItemId);
    return answer === null ? UNKNOWN : offeredVersion(answer, storeItemId);
  }

  private async post(item: ChromeItem, verb: string, body: object): Promise<unknown> {
    return this.call(item, {
      method: 'POST',
      url: `${this.api}/v2/${nameOf(item)}:${verb}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  private call(item: ChromeItem, request: HttpRequest | (() => Promise<HttpRequest>)): Promise<unknown> {
    return callStore(STORE, async () => {
      const key = keyOf(item.credentials);
      const token = await this.tokens.get(key);
      let answer = await this.send(request, token);
      if (isErrorAnswer(answer) && isTokenRefused(answer)) {
        this.tokens.invalidate(key, token);
        answer = await this.send(request, await this.tokens.get(key));
      }
      if (isErrorAnswer(answer)) throw chromeFailure(answer, this.clock.now());
      return answer.json;
    });
  }

  private async send(request: HttpRequest | (() => Promise<HttpRequest>), token: string): Promise<HttpAnswer> {
    const fresh = typeof request === 'function' ? await request() : request;
    const headers = { accept: 'application/json', ...fresh.headers, authorization: `Bearer ${token}` };
    return this.http.request({ ...fresh, headers });
  }
}

/** `publishers/{publisherId}/items/{itemId}`. Both ids are user input, so both are encoded. */
function nameOf({ credentials, storeItemId }: ChromeItem): string {
  // A lone surrogate cannot be encoded.
  if (storeItemId === '' || /\p{Surrogate}/u.test(storeItemId)) {
    throw new StoreFailure('config', 'The storeItemId is not an item id of the Chrome Web Store.');
  }
  return `publishers/${encodeURIComponent(credentials.publisherId)}/items/${encodeURIComponent(storeItemId)}`;
}
