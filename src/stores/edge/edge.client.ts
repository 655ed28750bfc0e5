import {
  asRecord,
  asText,
  redact,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
  withoutTrailingSlashes,
} from '../../common/net/index.js';
import { isVersion } from '../version.js';
import { StoreFailure, withoutSecret } from '../failures/index.js';
import { known, UNKNOWN, type StorePackage } from '../store.js';
import { callStore, openPackage } from '../store-http.js';
import { UpdateService } from '../update-service.js';
import type { EdgeCredentials } from './edge.credentials.js';
import { edgeFailure } from './edge.errors.js';
import type { Operation, OperationOf } from './edge.operation.js';
import { IN_PROGRESS, operationFrom, type Listing } from './edge.states.js';

/** The URLs of Microsoft Edge Add-ons (src/stores/README.md#edge-authentication, src/stores/README.md#edge-public-page). */
export interface EdgeUrls {
  /** `https://api.addons.microsoftedge.microsoft.com` */
  readonly apiUrl: string;
  /** `https://microsoftedge.microsoft.com` */
  readonly publicUrl: string;
  /** The whole URL of the update service (src/stores/README.md#edge-update-check). */
  readonly updateUrl: string;
}

/** A product and the credentials of its owner. */
export interface EdgeProduct {
  readonly credentials: EdgeCredentials;
  readonly productId: string;
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** No account has it. Reading it distinguishes a valid key (404) from an invalid one (401) (src/stores/README.md#edge-authentication). */
const NO_ID = '00000000-0000-0000-0000-000000000000';
const OPERATION_ID = /^[\w.-]{1,200}$/;
const CRX_ID = /^[a-p]{32}$/;
const STORE = 'Microsoft Edge Add-ons';
/** Where the files are that Edge's update service names (src/stores/README.md#edge-update-check). */
export const FILE_DOMAINS = ['dl.delivery.mp.microsoft.com'] as const;

/**
 * The four calls of the API (src/stores/README.md#edge-operations) and the public page. The calls throw a `StoreFailure`, reading the page does
 * not throw.
 */
export class EdgeClient {
  private readonly api: string;
  private readonly site: string;
  readonly updates: UpdateService;

  constructor(
    urls: EdgeUrls,
    private readonly http: HttpClient,
    private readonly clock: { now(): Date },
  ) {
    this.api = withoutTrailingSlashes(urls.apiUrl);
    this.site = withoutTrailingSlashes(urls.publicUrl);
    // Without an installed version, the service answers nothing.
    const question = '&v=0.0.0.0&uc';
    this.updates = new UpdateService({ store: STORE, url: urls.updateUrl, fileDomains: FILE_DOMAINS, question }, http);
  }

  /** Checks client id and key by the cheapest read. */
  async verify(credentials: EdgeCredentials): Promise<void> {
    const answer = await this.read({ credentials, productId: NO_ID }, 'upload', NO_ID);
    if (answer.status !== 404) throw this.failureOf(answer, 'read');
  }

  /** Sends a package as the product's draft. @returns the operation's id */
  async upload(product: EdgeProduct, pkg: StorePackage): Promise<string> {
    const url = `${this.submissionsOf(product)}/draft/package`;
    const body = await openPackage(pkg);
    const headers = { 'content-type': 'application/zip' };
    return this.operationIdIn(await this.send(product, { method: 'POST', url, headers, body }), 'upload');
  }

  /** Submits the draft for certification, with notes for the reviewers. @returns the operation's id */
  async publish(product: EdgeProduct, notes: string | null): Promise<string> {
    const request: HttpRequest = {
      method: 'POST',
      url: this.submissionsOf(product),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(notes === null ? {} : { notes }),
    };
    return this.operationIdIn(await this.send(product, request), 'publish');
  }

  /** @param id null to check only the key. @returns null when the store does not know the operation or the product */
  async operation(product: EdgeProduct, of: OperationOf, id: string | null): Promise<Operation | null> {
    const answer = await this.read(product, of, id ?? NO_ID);
    if (answer.status === 404) return null;
    // An operation in progress may be answered with 200 or 202 (src/stores/README.md#edge-operations).
    const operation = answer.status === 200 || answer.status === 202 ? operationFrom(answer.json) : null;
    if (operation !== null) return operation;
    if (answer.status === 202) return IN_PROGRESS;
    throw this.failureOf(answer, 'read');
  }

  /**
   * The live version, from an undocumented page (src/stores/README.md#edge-public-page). It never throws. Without a clear answer the version is
   * unknown; so is it after a 404, because hidden listings and a removed page look the same.
   */
  async listing(crxId: string | null): Promise<Listing> {
    if (crxId === null || !CRX_ID.test(crxId)) return { live: UNKNOWN, raw: null };
    const url = `${this.site}/addons/getproductdetailsbycrxid/${crxId}`;
    const answer = await this.http
      .request({ method: 'GET', url, headers: { accept: 'application/json' } })
      .catch(() => ({ status: 0, json: undefined }));
    const details = answer.status === 200 ? asRecord(answer.json) : undefined;
    const version = asText(details?.['version']);
    const isSameItem = (asText(details?.['crxId']) ?? crxId) === crxId;
    const raw = redact(details === undefined ? { status: answer.status } : { crxId, version: details['version'] });
    return { live: version !== undefined && isVersion(version) && isSameItem ? known(version) : UNKNOWN, raw };
  }

  private async read(product: EdgeProduct, of: OperationOf, id: string): Promise<HttpAnswer> {
    const folder = of === 'upload' ? '/draft/package' : '';
    const url = `${this.submissionsOf(product)}${folder}/operations/${encodeURIComponent(id)}`;
    return this.send(product, { method: 'GET', url });
  }

  /** The operation's id, which is the last path segment of `Location` (src/stores/README.md#edge-operations). */
  private operationIdIn(answer: HttpAnswer, call: OperationOf): string {
    const location = answer.headers.get('location') ?? '';
    const id = location.split(/[?#]/)[0]?.split('/').findLast(Boolean) ?? '';
    if (answer.status < 200 || answer.status > 299 || !OPERATION_ID.test(id)) throw this.failureOf(answer, call);
    return id;
  }

  private failureOf(answer: HttpAnswer, call: OperationOf | 'read'): StoreFailure {
    return edgeFailure(answer, call, this.clock.now());
  }

  private async send({ credentials }: EdgeProduct, request: HttpRequest): Promise<HttpAnswer> {
    const { clientId, apiKey } = credentials;
    const headers = { accept: 'application/json', authorization: `ApiKey ${apiKey}`, 'x-clientid': clientId };
    const sent = { ...request, headers: { ...headers, ...request.headers } };
    // The key has no form by which it could be recognized later.
    return withoutSecret(await callStore(STORE, () => this.http.request(sent)), apiKey);
  }

  private submissionsOf({ productId }: EdgeProduct): string {
    if (!GUID.test(productId)) {
      throw new StoreFailure(
        'config',
        "The storeItemId is not a product id. Product ids are the GUIDs in Partner Center, not the extension's public id.",
      );
    }
    return `${this.api}/v1/products/${productId}/submissions`;
  }
}
