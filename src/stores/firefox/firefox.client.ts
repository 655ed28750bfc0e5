import {
  asList,
  asRecord,
  asText,
  cutText,
  HttpFailure,
  redact,
  redactText,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
} from '../../common/net/index.js';
import { StoreFailure, type ThrottledCalls } from '../store-failure.js';
import type { StorePackage } from '../store.js';
import { unansweredFailure } from '../unanswered.js';
import { isRefused } from './firefox.complaint.js';
import type { FirefoxCredentials } from './firefox.credentials.js';
import { ended } from '../refusals.js';
import { firefoxFailure, isAbsent, timeOfClockRefusal } from './firefox.errors.js';
import { archiveKind, formOf } from './firefox.form.js';
import { tokenFor } from './firefox.jwt.js';
import { heldVersion, type Channel, type HeldVersion } from './firefox.states.js';

/** Where AMO is (docs/stores.md#firefox-addresses). */
export interface FirefoxUrls {
  /** `https://addons.mozilla.org/api/v5`, with or without a slash at its end. */
  readonly apiUrl: string;
}

/** One add-on as its author reaches it. */
export interface FirefoxItem {
  readonly credentials: FirefoxCredentials;
  /** GUID (with its braces or its @), slug or number; sent as it is. */
  readonly storeItemId: string;
}

/** What of a version may be said beside its package (docs/stores.md#firefox-calls). */
export interface VersionDetails extends ReviewDetails {
  readonly release_notes?: Readonly<Record<string, string>>;
  readonly compatibility?: readonly string[];
}

/** What only its reviewers are told of a version; a flat field, which a form has room for. */
export interface ReviewDetails {
  readonly approval_notes?: string;
}

/** A token lives 300 s: made valid as long before our time as after it, it bears a clock that is off by either. */
const BACKDATED_MS = 150_000;
/** A token must outlive the sending of a package, so less of its life lies in the past. */
const BACKDATED_FOR_UPLOAD_MS = 60_000;
/** AMO's `Date` is cut to whole seconds. */
const BACKDATED_BY_THEIR_CLOCK_MS = 5_000;
/** More versions than stand between two looks, and far below the size at which an answer is cut. */
const PAGE_SIZE = 50;
const JSON_HEADERS = { 'content-type': 'application/json' };

type Request = HttpRequest | (() => Promise<HttpRequest>);

/** What a call is to AMO besides its request. */
interface CallOptions {
  readonly mayBeEmpty?: boolean;
  /** Which throttle counts it; none for a read. */
  readonly throttle?: ThrottledCalls;
}

/**
 * The calls of API v5 (docs/stores.md#firefox-calls). Each returns the answer's JSON, or throws a classed
 * `StoreFailure`.
 */
export class FirefoxClient {
  private readonly api: string;

  constructor(
    urls: FirefoxUrls,
    private readonly http: HttpClient,
    private readonly clock: { now(): Date },
  ) {
    this.api = urls.apiUrl.replace(/\/+$/, '');
  }

  /** Who the key belongs to. */
  async profile(credentials: FirefoxCredentials): Promise<Readonly<Record<string, unknown>>> {
    const json = await this.read(credentials, '/accounts/profile/');
    return shaped(json, 'id' in json, 'the profile of a user');
  }

  /**
   * Waits while the site is being maintained: it reads then, and takes no change
   * (docs/stores.md#firefox-authentication). @throws StoreFailure `wait`
   */
  async expectWritable(): Promise<void> {
    await answered(async () => {
      const headers = { accept: 'application/json', 'accept-language': 'en-US' };
      const { json } = await this.http.request({ method: 'GET', url: `${this.api}/site/`, headers });
      const site = asRecord(json);
      if (site?.['read_only'] !== true) return;
      const notice = cutText(redactText(asText(site['notice']) ?? ''), 500);
      const said = 'addons.mozilla.org is being maintained and takes no changes.';
      throw new StoreFailure('wait', notice === '' ? said : `${said} It says: ${ended(notice)}`, { raw: redact(json) });
    });
  }

  async addon(item: FirefoxItem): Promise<Readonly<Record<string, unknown>>> {
    const json = await this.read(item.credentials, `${pathOf(item)}/`);
    return shaped(json, 'guid' in json || 'id' in json, 'an add-on');
  }

  /** The newest versions of both channels, with those that only authors see. */
  async versions(item: FirefoxItem): Promise<Readonly<Record<string, unknown>>> {
    const path = `${pathOf(item)}/versions/?filter=all_with_unlisted&page_size=${PAGE_SIZE}`;
    const json = await this.read(item.credentials, path);
    return shaped(json, Array.isArray(json['results']), 'a list of versions');
  }

  /** One version by its number; `null` when the store has none. */
  async version(item: FirefoxItem, version: string): Promise<HeldVersion | null> {
    const json = await present(this.read(item.credentials, `${pathOf(item)}/versions/${segmentOf(version)}/`));
    return json === null ? null : heldIn(json);
  }

  async upload(credentials: FirefoxCredentials, parcel: StorePackage, channel: Channel): Promise<unknown> {
    const file = { field: 'upload', fileName: 'extension.zip', type: 'application/zip', file: parcel };
    const url = `${this.api}/addons/upload/`;
    const request = async () => ({ method: 'POST', url, ...(await formOf({ channel }, file)) });
    const json = await this.call(credentials, request, { throttle: 'uploads' });
    return shaped(json, asText(json['uuid']) !== undefined, 'an upload');
  }

  /** An upload by the id that the store gave it; `null` when the store has it no longer. */
  uploadOf(credentials: FirefoxCredentials, uuid: string): Promise<unknown> {
    return present(this.read(credentials, `/addons/upload/${encodeURIComponent(uuid)}/`));
  }

  /** Makes a version of an upload. Sources travel in a form, which has room for flat fields only; details then need a call of their own. */
  async createVersion(
    item: FirefoxItem,
    upload: string,
    more: VersionDetails | (ReviewDetails & { readonly source: StorePackage }),
  ): Promise<HeldVersion> {
    const url = `${this.api}${pathOf(item)}/versions/`;
    if (!('source' in more)) return heldIn(await this.send(item, 'POST', url, { upload, ...more }));
    const { source, ...details } = more;
    const file = { field: 'source', ...(await archiveKind(source)), file: source };
    const request = async () => ({ method: 'POST', url, ...(await formOf({ upload, ...details }, file)) });
    return heldIn(await this.call(item.credentials, request, { throttle: 'writes' }));
  }

  async describeVersion(item: FirefoxItem, version: string, details: VersionDetails): Promise<void> {
    await this.send(item, 'PATCH', `${this.api}${pathOf(item)}/versions/${segmentOf(version)}/`, details);
  }

  /** Serves an approved version again under a new number; the store does so later, and says little now. */
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
    return answered(async () => {
      const backdated = typeof request === 'function' ? BACKDATED_FOR_UPLOAD_MS : BACKDATED_MS;
      let answer = await this.ask(credentials, request, this.clock.now().getTime() - backdated);
      const theirs = timeOfClockRefusal(answer)?.getTime();
      if (theirs !== undefined) answer = await this.ask(credentials, request, theirs - BACKDATED_BY_THEIR_CLOCK_MS);
      const isFine = mayBeEmpty && answer.text === '' && answer.status < 300;
      if (!isFine && isRefused(answer)) throw firefoxFailure(answer, this.clock.now(), throttle);
      return asRecord(answer.json) ?? {};
    });
  }

  private async ask(credentials: FirefoxCredentials, request: Request, validFrom: number): Promise<HttpAnswer> {
    const token = await tokenFor(credentials, new Date(validFrom));
    const made = typeof request === 'function' ? await request() : request;
    // AMO speaks the reader's language, and the rules read English.
    const headers = { accept: 'application/json', 'accept-language': 'en-US', ...made.headers };
    const answer = await this.http.request({ ...made, headers: { ...headers, authorization: `JWT ${token}` } });
    return without(credentials.secret, answer);
  }
}

/** `/addons/addon/{id}`; the id is a customer's input, encoded and never altered (docs/stores.md#firefox-ids). */
function pathOf({ storeItemId }: FirefoxItem): string {
  // A lone surrogate cannot be encoded at all, and a dot or two would be taken for a step in the path.
  if (storeItemId === '' || /\p{Surrogate}|^\.{1,2}$/u.test(storeItemId)) {
    throw new StoreFailure('config', 'The storeItemId is not the id of an add-on at addons.mozilla.org.');
  }
  return `/addons/addon/${encodeURIComponent(storeItemId)}`;
}

/**
 * A version's number in a path: digits alone would be the store's own number of a version (docs/stores.md#firefox-ids).
 */
const segmentOf = (version: string): string => `v${encodeURIComponent(version)}`;

function heldIn(json: Readonly<Record<string, unknown>>): HeldVersion {
  const held = heldVersion(json);
  if (held === null) throw oddity('a version');
  return held;
}

function shaped<T>(json: T, isRight: boolean, what: string): T {
  if (!isRight) throw oddity(what);
  return json;
}

const oddity = (what: string): StoreFailure =>
  new StoreFailure('retry', `The answer of addons.mozilla.org is not ${what}.`);

async function present<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** An answer that does not repeat the secret, which looks like nothing that could be recognised. */
function without(secret: string, answer: HttpAnswer): HttpAnswer {
  const forms = [secret, JSON.stringify(secret).slice(1, -1)];
  if (!forms.some((form) => answer.text.includes(form))) return answer;
  const text = forms.reduce((rest, form) => rest.replaceAll(form, '[redacted]'), answer.text);
  return { ...answer, text, json: redactedJson(answer.json, secret) };
}

function redactedJson(value: unknown, secret: string, depth = 0): unknown {
  if (typeof value === 'string') return value.replaceAll(secret, '[redacted]');
  const record = asRecord(value);
  if (depth > 10) return null;
  if (record === undefined) {
    return Array.isArray(value) ? asList(value).map((one) => redactedJson(one, secret, depth + 1)) : value;
  }
  const entries = Object.entries(record).map(([key, one]) => [
    key.replaceAll(secret, '[redacted]'),
    redactedJson(one, secret, depth + 1),
  ]);
  return Object.fromEntries(entries) as unknown;
}

/** Lets no failure but a `StoreFailure` out. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof HttpFailure ? unansweredFailure('addons.mozilla.org', error) : error;
  }
}
