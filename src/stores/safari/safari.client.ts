import { MINUTE_MS } from '../../common/system/index.js';
import { asRecord, asText, redact, type HttpAnswer, type HttpClient } from '../../common/net/index.js';
import { StoreFailure } from '../failures/index.js';
import type { EncryptionAnswer } from '../store.js';
import { callStore, withoutTrailingSlash } from '../store-http.js';
import { buildsOf, type SafariBuild } from './safari.builds.js';
import { isErrorAnswer } from './safari.api-error.js';
import { keyOf, type SafariCredentials } from './safari.credentials.js';
import { pageOf, type Page, type Resource } from './safari.documents.js';
import { safariFailure } from './safari.errors.js';
import { OPEN_STATES, reviewItemsOf, reviewsOf, type Review, type ReviewItem } from './safari.reviews.js';
import { versionsOf, type SafariVersion } from './safari.states.js';
import { ANSWER } from './safari.user-reviews.js';
import { signedToken } from './safari.tokens.js';

/** The platforms with Safari extensions (docs/stores.md#safari-states). */
export type Platform = 'MAC_OS' | 'IOS';

/** One platform of an app, and the credentials for it. */
export interface SafariApp {
  readonly credentials: SafariCredentials;
  readonly appId: string;
  readonly platform: Platform;
}

/** The `whatsNew` text in one language. */
export interface Localization {
  readonly id: string;
  readonly locale: string | undefined;
  readonly whatsNew: string | undefined;
}

/** More than any app has, in case the links form a loop. */
const MAX_PAGES = 25;
/** Half of the most that Apple sends at once: an answer has a limit of its own. */
const REVIEWS_PER_PAGE = 100;

const VERSION_FIELDS =
  'versionString,appVersionState,releaseType,earliestReleaseDate,build,appStoreVersionPhasedRelease';

interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** From `/v1/` on, including the query. */
  readonly path: string;
  readonly body?: object;
}

type Link = { readonly data: { readonly type: string; readonly id: string } };
const link = (type: string, id: string): Link => ({ data: { type, id } });

/** Time for which a token is reused, so that it stays valid when the clocks differ by minutes. */
const REUSE_MS = MINUTE_MS;

/** The calls of the App Store Connect API (docs/stores.md#safari-calls). Each may throw a `StoreFailure`. */
export class SafariClient {
  private readonly api: string;
  /** Kept while the credentials that signed them are in memory. */
  private readonly tokens = new WeakMap<SafariCredentials, { readonly token: string; readonly at: number }>();

  constructor(
    apiUrl: string,
    private readonly http: HttpClient,
    private readonly clock: { now(): Date },
  ) {
    this.api = withoutTrailingSlash(apiUrl);
  }

  /** Checks the key by the cheapest read. It succeeds even when the key has access to no app. */
  async verify(credentials: SafariCredentials): Promise<void> {
    await this.call(credentials, { method: 'GET', path: '/v1/apps?limit=1' });
  }

  /** The app with exactly this bundle id, if the key has access to it. The filter may also match other apps. */
  async appByBundleId(credentials: SafariCredentials, bundleId: string): Promise<string | undefined> {
    const path = `/v1/apps?${query({ 'filter[bundleId]': bundleId, 'fields[apps]': 'bundleId', limit: 200 })}`;
    const { data } = await this.pages(credentials, path);
    return data.find(({ attributes }) => attributes['bundleId'] === bundleId)?.id;
  }

  /** All versions of the platform, and the part of the answer that is kept on an event. */
  async versions(app: SafariApp): Promise<{ readonly versions: readonly SafariVersion[]; readonly raw: unknown }> {
    const path = `/v1/apps/${encodeURIComponent(app.appId)}/appStoreVersions?${query({
      'filter[platform]': app.platform,
      'fields[appStoreVersions]': VERSION_FIELDS,
      'fields[builds]': 'version',
      include: 'build,appStoreVersionPhasedRelease',
      limit: 200,
    })}`;
    const page = await this.pages(app.credentials, path);
    const raw = page.data.slice(0, 10).map(({ id, attributes }) => ({ id, ...attributes }));
    return { versions: versionsOf(page), raw: redact(raw) };
  }

  /** The platform's builds of a version in any of its spellings, newest first. One page is enough. */
  async builds({ credentials, appId, platform }: SafariApp, spellings: readonly string[]): Promise<SafariBuild[]> {
    const path = `/v1/builds?${query({
      'filter[app]': appId,
      'filter[preReleaseVersion.version]': spellings.join(','),
      'filter[preReleaseVersion.platform]': platform,
      'filter[expired]': 'false',
      sort: '-uploadedDate',
      include: 'preReleaseVersion',
      limit: 20,
    })}`;
    return buildsOf(pageOf(await this.call(credentials, { method: 'GET', path })));
  }

  /** Declares on the author's behalf whether a build uses encryption that is not exempt from export rules. */
  async answerEncryption({ credentials }: SafariApp, id: string, answer: EncryptionAnswer): Promise<void> {
    const usesNonExemptEncryption = answer === 'nonExempt';
    const body = { data: { type: 'builds', id, attributes: { usesNonExemptEncryption } } };
    await this.call(credentials, { method: 'PATCH', path: `/v1/builds/${encodeURIComponent(id)}`, body });
  }

  /** Creates a version that waits for its release once it is approved. @returns its id */
  async createVersion({ credentials, appId, platform }: SafariApp, versionString: string): Promise<string> {
    const attributes = { platform, versionString, releaseType: 'MANUAL' };
    const body = { data: { type: 'appStoreVersions', attributes, relationships: { app: link('apps', appId) } } };
    return this.createdId(credentials, { method: 'POST', path: '/v1/appStoreVersions', body });
  }

  async updateVersion({ credentials }: SafariApp, id: string, attributes: object): Promise<void> {
    const body = { data: { type: 'appStoreVersions', id, attributes } };
    await this.call(credentials, { method: 'PATCH', path: `/v1/appStoreVersions/${encodeURIComponent(id)}`, body });
  }

  async attachBuild({ credentials }: SafariApp, id: string, buildId: string): Promise<void> {
    const path = `/v1/appStoreVersions/${encodeURIComponent(id)}/relationships/build`;
    await this.call(credentials, { method: 'PATCH', path, body: link('builds', buildId) });
  }

  async localizations({ credentials }: SafariApp, versionId: string): Promise<Localization[]> {
    const path = `/v1/appStoreVersions/${encodeURIComponent(versionId)}/appStoreVersionLocalizations?${query({
      'fields[appStoreVersionLocalizations]': 'locale,whatsNew',
      limit: 200,
    })}`;
    const { data } = await this.pages(credentials, path);
    return data.map(({ id, attributes }) => ({
      id,
      locale: asText(attributes['locale']),
      whatsNew: asText(attributes['whatsNew']),
    }));
  }

  /** The locale of an app's listing that stands in for languages that it does not have. */
  async primaryLocale({ credentials, appId }: SafariApp): Promise<string | undefined> {
    const path = `/v1/apps/${encodeURIComponent(appId)}?${query({ 'fields[apps]': 'primaryLocale' })}`;
    const { data } = pageOf(await this.call(credentials, { method: 'GET', path }));
    return asText(data[0]?.attributes['primaryLocale']);
  }

  async updateWhatsNew({ credentials }: SafariApp, id: string, whatsNew: string): Promise<void> {
    const body = { data: { type: 'appStoreVersionLocalizations', id, attributes: { whatsNew } } };
    await this.call(credentials, {
      method: 'PATCH',
      path: `/v1/appStoreVersionLocalizations/${encodeURIComponent(id)}`,
      body,
    });
  }

  /** The open review submissions of the platform. */
  async openReviews({ credentials, appId, platform }: SafariApp): Promise<Review[]> {
    const path = `/v1/reviewSubmissions?${query({
      'filter[app]': appId,
      'filter[platform]': platform,
      'filter[state]': OPEN_STATES.join(','),
      'fields[reviewSubmissions]': 'state,appStoreVersionForReview',
      include: 'appStoreVersionForReview',
      limit: 200,
    })}`;
    return reviewsOf(await this.pages(credentials, path));
  }

  async reviewItems({ credentials }: SafariApp, reviewId: string): Promise<ReviewItem[]> {
    const path = `/v1/reviewSubmissions/${encodeURIComponent(reviewId)}/items?${query({
      'fields[reviewSubmissionItems]': 'state,appStoreVersion',
      include: 'appStoreVersion',
      'fields[appStoreVersions]': 'versionString',
      limit: 200,
    })}`;
    return reviewItemsOf(await this.pages(credentials, path));
  }

  async createReview({ credentials, appId, platform }: SafariApp): Promise<string> {
    const relationships = { app: link('apps', appId) };
    const body = { data: { type: 'reviewSubmissions', attributes: { platform }, relationships } };
    return this.createdId(credentials, { method: 'POST', path: '/v1/reviewSubmissions', body });
  }

  async addToReview({ credentials }: SafariApp, reviewId: string, versionId: string): Promise<void> {
    const relationships = {
      reviewSubmission: link('reviewSubmissions', reviewId),
      appStoreVersion: link('appStoreVersions', versionId),
    };
    const body = { data: { type: 'reviewSubmissionItems', relationships } };
    await this.call(credentials, { method: 'POST', path: '/v1/reviewSubmissionItems', body });
  }

  /** Marks the issues of a rejected item as resolved, so that its submission can be sent again. */
  async resolveItem({ credentials }: SafariApp, id: string): Promise<void> {
    const body = { data: { type: 'reviewSubmissionItems', id, attributes: { resolved: true } } };
    await this.call(credentials, {
      method: 'PATCH',
      path: `/v1/reviewSubmissionItems/${encodeURIComponent(id)}`,
      body,
    });
  }

  /** Sends or withdraws a review submission. @returns its new state */
  async changeReview(
    { credentials }: SafariApp,
    id: string,
    attributes: { readonly submitted: true } | { readonly canceled: true },
  ): Promise<{ readonly state: string | undefined; readonly raw: unknown }> {
    const body = { data: { type: 'reviewSubmissions', id, attributes } };
    const json = await this.call(credentials, {
      method: 'PATCH',
      path: `/v1/reviewSubmissions/${encodeURIComponent(id)}`,
      body,
    });
    return { state: asText(pageOf(json).data[0]?.attributes['state']), raw: redact(json) };
  }

  async release({ credentials }: SafariApp, versionId: string): Promise<unknown> {
    const relationships = { appStoreVersion: link('appStoreVersions', versionId) };
    const body = { data: { type: 'appStoreVersionReleaseRequests', relationships } };
    return redact(await this.call(credentials, { method: 'POST', path: '/v1/appStoreVersionReleaseRequests', body }));
  }

  /** Offers the version to a growing share of users over seven days once it is released. */
  async createPhasedRelease({ credentials }: SafariApp, versionId: string): Promise<void> {
    const attributes = { phasedReleaseState: 'INACTIVE' };
    const relationships = { appStoreVersion: link('appStoreVersions', versionId) };
    const body = { data: { type: 'appStoreVersionPhasedReleases', attributes, relationships } };
    await this.call(credentials, { method: 'POST', path: '/v1/appStoreVersionPhasedReleases', body });
  }

  async deletePhasedRelease({ credentials }: SafariApp, phasedId: string): Promise<void> {
    await this.call(credentials, {
      method: 'DELETE',
      path: `/v1/appStoreVersionPhasedReleases/${encodeURIComponent(phasedId)}`,
    });
  }

  /** Ends a phased release early: all users are offered the version. */
  async completePhasedRelease({ credentials }: SafariApp, id: string): Promise<unknown> {
    const attributes = { phasedReleaseState: 'COMPLETE' };
    const body = { data: { type: 'appStoreVersionPhasedReleases', id, attributes } };
    const path = `/v1/appStoreVersionPhasedReleases/${encodeURIComponent(id)}`;
    return redact(await this.call(credentials, { method: 'PATCH', path, body }));
  }

  /** A page of what users wrote about an app, newest first (docs/stores.md#safari-reviews). @param next the link to it; undefined for the first */
  async userReviews(credentials: SafariCredentials, appId: string, next: string | undefined): Promise<unknown> {
    const first = `/v1/apps/${encodeURIComponent(appId)}/customerReviews?${query({
      sort: '-createdDate',
      include: 'response',
      'fields[customerReviews]': 'rating,title,body,reviewerNickname,createdDate,territory,response',
      'fields[customerReviewResponses]': 'responseBody,state',
      limit: REVIEWS_PER_PAGE,
    })}`;
    const json = await this.call(credentials, { method: 'GET', path: pathOf(next) ?? first });
    if (Array.isArray(asRecord(json)?.['data'])) return json;
    throw new StoreFailure('retry', 'The answer of App Store Connect is not a list of reviews.');
  }

  /** Answers a review, or replaces the answer that it has. */
  async answerReview(credentials: SafariCredentials, reviewId: string, responseBody: string): Promise<Resource> {
    const relationships = { review: link('customerReviews', reviewId) };
    const body = { data: { type: ANSWER, attributes: { responseBody }, relationships } };
    const [created] = pageOf(await this.call(credentials, { method: 'POST', path: `/v1/${ANSWER}`, body })).data;
    if (created !== undefined) return created;
    throw new StoreFailure('retry', 'The answer of App Store Connect does not contain the response.');
  }

  /** The id of a review's answer; undefined when it has none. */
  async answerOf(credentials: SafariCredentials, reviewId: string): Promise<string | undefined> {
    const path = `/v1/customerReviews/${encodeURIComponent(reviewId)}/response`;
    return pageOf(await this.call(credentials, { method: 'GET', path })).data[0]?.id;
  }

  async deleteAnswer(credentials: SafariCredentials, id: string): Promise<void> {
    await this.call(credentials, { method: 'DELETE', path: `/v1/${ANSWER}/${encodeURIComponent(id)}` });
  }

  /** The webhooks of an app. */
  async webhooks(credentials: SafariCredentials, appId: string): Promise<readonly Resource[]> {
    return (await this.pages(credentials, `/v1/apps/${encodeURIComponent(appId)}/webhooks?limit=200`)).data;
  }

  /** Makes a webhook of an app. @returns its id */
  createWebhook(credentials: SafariCredentials, appId: string, attributes: object): Promise<string> {
    const body = { data: { type: 'webhooks', attributes, relationships: { app: link('apps', appId) } } };
    return this.createdId(credentials, { method: 'POST', path: '/v1/webhooks', body });
  }

  async updateWebhook(credentials: SafariCredentials, id: string, attributes: object): Promise<void> {
    const body = { data: { type: 'webhooks', id, attributes } };
    await this.call(credentials, { method: 'PATCH', path: `/v1/webhooks/${encodeURIComponent(id)}`, body });
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

  private async createdId(credentials: SafariCredentials, call: Call): Promise<string> {
    const [created] = pageOf(await this.call(credentials, call)).data;
    if (created !== undefined) return created.id;
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

function query(parameters: Readonly<Record<string, string | number>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

/** The path and query of a link, from `/v1/` on. */
function pathOf(next: string | undefined): string | undefined {
  if (next === undefined || !URL.canParse(next)) return undefined;
  const { pathname, search } = new URL(next);
  const start = pathname.indexOf('/v1/');
  return start === -1 ? undefined : `${pathname.slice(start)}${search}`;
}
