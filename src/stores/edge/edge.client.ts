import type { Readable } from 'node:stream';
import {
  asRecord,
  asText,
  HttpFailure,
  redact,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
} from '../../common/net/index.js';
import { isVersion } from '../version.js';
import { StoreFailure } from '../store-failure.js';
import { known, UNKNOWN } from '../store.js';
import { unansweredFailure } from '../unanswered.js';
import type { EdgeCredentials } from './edge.credentials.js';
import { edgeFailure } from './edge.errors.js';
import type { Operation, OperationOf } from './edge.operation.js';
import { IN_PROGRESS, operationFrom, type Listing } from './edge.states.js';

/** Where Microsoft Edge Add-ons is (docs/stores.md#edge-authentication, docs/stores.md#edge-public-page). */
export interface EdgeUrls {
  /** `https://api.addons.microsoftedge.microsoft.com` */
  readonly apiUrl: string;
  /** `https://microsoftedge.microsoft.com` */
  readonly publicUrl: string;
}

/** One product as its owner reaches it. */
export interface EdgeProduct {
  readonly credentials: EdgeCredentials;
  readonly productId: string;
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/**
 * What no account has: asking for it tells a good key (404) from a bad one (401), and nothing else
 * (docs/stores.md#edge-authentication).
 */
const NO_ID = '00000000-0000-0000-0000-000000000000';
const OPERATION_ID = /^[\w.-]{1,200}$/;
const CRX_ID = /^[a-p]{32}$/;
const REDACTED = '[redacted]';

/**
 * The four calls of the API (docs/stores.md#edge-operations) and the public page. Each throws a classed `StoreFailure`,
 * the page nothing.
 */
export class EdgeClient {
  private readonly api: string;
  private readonly site: string;

  constructor(
    urls: EdgeUrls,
    private readonly http: HttpClient,
    private readonly clock: { now(): Date },
  ) {
    this.api = urls.apiUrl.replace(/\/+$/, '');
    this.site = urls.publicUrl.replace(/\/+$/, '');
  }

  /** Asks whether client id and key are taken, by the cheapest read there is. */
  async prove(credentials: EdgeCredentials): Promise<void> {
    const answer = await this.read({ credentials, productId: NO_ID }, 'upload', NO_ID);
    if (answer.status !== 404) throw this.refused(answer, 'read');
  }

  /** Sends a package as the product's draft. @returns the id of the operation that takes it in */
  async upload(product: EdgeProduct, open: () => Promise<Readable>): Promise<string> {
    const url = `${this.submissionsOf(product)}/draft/package`;
    const body = await opened(open);
    const headers = { 'content-type': 'application/zip' };
    return this.accepted(await this.send(product, { method: 'POST', url, headers, body }), 'upload');
  }

  /** Sends the draft to certification, with notes for those who certify it. @returns the id of the operation that does so */
  async publish(product: EdgeProduct, notes: string | null): Promise<string> {
    const request: HttpRequest = {
      method: 'POST',
      url: this.submissionsOf(product),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(notes === null ? {} : { notes }),
    };
    return this.accepted(await this.send(product, request), 'publish');
  }

  /** @param id null only asks whether the key is taken. @returns null where the store knows no such operation, or no such product */
  async operation(product: EdgeProduct, of: OperationOf, id: string | null): Promise<Operation | null> {
    const answer = await this.read(product, of, id ?? NO_ID);
    if (answer.status === 404) return null;
    // The reference says 200 while an operation is in progress, and Microsoft's sample script expects 202 (docs/stores.md#edge-operations).
    const operation = answer.status === 200 || answer.status === 202 ? operationFrom(answer.json) : null;
    if (operation !== null) return operation;
    if (answer.status === 202) return IN_PROGRESS;
    throw this.refused(answer, 'read');
  }

  /**
   * The version that users get, from a page that nobody documents (docs/stores.md#edge-public-page). It never fails: without a clear answer the version is not
   * known, and a 404 is none, because a listing that is hidden and a page that is gone look alike.
   */
  async listing(crxId: string | null): Promise<Listing> {
    if (crxId === null || !CRX_ID.test(crxId)) return { live: UNKNOWN, raw: null };
    const url = `${this.site}/addons/getproductdetailsbycrxid/${crxId}`;
    const answer = await this.http
      .request({ method: 'GET', url, headers: { accept: 'application/json' } })
      .catch((error: unknown) => ({ status: 0, json: error instanceof HttpFailure ? error.message : undefined }));
    const details = answer.status === 200 ? asRecord(answer.json) : undefined;
    const version = asText(details?.['version']);
    const isIts = (asText(details?.['crxId']) ?? crxId) === crxId;
    const raw = redact(details === undefined ? { status: answer.status } : { crxId, version: details['version'] });
    return { live: version !== undefined && isVersion(version) && isIts ? known(version) : UNKNOWN, raw };
  }

  private async read(product: EdgeProduct, of: OperationOf, id: string): Promise<HttpAnswer> {
    const folder = of === 'upload' ? '/draft/package' : '';
    const url = `${this.submissionsOf(product)}${folder}/operations/${encodeURIComponent(id)}`;
    return this.send(product, { method: 'GET', url });
  }

  /**
   * The operation's id from `Location`, which holds it bare or at the end of an address
   * (docs/stores.md#edge-operations).
   */
  private accepted(answer: HttpAnswer, call: OperationOf): string {
    const location = answer.headers.get('location') ?? '';
    const id = location.split(/[?#]/)[0]?.split('/').findLast(Boolean) ?? '';
    if (answer.status < 200 || answer.status > 299 || !OPERATION_ID.test(id)) throw this.refused(answer, call);
    return id;
  }

  private refused(answer: HttpAnswer, call: OperationOf | 'read'): StoreFailure {
    return edgeFailure(answer, call, this.clock.now());
  }

  private async send({ credentials }: EdgeProduct, request: HttpRequest): Promise<HttpAnswer> {
    const { clientId, apiKey } = credentials;
    const headers = { accept: 'application/json', authorization: `ApiKey ${apiKey}`, 'x-clientid': clientId };
    try {
      return withoutKey(await this.http.request({ ...request, headers: { ...headers, ...request.headers } }), apiKey);
    } catch (error) {
      throw error instanceof HttpFailure ? unansweredFailure('Microsoft Edge Add-ons', error) : error;
    }
  }

  private submissionsOf({ productId }: EdgeProduct): string {
    if (!GUID.test(productId)) {
      throw new StoreFailure(
        'config',
        "The storeItemId is not a product id of Partner Center, which is a GUID and not the extension's public id.",
      );
    }
    return `${this.api}/v1/products/${productId}/submissions`;
  }
}

/** The answer without the key, which has no look of its own by which it could be found later, should the store send it back. */
function withoutKey(answer: HttpAnswer, apiKey: string): HttpAnswer {
  const cleaned = (text: string): string => text.replaceAll(apiKey, REDACTED);
  const json: unknown =
    answer.json === undefined
      ? undefined
      : JSON.parse(JSON.stringify(answer.json), (_name, value: unknown) =>
          typeof value === 'string' ? cleaned(value) : value,
        );
  return { ...answer, text: cleaned(answer.text), json };
}

async function opened(open: () => Promise<Readable>): Promise<Readable> {
  try {
    return await open();
  } catch (cause) {
    throw new StoreFailure('retry', 'The package could not be opened to be sent.', { cause });
  }
}
