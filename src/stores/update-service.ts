import { isWithin, type HttpClient } from '../common/net/index.js';
import { StoreFailure } from './failures/index.js';
import type { ServedFile } from './store.js';
import { callStore } from './store-http.js';
import { offerIn } from './update-answer.js';

/** A browser is offered only versions that it is new enough to run, so Pierhead asks as a newer one than there is. */
const BROWSER_VERSION = '999.0.0.0';
/** 32 letters from a to p. */
const PUBLIC_ID = /^[a-p]{32}$/;

export interface UpdateServiceOptions {
  /** In sentences. */
  readonly store: string;
  /** The whole URL. */
  readonly url: string;
  /** Where the files that it names may be, beside its own origin. */
  readonly fileDomains: readonly string[];
  /** Follows the id in a question about an item. */
  readonly question: string;
}

/** The update service of a store, as its browser asks it (src/stores/README.md#chrome-update-check, src/stores/README.md#edge-update-check). */
export class UpdateService {
  constructor(
    private readonly options: UpdateServiceOptions,
    private readonly http: HttpClient,
  ) {}

  /** The answer about an item, in XML; null without one, or for an id that is none. It never throws. */
  async check(publicId: string | null): Promise<string | null> {
    if (publicId === null || !PUBLIC_ID.test(publicId)) return null;
    const answer = await this.http.request(this.requestFor(publicId)).catch(() => null);
    return answer?.status === 200 ? answer.text : null;
  }

  /** The file that users of an item get. @throws StoreFailure */
  async servedFile(publicId: string | null): Promise<ServedFile> {
    if (publicId === null || !PUBLIC_ID.test(publicId))
      throw new StoreFailure('config', `${this.options.store} knows no such public id.`);
    const answer = await callStore(this.options.store, () => this.http.request(this.requestFor(publicId)));
    const offer = answer.status === 200 ? offerIn(answer.text, publicId) : null;
    if (offer === null || offer.codebase === null)
      throw new StoreFailure('wait', `${this.options.store} offers no file of this item to everybody.`);
    return { version: offer.version, url: offer.codebase, sha256: offer.sha256 };
  }

  /** Downloads a file, and sees that it is the one that was offered. @throws StoreFailure */
  async download({ url, sha256 }: ServedFile, path: string, maxBytes: number): Promise<void> {
    if (!this.isOfStore(url))
      throw new StoreFailure('retry', `${this.options.store} names a file at an address that is not one of its own.`);
    const request = { method: 'GET', url, maxBodyBytes: maxBytes };
    const file = await callStore(this.options.store, () => this.http.download(request, path));
    if (file.sha256 === null)
      throw new StoreFailure('retry', `${this.options.store} answered ${file.status} when it was asked for the file.`);
    if (sha256 !== null && sha256 !== file.sha256)
      throw new StoreFailure('retry', `${this.options.store} sent another file than it offers.`);
  }

  private isOfStore(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const { origin, protocol, hostname } = new URL(address);
    if (origin === new URL(this.options.url).origin) return true;
    return protocol === 'https:' && this.options.fileDomains.some((domain) => isWithin(hostname, domain));
  }

  private requestFor(publicId: string): { readonly method: string; readonly url: string } {
    const url = new URL(this.options.url);
    const query = { response: 'updatecheck', prodversion: BROWSER_VERSION, acceptformat: 'crx2,crx3' };
    for (const [name, value] of Object.entries({ ...query, x: `id=${publicId}${this.options.question}` }))
      url.searchParams.set(name, value);
    return { method: 'GET', url: url.href };
  }
}
