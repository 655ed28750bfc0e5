import { MINUTE_MS } from '../../common/system/index.js';
import {
  asRecord,
  asText,
  truncate,
  redact,
  redactText,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
  withoutTrailingSlashes,
} from '../../common/net/index.js';
import { StoreFailure, type ThrottledCalls, withFullStop, withoutSecret } from '../failures/index.js';
import type { StorePackage } from '../store.js';
import { callStore } from '../store-http.js';
import { isErrorAnswer } from './firefox.api-error.js';
import type { FirefoxCredentials } from './firefox.credentials.js';
import { firefoxFailure, isNotFound, serverTimeAfterClockError } from './firefox.errors.js';
import { archiveKind, formOf } from './firefox.form.js';
import { tokenFor } from './firefox.tokens.js';
import { addonVersionFrom, type Channel, type AddonVersion } from './firefox.states.js';

/** The URL of AMO (src/stores/README.md#firefox-addresses). */
export interface FirefoxUrls {
  /** `https://addons.mozilla.org/api/v5`, with or without a trailing slash. */
  readonly apiUrl: string;
}

/** An add-on and the credentials of an author. */
export interface FirefoxItem {
  readonly credentials: FirefoxCredentials;
  /** GUID (with its braces or its @), slug or number; sent unchanged. */
  readonly storeItemId: string;
}

/** The metadata of a version (src/stores/README.md#firefox-calls). */
export interface VersionDetails extends ReviewDetails {
  readonly release_notes?: Readonly<Record<string, string>>;
  readonly compatibility?: readonly string[];
}

/** Metadata that only reviewers see. It is a flat field, which a form can contain. */
export interface ReviewDetails {
  readonly approval_notes?: string;
}

/** Half of a token's 300 s, so that a clock may be off by as much in either direction. */
const BACKDATED_MS = 150_000;
/** A token must outlive the upload of a package, so it is backdated less. */
const BACKDATED_FOR_UPLOAD_MS = MINUTE_MS;
/** AMO truncates `Date` to whole seconds. */
const BACKDATED_FROM_SERVER_TIME_MS = 5_000;
/** More versions than are published between two reads, and few enough for the size limit of an answer. */
const PAGE_SIZE = 50;
const STORE = 'addons.mozilla.org';
const JSON_HEADERS = { 'content-type': 'application/json' };

type Request = HttpRequest | (() => Promise<HttpRequest>);

interface CallOptions {
  readonly mayBeEmpty?: boolean;
  /** The throttle that counts the call; none for a read. */
  readonly throttle?: ThrottledCalls;
}

/** The calls of API v5 (src/stores/README.md#firefox-calls). Each returns the answer's JSON or throws a `StoreFailure`. */
export class FirefoxClient {
  private readonly api: string;

  constructor(
    urls: FirefoxUrls,
    private readonly http: HttpClient,
    private readonly clock: { now(): Date },
  ) {
    this.api = withoutTrailingSlashes(urls.apiUrl);
  }

  /** The profile of the key's owner. */
  async profile(credentials: FirefoxCredentials): Promise<Readonly<Record<string, unknown>>> {
    const json = await this.read(credentials, '/accounts/profile/');
    return checked(json, 'id' in json, 'the profile of a user');
  }

  /** @throws StoreFailure `wait` while the site is read-only (src/stores/README.md#firefox-authentication) */
  async assertWritable(): Promise<void> {
    await callStore(STORE, async () => {
      const headers = { accept: 'application/json', 'accept-language': 'en-US' };
      const { json } = await this.http.request({ method: 'GET', url: `${this.api}/site/`, headers });
      const site = asRecord(json);
      if (site?.['read_only'] !== true) return;
      const notice = truncate(redactText(asText(site['notice']) ?? ''), 500);
      const message = 'addons.mozilla.org is in maintenance and accepts no changes.';
      throw new StoreFailure('wait', notice === '' ? message : `${message} Its notice: ${withFullStop(notice)}`, {
        raw: redact(json),
      });
    });
  }

  async addon(item: FirefoxItem): Promise<Readonly<Record<string, unknown>>> {
    const json = await this.read(item.credentials, `${pathOf(item)}/`);
    return checked(json, 'guid' in json || 'id' in json, 'an add-on');
  }

  /** The newest versions of both channels, including those that only authors see. */
  async versions(item: FirefoxItem): Promise<Readonly<Record<string, unknown>>> {
    const path = `${pathOf(item)}/versions/?filter=all_with_unlisted&page_size=${PAGE_SIZE}`;
    const json = await this.read(item.credentials, path);
    return checked(json, Array.isArray(json['results']), 'a list of versions');
  }

  /** A version by its number; `null` when it does not exist. */
  async version(item: FirefoxItem, version: string): Promise<AddonVersion | null> {
    const json = await nullIfNotFound(this.read(item.credentials, `${pathOf(item)}/versions/${segmentOf(version)}/`));
    return json === null ? null : expectVersion(json);
  }

  /**
   * A page of what users wrote, newest first. Everybody may read it, so no key is sent (src/stores/README.md#firefox-reviews).
   * @returns null for an add-on that is not public
   */
  async ratings({ storeItemId }: FirefoxItem, page: number): Promise<Readonly<Record<string, unknown>> | null> {
    return callStore(STORE, async () => {
      const url = new URL(`${this.api}/ratings/rating/`);
      const query = { addon: storeItemId, filter: 'without_empty_body', page_size: PAGE_SIZE, page };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
      const headers = { accept: 'application/json', 'accept-language': 'en-US' };
      const answer = await this.http.request({ method: 'GET', url: url.href, headers });
      if (answer.status === 401 || answer.status === 403) return null;
      if (isErrorAnswer(answer)) throw firefoxFailure(answer, this.clock.now());
      const json = asRecord(answer.json) ?? {};
      return checked(json, Array.isArray(json['results']), 'a list of ratings');
    });
  }

  async upload(credentials: FirefoxCredentials, pkg: StorePackage, channel: Channel): Promise<unknown> {
    const file = { field: 'upload', fileName: 'extension.zip', type: 'application/zip', file: pkg };
    const url = `${this.api}/addons/upload/`;
    const request = async () => ({ method: 'POST', url, ...(await formOf({ channel }, file)) });
    const json = await this.call(credentials, request, { throttle: 'uploads' });
    return checked(json, asText(json['uuid']) !== undefined, 'an upload');
  }

  /** An upload by its id; `null` when the store no longer has it. */
  uploadOf(credentials: FirefoxCredentials, uuid: string): Promise<unknown> {
    return nullIfNotFound(this.read(credentials, `/addons/upload/${encodeURIComponent(uuid)}/`));
  }

  /** Creates a version from an upload. A source archive is sent in a form, which cannot contain nested fields; these need a second call. */
  async createVersion(
    item: FirefoxItem,
    upload: string,
    content: VersionDetails | (ReviewDetails & { readonly source: StorePackage }),
  ): Promise<AddonVersion> {
    const url = `${this.api}${pathOf(item)}/versions/`;
    if (!('source' in content)) return expectVersion(await this.send(item, 'POST', url, { upload, ...content }));
    const { source, ...details } = content;
    const file = { field: 'source', ...(await archiveKind(source)), file: source };
    const request = async () => ({ method: 'POST', url, ...(await formOf({ upload, ...details }, file)) });
    return expectVersion(await this.call(item.credentials, request, { throttle: 'writes' }));
  }

  async describeVersion(item: FirefoxItem, version: string, details: VersionDetails): Promise<void> {
    await this.send(item, 'PATCH', `${this.api}${pathOf(item)}/versions/${segmentOf(version)}/`, details);
  }

  /** Publishes an approved version again under a new number. The store answers before it has done so. */
  rollback(item: FirefoxItem, to: string, newVersion: string): Promise<unknown> {
    const url = `${this.api}${pathOf(item)}/versions/${segmentOf(to)}/rollback/`;
    return this.send(item, 'POST', url, { new_version_string: newVersion }, { mayBeEmpty: true });
  }

  private read(credentials: FirefoxCredentials, path: string): Promise<Readonly<Record<string, unknown>>> {
    return this.call(credentials, { method: 'GET', url: `${this.api}${path}` });
  }

  private send(
    { credentials }: FirefoxItem,
    method: string,
    url: string,
    body: object,
    options?: CallOptions,
  ): Promise<Readonly<Record<string, unknown>>> {
    const request = { method, url, headers: JSON_HEADERS, body: JSON.stringify(body) };
    return this.call(credentials, request, { throttle: 'writes', ...options });
  }

  private call(
    credentials: FirefoxCredentials,
    request: Request,
    { mayBeEmpty = false, throttle }: CallOptions = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    return callStore(STORE, async () => {
      const backdated = typeof request === 'function' ? BACKDATED_FOR_UPLOAD_MS : BACKDATED_MS;
      let answer = await this.request(credentials, request, this.clock.now().getTime() - backdated);
      const serverTime = serverTimeAfterClockError(answer)?.getTime();
      if (serverTime !== undefined)
        answer = await this.request(credentials, request, serverTime - BACKDATED_FROM_SERVER_TIME_MS);
      const isAllowedEmpty = mayBeEmpty && answer.text === '' && answer.status < 300;
      if (!isAllowedEmpty && isErrorAnswer(answer)) throw firefoxFailure(answer, this.clock.now(), throttle);
      return asRecord(answer.json) ?? {};
    });
  }

  private async request(credentials: FirefoxCredentials, request: Request, validFrom: number): Promise<HttpAnswer> {
    const token = await tokenFor(credentials, new Date(validFrom));
    const fresh = typeof request === 'function' ? await request() : request;
    // AMO translates its messages, and the rules match English ones.
    const headers = { accept: 'application/json', 'accept-language': 'en-US', ...fresh.headers };
    const answer = await this.http.request({ ...fresh, headers: { ...headers, authorization: `JWT ${token}` } });
    // The secret has no form by which it could be recognized later.
    return withoutSecret(answer, credentials.secret);
  }
}

/** `/addons/addon/{id}`. The id is user input: encoded, and otherwise unchanged (src/stores/README.md#firefox-ids). */
function pathOf({ storeItemId }: FirefoxItem): string {
  // A lone surrogate cannot be encoded, and one or two dots would be resolved as path segments.
  if (storeItemId === '' || /\p{Surrogate}|^\.{1,2}$/u.test(storeItemId)) {
    throw new StoreFailure('config', 'The storeItemId is not an add-on id of addons.mozilla.org.');
  }
  return `/addons/addon/${encodeURIComponent(storeItemId)}`;
}

/** A version's number in a path. Digits alone would be the store's own id of a version (src/stores/README.md#firefox-ids). */
const segmentOf = (version: string): string => `v${encodeURIComponent(version)}`;

function expectVersion(json: Readonly<Record<string, unknown>>): AddonVersion {
  const version = addonVersionFrom(json);
  if (version === null) throw unexpectedAnswer('a version');
  return version;
}

function checked<T>(json: T, isRight: boolean, what: string): T {
  if (!isRight) throw unexpectedAnswer(what);
  return json;
}

const unexpectedAnswer = (what: string): StoreFailure =>
  new StoreFailure('retry', `The answer of addons.mozilla.org is not ${what}.`);

async function nullIfNotFound<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
