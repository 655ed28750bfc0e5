import type { Readable } from 'node:stream';
import { HttpFailure, type HttpAnswer, type HttpClient, type HttpRequest } from '../../common/net/index.js';
import { StoreFailure } from '../store-failure.js';
import { UNKNOWN, type Known } from '../store.js';
import { unansweredFailure } from '../unanswered.js';
import { isRefused } from './chrome.complaint.js';
import { identityOf, keyOf, type ChromeCredentials } from './chrome.credentials.js';
import { chromeFailure, isTokenRefused } from './chrome.errors.js';
import { isItemStatus, offeredVersion } from './chrome.states.js';
import { ChromeTokens } from './chrome.tokens.js';

/** Where the Chrome Web Store is (docs/stores.md#chrome-addresses). */
export interface ChromeUrls {
  /** `https://chromewebstore.googleapis.com` */
  readonly apiUrl: string;
  /** The whole address of the token endpoint. */
  readonly tokenUrl: string;
  /** The whole address of the update service (docs/stores.md#chrome-update-check). */
  readonly updateUrl: string;
}

/** `PublishItemRequest.publishType` (docs/stores.md#chrome-publish). */
export type PublishType = 'DEFAULT_PUBLISH' | 'STAGED_PUBLISH';

/** `PublishItemRequest`, as far as Pierhead asks for something in it (docs/stores.md#chrome-publish). */
export interface PublishOrder {
  readonly publishType: PublishType;
  readonly deployInfos?: readonly { readonly deployPercentage: number }[];
  readonly skipReview?: true;
}

/** `RollbackItemRequest` (docs/stores.md#chrome-rollback). */
export interface RollbackOrder {
  readonly targetCrxVersion: string;
  readonly newVersion: string;
  readonly rollbackReason: string;
  readonly validateOnly: boolean;
}

/** One item as its owner reaches it. */
export interface ChromeItem {
  readonly credentials: ChromeCredentials;
  readonly storeItemId: string;
}

/** 32 letters from a to p (docs/stores.md#chrome-calls). */
const ITEM_ID = /^[a-p]{32}$/;
/** The update service offers a version only to a browser that is new enough to run it. */
const CHROME_VERSION = '999.0.0.0';

/**
 * The calls of API v2 (docs/stores.md#chrome-calls). Each returns the answer's JSON, or throws a classed
 * `StoreFailure`.
 */
export class ChromeClient {
  private readonly api: string;
  private readonly updateUrl: string;
  private readonly tokens: ChromeTokens;

  constructor(
    urls: ChromeUrls,
    private readonly http: HttpClient,
    private readonly clock: { now(): Date },
  ) {
    this.api = urls.apiUrl.replace(/\/+$/, '');
    this.updateUrl = urls.updateUrl;
    this.tokens = new ChromeTokens(urls.tokenUrl, http, clock);
  }

  /** Exchanges the credential for a fresh token, never for a kept one, and says whose it is. */
  async prove(credentials: ChromeCredentials): Promise<string> {
    await answered(() => this.tokens.exchange(keyOf(credentials)));
    return identityOf(credentials);
  }

  /** Sends a package as the item's new draft; `open` is called again when the token has to be renewed. */
  async upload(item: ChromeItem, open: () => Promise<Readable>): Promise<unknown> {
    const url = `${this.api}/upload/v2/${nameOf(item)}:upload`;
    const headers = { 'X-Goog-Upload-Protocol': 'raw', 'X-Goog-Upload-File-Name': 'extension.zip' };
    return this.call(item, async () => ({ method: 'POST', url, headers, body: await opened(open) }));
  }

  async fetchStatus(item: ChromeItem): Promise<unknown> {
    const json = await this.call(item, { method: 'GET', url: `${this.api}/v2/${nameOf(item)}:fetchStatus` });
    if (isItemStatus(json)) return json;
    throw new StoreFailure('retry', "The Chrome Web Store's answer is not the status of an item.");
  }

  publish(item: ChromeItem, order: PublishOrder): Promise<unknown> {
    return this.post(item, 'publish', order);
  }

  cancelSubmission(item: ChromeItem): Promise<unknown> {
    return this.post(item, 'cancelSubmission', {});
  }

  setRollout(item: ChromeItem, deployPercentage: number): Promise<unknown> {
    return this.post(item, 'setPublishedDeployPercentage', { deployPercentage });
  }

  rollback(item: ChromeItem, order: RollbackOrder): Promise<unknown> {
    return this.post(item, 'rollback', order);
  }

  /**
   * The version that Chrome's update service hands to anyone's browser (docs/stores.md#chrome-update-check). It never fails: it is a second witness, whose silence says
   * nothing, as not everything that is published is for everyone.
   */
  async updateCheck({ storeItemId }: ChromeItem): Promise<Known<string>> {
    if (!ITEM_ID.test(storeItemId)) return UNKNOWN;
    const url = new URL(this.updateUrl);
    const asked = { response: 'updatecheck', prodversion: CHROME_VERSION, acceptformat: 'crx2,crx3' };
    for (const [name, value] of Object.entries({ ...asked, x: `id=${storeItemId}&uc` }))
      url.searchParams.set(name, value);
    const answer = await this.http.request({ method: 'GET', url: url.href }).catch(() => null);
    return answer?.status === 200 ? offeredVersion(answer.text, storeItemId) : UNKNOWN;
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
    return answered(async () => {
      const key = keyOf(item.credentials);
      const token = await this.tokens.get(key);
      let answer = await this.send(request, token);
      if (isRefused(answer) && isTokenRefused(answer)) {
        this.tokens.drop(key, token);
        answer = await this.send(request, await this.tokens.get(key));
      }
      if (isRefused(answer)) throw chromeFailure(answer, this.clock.now());
      return answer.json;
    });
  }

  private async send(request: HttpRequest | (() => Promise<HttpRequest>), token: string): Promise<HttpAnswer> {
    const made = typeof request === 'function' ? await request() : request;
    const headers = { accept: 'application/json', ...made.headers, authorization: `Bearer ${token}` };
    return this.http.request({ ...made, headers });
  }
}

/** `publishers/{publisherId}/items/{itemId}`; both parts are encoded, as both are a customer's input. */
function nameOf({ credentials, storeItemId }: ChromeItem): string {
  // A lone surrogate cannot be encoded at all.
  if (storeItemId === '' || /\p{Surrogate}/u.test(storeItemId)) {
    throw new StoreFailure('config', 'The storeItemId is not the id of an item in the Chrome Web Store.');
  }
  return `publishers/${encodeURIComponent(credentials.publisherId)}/items/${encodeURIComponent(storeItemId)}`;
}

/** Lets no failure but a `StoreFailure` out. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof HttpFailure ? unansweredFailure('The Chrome Web Store', error) : error;
  }
}

async function opened(open: () => Promise<Readable>): Promise<Readable> {
  try {
    return await open();
  } catch (cause) {
    throw new StoreFailure('retry', 'The package could not be opened to be sent.', { cause });
  }
}
