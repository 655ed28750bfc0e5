import { asRecord, asText, redact } from '../../common/net/index.js';
import { StoreFailure } from '../failures/index.js';
import type { EncryptionAnswer } from '../store.js';
import { link, pathOf, query, type SafariApi, type SafariApp } from './safari.api.js';
import { buildsOf, type SafariBuild } from './safari.builds.js';
import type { SafariCredentials } from './safari.credentials.js';
import { pageOf, type Resource } from './safari.documents.js';
import { OPEN_STATES, reviewItemsOf, reviewsOf, type Review, type ReviewItem } from './safari.reviews.js';
import { versionsOf, type SafariVersion } from './safari.states.js';
import { ANSWER } from './safari.user-reviews.js';

/** The `whatsNew` text in one language. */
export interface Localization {
  readonly id: string;
  readonly locale: string | undefined;
  readonly whatsNew: string | undefined;
}

/** Half of the most that Apple sends at once: an answer has a limit of its own. */
const REVIEWS_PER_PAGE = 100;

const VERSION_FIELDS =
  'versionString,appVersionState,releaseType,earliestReleaseDate,build,appStoreVersionPhasedRelease';

/** The calls of the App Store Connect API (src/stores/README.md#safari-calls). Each may throw a `StoreFailure`. */
export class SafariClient {
  constructor(private readonly api: SafariApi) {}

  /** Checks the key by the cheapest read. It succeeds even when the key has access to no app. */
  async verify(credentials: SafariCredentials): Promise<void> {
    await this.api.call(credentials, { method: 'GET', path: '/v1/apps?limit=1' });
  }

  /** The app with exactly this bundle id, if the key has access to it. The filter may also match other apps. */
  async appByBundleId(credentials: SafariCredentials, bundleId: string): Promise<string | undefined> {
    const path = `/v1/apps?${query({ 'filter[bundleId]': bundleId, 'fields[apps]': 'bundleId', limit: 200 })}`;
    const { data } = await this.api.pages(credentials, path);
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
    const page = await this.api.pages(app.credentials, path);
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
    return buildsOf(pageOf(await this.api.call(credentials, { method: 'GET', path })));
  }

  /** Declares on the author's behalf whether a build uses encryption that is not exempt from export rules. */
  async answerEncryption({ credentials }: SafariApp, id: string, answer: EncryptionAnswer): Promise<void> {
    const usesNonExemptEncryption = answer === 'nonExempt';
    const body = { data: { type: 'builds', id, attributes: { usesNonExemptEncryption } } };
    await this.api.call(credentials, { method: 'PATCH', path: `/v1/builds/${encodeURIComponent(id)}`, body });
  }

  /** Creates a version that waits for its release once it is approved. @returns its id */
  async createVersion({ credentials, appId, platform }: SafariApp, versionString: string): Promise<string> {
    const attributes = { platform, versionString, releaseType: 'MANUAL' };
    const body = { data: { type: 'appStoreVersions', attributes, relationships: { app: link('apps', appId) } } };
    return (await this.api.created(credentials, { method: 'POST', path: '/v1/appStoreVersions', body })).id;
  }

  async updateVersion({ credentials }: SafariApp, id: string, attributes: object): Promise<void> {
    const body = { data: { type: 'appStoreVersions', id, attributes } };
    await this.api.call(credentials, { method: 'PATCH', path: `/v1/appStoreVersions/${encodeURIComponent(id)}`, body });
  }

  async attachBuild({ credentials }: SafariApp, id: string, buildId: string): Promise<void> {
    const path = `/v1/appStoreVersions/${encodeURIComponent(id)}/relationships/build`;
    await this.api.call(credentials, { method: 'PATCH', path, body: link('builds', buildId) });
  }

  async localizations({ credentials }: SafariApp, versionId: string): Promise<Localization[]> {
    const path = `/v1/appStoreVersions/${encodeURIComponent(versionId)}/appStoreVersionLocalizations?${query({
      'fields[appStoreVersionLocalizations]': 'locale,whatsNew',
      limit: 200,
    })}`;
    const { data } = await this.api.pages(credentials, path);
    return data.map(({ id, attributes }) => ({
      id,
      locale: asText(attributes['locale']),
      whatsNew: asText(attributes['whatsNew']),
    }));
  }

  /** The locale of an app's listing that stands in for languages that it does not have. */
  async primaryLocale({ credentials, appId }: SafariApp): Promise<string | undefined> {
    const path = `/v1/apps/${encodeURIComponent(appId)}?${query({ 'fields[apps]': 'primaryLocale' })}`;
    const { data } = pageOf(await this.api.call(credentials, { method: 'GET', path }));
    return asText(data[0]?.attributes['primaryLocale']);
  }

  async updateWhatsNew({ credentials }: SafariApp, id: string, whatsNew: string): Promise<void> {
    const body = { data: { type: 'appStoreVersionLocalizations', id, attributes: { whatsNew } } };
    await this.api.call(credentials, {
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
    return reviewsOf(await this.api.pages(credentials, path));
  }

  async reviewItems({ credentials }: SafariApp, reviewId: string): Promise<ReviewItem[]> {
    const path = `/v1/reviewSubmissions/${encodeURIComponent(reviewId)}/items?${query({
      'fields[reviewSubmissionItems]': 'state,appStoreVersion',
      include: 'appStoreVersion',
      'fields[appStoreVersions]': 'versionString',
      limit: 200,
    })}`;
    return reviewItemsOf(await this.api.pages(credentials, path));
  }

  async createReview({ credentials, appId, platform }: SafariApp): Promise<string> {
    const relationships = { app: link('apps', appId) };
    const body = { data: { type: 'reviewSubmissions', attributes: { platform }, relationships } };
    return (await this.api.created(credentials, { method: 'POST', path: '/v1/reviewSubmissions', body })).id;
  }

  async addToReview({ credentials }: SafariApp, reviewId: string, versionId: string): Promise<void> {
    const relationships = {
      reviewSubmission: link('reviewSubmissions', reviewId),
      appStoreVersion: link('appStoreVersions', versionId),
    };
    const body = { data: { type: 'reviewSubmissionItems', relationships } };
    await this.api.call(credentials, { method: 'POST', path: '/v1/reviewSubmissionItems', body });
  }

  /** Marks the issues of a rejected item as resolved, so that its submission can be sent again. */
  async resolveItem({ credentials }: SafariApp, id: string): Promise<void> {
    const body = { data: { type: 'reviewSubmissionItems', id, attributes: { resolved: true } } };
    await this.api.call(credentials, {
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
    const json = await this.api.call(credentials, {
      method: 'PATCH',
      path: `/v1/reviewSubmissions/${encodeURIComponent(id)}`,
      body,
    });
    return { state: asText(pageOf(json).data[0]?.attributes['state']), raw: redact(json) };
  }

  async release({ credentials }: SafariApp, versionId: string): Promise<unknown> {
    const relationships = { appStoreVersion: link('appStoreVersions', versionId) };
    const body = { data: { type: 'appStoreVersionReleaseRequests', relationships } };
    return redact(
      await this.api.call(credentials, { method: 'POST', path: '/v1/appStoreVersionReleaseRequests', body }),
    );
  }

  /** Offers the version to a growing share of users over seven days once it is released. */
  async createPhasedRelease({ credentials }: SafariApp, versionId: string): Promise<void> {
    const attributes = { phasedReleaseState: 'INACTIVE' };
    const relationships = { appStoreVersion: link('appStoreVersions', versionId) };
    const body = { data: { type: 'appStoreVersionPhasedReleases', attributes, relationships } };
    await this.api.call(credentials, { method: 'POST', path: '/v1/appStoreVersionPhasedReleases', body });
  }

  async deletePhasedRelease({ credentials }: SafariApp, phasedId: string): Promise<void> {
    await this.api.call(credentials, {
      method: 'DELETE',
      path: `/v1/appStoreVersionPhasedReleases/${encodeURIComponent(phasedId)}`,
    });
  }

  /** Ends a phased release early: all users are offered the version. */
  async completePhasedRelease({ credentials }: SafariApp, id: string): Promise<unknown> {
    const attributes = { phasedReleaseState: 'COMPLETE' };
    const body = { data: { type: 'appStoreVersionPhasedReleases', id, attributes } };
    const path = `/v1/appStoreVersionPhasedReleases/${encodeURIComponent(id)}`;
    return redact(await this.api.call(credentials, { method: 'PATCH', path, body }));
  }

  /** A page of what users wrote about an app, newest first (src/stores/README.md#safari-reviews). @param next the link to it; undefined for the first */
  async userReviews(credentials: SafariCredentials, appId: string, next: string | undefined): Promise<unknown> {
    const first = `/v1/apps/${encodeURIComponent(appId)}/customerReviews?${query({
      sort: '-createdDate',
      include: 'response',
      'fields[customerReviews]': 'rating,title,body,reviewerNickname,createdDate,territory,response',
      'fields[customerReviewResponses]': 'responseBody,state',
      limit: REVIEWS_PER_PAGE,
    })}`;
    const json = await this.api.call(credentials, { method: 'GET', path: pathOf(next) ?? first });
    if (Array.isArray(asRecord(json)?.['data'])) return json;
    throw new StoreFailure('retry', 'The answer of App Store Connect is not a list of reviews.');
  }

  /** Answers a review, or replaces the answer that it has. */
  async answerReview(credentials: SafariCredentials, reviewId: string, responseBody: string): Promise<Resource> {
    const relationships = { review: link('customerReviews', reviewId) };
    const body = { data: { type: ANSWER, attributes: { responseBody }, relationships } };
    return this.api.created(credentials, { method: 'POST', path: `/v1/${ANSWER}`, body });
  }

  /** The id of a review's answer; undefined when it has none. */
  async answerOf(credentials: SafariCredentials, reviewId: string): Promise<string | undefined> {
    const path = `/v1/customerReviews/${encodeURIComponent(reviewId)}/response`;
    return pageOf(await this.api.call(credentials, { method: 'GET', path })).data[0]?.id;
  }

  async deleteAnswer(credentials: SafariCredentials, id: string): Promise<void> {
    await this.api.call(credentials, { method: 'DELETE', path: `/v1/${ANSWER}/${encodeURIComponent(id)}` });
  }

  /** The webhooks of an app. */
  async webhooks(credentials: SafariCredentials, appId: string): Promise<readonly Resource[]> {
    return (await this.api.pages(credentials, `/v1/apps/${encodeURIComponent(appId)}/webhooks?limit=200`)).data;
  }

  /** Makes a webhook of an app. @returns its id */
  async createWebhook(credentials: SafariCredentials, appId: string, attributes: object): Promise<string> {
    const body = { data: { type: 'webhooks', attributes, relationships: { app: link('apps', appId) } } };
    return (await this.api.created(credentials, { method: 'POST', path: '/v1/webhooks', body })).id;
  }

  async updateWebhook(credentials: SafariCredentials, id: string, attributes: object): Promise<void> {
    const body = { data: { type: 'webhooks', id, attributes } };
    await this.api.call(credentials, { method: 'PATCH', path: `/v1/webhooks/${encodeURIComponent(id)}`, body });
  }
}
