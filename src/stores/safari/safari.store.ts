import type { AddressSetting } from '../../common/config/index.js';
import type { HttpClient } from '../../common/net/index.js';
import { pagesOfReviews, type ListedReviews, type ReviewAnswer } from '../reviews.js';
import type { AnnouncementAddress, SignedAnnouncement } from '../announcements.js';
import type { FigurePart, FigureRange } from '../figures.js';
import { compareVersions } from '../version.js';
import { StoreFailure } from '../failures/index.js';
import {
  Store,
  type Capabilities,
  type CountedItem,
  type CredentialShape,
  type ItemIds,
  type Observed,
  type StepOutcome,
  type StoreItem,
  type StorePages,
  type StoreStep,
  type VerifiedIdentity,
} from '../store.js';
import { ANNOUNCED_EVENTS, announcementIn, ownWebhook } from './safari.announcements.js';
import { SafariApi, type Platform, type SafariApp } from './safari.api.js';
import { SafariClient } from './safari.client.js';
import { SafariCloudBuild } from './safari.cloud.js';
import { SafariCloudClient } from './safari.cloud-client.js';
import { FORMS, keyOf, SafariCredentials, secretOf } from './safari.credentials.js';
import { GUIDE } from './safari.guide.js';
import { AppStoreLookup } from './safari.lookup.js';
import { SAFARI_LOCALES, SAFARI_MAX_NOTES } from './safari.notes.js';
import { isConflict, isNotFound } from './safari.errors.js';
import { MAX_VERSION_NUMBERS } from './safari.builds.js';
import { observedFrom, type SafariVersion, type VersionState } from './safari.states.js';
import { SafariReports } from './safari.reports.js';
import { SafariSubmission } from './safari.submission.js';
import { reviewPageFrom, SAFARI_MAX_ANSWER, stateOf } from './safari.user-reviews.js';
import { SafariUpload } from './safari.upload.js';
import { SafariUploadClient } from './safari.upload-client.js';

interface SafariUrls {
  /** `https://api.appstoreconnect.apple.com` */
  readonly apiUrl: string;
  /** `https://itunes.apple.com/lookup` */
  readonly lookupUrl: string;
}

const APP_ID = /^\d{1,20}$/;
const PLATFORMS: Readonly<Record<string, Platform>> = { macos: 'MAC_OS', ios: 'IOS' };

/**
 * The App Store, through the App Store Connect API (src/stores/README.md#safari-on-the-app-store). It uploads signed packages, and
 * manages versions, builds and reviews. Without a package, it submits a build that came from elsewhere, or has Xcode Cloud make one.
 */
export class SafariStore extends Store<SafariCredentials> {
  static readonly addresses = { apiUrl: 'ascApiUrl', lookupUrl: 'appStoreLookupUrl' } as const satisfies Readonly<
    Record<keyof SafariUrls, AddressSetting>
  >;
  override readonly id = 'safari';
  override readonly title = 'App Store';
  override readonly name = 'Safari';
  override readonly aliases = [];
  override readonly capabilities: Capabilities = {
    requiresArtifact: false,
    appPackages: true,
    canReadLive: true,
    canReadInReview: true,
    canCancel: true,
    supersedesPending: false,
    sharedDraft: false,
    stagedRelease: true,
    percentRollout: true,
    rolloutAboveUsers: null,
    widensByItself: true,
    releaseNotes: true,
    releaseNotesRequired: true,
    releaseNotesMaxLength: SAFARI_MAX_NOTES,
    releaseNotesLocales: SAFARI_LOCALES,
    reviewerNotes: false,
    signedPackages: false,
    sourceUpload: false,
    skipReview: false,
    exportCompliance: true,
    cloudBuilds: true,
    rollback: false,
    resubmission: true,
    releasesPerPlatform: true,
    channels: [],
    platforms: ['macos', 'ios'],
    defaultPlatforms: ['macos'],
    needsCrxId: false,
    maxPackageBytes: null,
    mostVersionNumbers: MAX_VERSION_NUMBERS,
    largestVersionNumber: 999_999_999,
    refusesVersionZero: false,
    needsGeckoId: false,
    // 3,600 an hour (src/stores/README.md#safari-conventions).
    figures: ['installs', 'uninstalls', 'rating', 'ratings'],
    figuresBy: [],
    figuresOfPast: true,
    storefronts: true,
    reviews: true,
    reviewAnswerMaxLength: SAFARI_MAX_ANSWER,
    announcements: true,
    servedFile: false,
    callsPerMinute: 60,
  };
  override readonly credentialShape: CredentialShape<SafariCredentials> = {
    type: SafariCredentials,
    secretOf,
    forms: FORMS,
    lapsesAfterDays: null,
  };
  override readonly guide = GUIDE;
  private readonly client: SafariClient;
  private readonly reports: SafariReports;
  private readonly lookup: AppStoreLookup;
  private readonly uploads: SafariUploadClient;
  private readonly clouds: SafariCloudClient;

  constructor({ apiUrl, lookupUrl }: SafariUrls, http: HttpClient, clock: { now(): Date }) {
    super();
    const api = new SafariApi(apiUrl, http, clock);
    this.client = new SafariClient(api);
    this.uploads = new SafariUploadClient(api);
    this.clouds = new SafariCloudClient(api);
    this.reports = new SafariReports(api, http);
    this.lookup = new AppStoreLookup(lookupUrl, http, clock);
  }

  override pagesOf({ storeItemId }: ItemIds): StorePages {
    const isAppId = storeItemId !== null && APP_ID.test(storeItemId);
    return {
      listing: isAppId ? `https://apps.apple.com/app/id${storeItemId}` : null,
      dashboard: `https://appstoreconnect.apple.com/apps${isAppId ? `/${storeItemId}` : ''}`,
      privacy: null,
    };
  }

  override async verify(credentials: SafariCredentials): Promise<VerifiedIdentity> {
    await this.client.verify(credentials);
    return { identity: keyOf(credentials).keyId };
  }

  override async observe(credentials: SafariCredentials, item: StoreItem): Promise<Observed> {
    const app = await this.appOf(credentials, item);
    const { versions, raw } = await this.client.versions(app);
    const upload = await this.uploadOf(app, item).observe();
    return { ...observedFrom(versions, raw), upload, itemId: app.appId };
  }

  /** Those of all platforms: Apple's reports are about the app. The ratings need no key, once the app id is known. */
  override figures(
    credentials: SafariCredentials,
    { storeItemId, storefront }: CountedItem,
    range: FigureRange,
  ): readonly FigurePart[] {
    const appId = (): Promise<string> => this.appIdOf(credentials, storeItemId);
    return [
      async () => this.reports.installs(credentials, await appId(), range),
      async () => this.lookup.ratings(await appId(), storefront, range.to),
    ];
  }

  /** Those of all platforms: users write about the app. */
  override async reviews(credentials: SafariCredentials, { storeItemId }: StoreItem): Promise<ListedReviews> {
    const appId = await this.appIdOf(credentials, storeItemId);
    return pagesOfReviews<string>(this.title, async (next) =>
      reviewPageFrom(await this.client.userReviews(credentials, appId, next)),
    );
  }

  override async answerReview(
    credentials: SafariCredentials,
    _item: StoreItem,
    reviewId: string,
    text: string | null,
  ): Promise<ReviewAnswer | null> {
    if (text !== null) {
      const answer = await this.client.answerReview(credentials, reviewId, text);
      return { text, state: stateOf(answer) };
    }
    try {
      const id = await this.client.answerOf(credentials, reviewId);
      if (id !== undefined) await this.client.deleteAnswer(credentials, id);
    } catch (error) {
      // There is none, or an earlier attempt whose answer was lost took it back.
      if (!isNotFound(error)) throw error;
    }
    return null;
  }

  override async announceTo(
    credentials: SafariCredentials,
    { storeItemId }: StoreItem,
    to: AnnouncementAddress,
  ): Promise<string> {
    const appId = await this.appIdOf(credentials, storeItemId);
    const own = ownWebhook(await this.client.webhooks(credentials, appId), to);
    if (own?.isRight === true) return own.id;
    const { url, secret } = to;
    const attributes = { name: 'Pierhead', url, secret, enabled: true, eventTypes: ANNOUNCED_EVENTS };
    if (own === null) return this.client.createWebhook(credentials, appId, attributes);
    await this.client.updateWebhook(credentials, own.id, attributes);
    return own.id;
  }

  override announcementOf(request: SignedAnnouncement, secret: string): string | null {
    return announcementIn(request, secret);
  }

  override async carryOut(credentials: SafariCredentials, item: StoreItem, step: StoreStep): Promise<StepOutcome> {
    const app = await this.appOf(credentials, item);
    switch (step.step) {
      case 'submit':
        return this.submissionOf(app, item, step).send();
      case 'release':
        return this.release(app, step.version);
      case 'rollout':
        return this.rollout(app, step.version, step.percent);
      case 'cancel':
        return this.cancel(app, step.version, item.handles['reviewSubmission']);
      case 'upload':
        return this.uploadOf(app, item).send(step.package);
      case 'poll':
        return this.uploadOf(app, item).poll(step.version);
      case 'rollback':
        throw new StoreFailure('config', 'The App Store cannot publish an older version again.');
    }
  }

  private submissionOf(
    app: SafariApp,
    { handles }: StoreItem,
    step: Extract<StoreStep, { readonly step: 'submit' }>,
  ): SafariSubmission {
    const { version, cloudBuild } = step;
    const cloud = cloudBuild && new SafariCloudBuild(this.clouds, app, version, handles, cloudBuild);
    return new SafariSubmission(this.client, app, version, handles['uploadedBuild'] || null, cloud, step);
  }

  private uploadOf(app: SafariApp, { handles }: StoreItem): SafariUpload {
    return new SafariUpload(this.client, this.uploads, app, handles);
  }

  /** The app, by its app id or bundle id, and the item's platform. */
  private async appOf(credentials: SafariCredentials, { storeItemId, platforms }: StoreItem): Promise<SafariApp> {
    const platform = platforms.length === 1 ? PLATFORMS[platforms[0] ?? ''] : undefined;
    if (platform === undefined)
      throw new StoreFailure(
        'config',
        'The App Store has separate versions for each platform, so the item must name either macos or ios.',
      );
    return { credentials, appId: await this.appIdOf(credentials, storeItemId), platform };
  }

  private async appIdOf(credentials: SafariCredentials, storeItemId: string): Promise<string> {
    if (APP_ID.test(storeItemId)) return storeItemId;
    if (!/^[A-Za-z0-9.-]{1,255}$/.test(storeItemId))
      throw new StoreFailure('config', 'The storeItemId is neither an app id of App Store Connect nor a bundle id.');
    const appId = await this.client.appByBundleId(credentials, storeItemId);
    if (appId === undefined)
      throw new StoreFailure(
        'config',
        `App Store Connect has no app with the bundle id ${storeItemId}. Check the target's storeItemId and that the key has access to the app.`,
      );
    return appId;
  }

  private async find(app: SafariApp, version: string): Promise<{ own: SafariVersion | undefined; raw: unknown }> {
    const { versions, raw } = await this.client.versions(app);
    return { own: versions.find((one) => compareVersions(one.version, version) === 0), raw };
  }

  /** Requests the release once: a version that is being released or live was already released. */
  private async release(app: SafariApp, version: string): Promise<StepOutcome> {
    const { own, raw } = await this.find(app, version);
    const isReleased = (state: VersionState | undefined): boolean => state === 'releasing' || state === 'live';
    const alreadyReleased = (answer: unknown): StepOutcome => ({
      outcome: 'done',
      note: `The release of version ${version} was already requested.`,
      raw: answer,
    });
    if (isReleased(own?.state)) return alreadyReleased(raw);
    if (own?.state !== 'approved')
      throw new StoreFailure('wait', `Version ${version} is not approved at the App Store, so it cannot be released.`);
    try {
      const answer = await this.client.release(app, own.id);
      return { outcome: 'done', note: `The release of version ${version} was requested.`, raw: answer };
    } catch (error) {
      if (!isConflict(error)) throw error;
      const again = await this.find(app, version);
      if (!isReleased(again.own?.state)) throw error;
      return alreadyReleased(again.raw);
    }
  }

  /** Apple raises the share of users on a fixed curve; Pierhead can only end it early. */
  private async rollout(app: SafariApp, version: string, percent: number): Promise<StepOutcome> {
    const { own, raw } = await this.find(app, version);
    if (own?.state !== 'live') throw new StoreFailure('wait', `Version ${version} is not live at the App Store.`);
    const { phased } = own;
    const share = phased?.percent ?? 100;
    if (phased === null || share >= percent)
      return { outcome: 'done', note: `Version ${version} is offered to ${share} % of users.`, raw };
    if (percent < 100)
      throw new StoreFailure(
        'wait',
        `Version ${version} is offered to ${share} % of users. The App Store raises the share to 100 % over seven days; the only other choice is 100 % at once.`,
      );
    const answer = await this.client.completePhasedRelease(app, phased.id);
    return { outcome: 'done', note: `Version ${version} is offered to all users.`, raw: answer };
  }

  /** @param handle the id of the review submission that Pierhead sent; absent when the store's answer was lost */
  private async cancel(app: SafariApp, version: string, handle: string | undefined): Promise<StepOutcome> {
    const { own, raw } = await this.find(app, version);
    const withdrawn = (answer: unknown): StepOutcome => ({
      outcome: 'done',
      note: `Version ${version} is no longer in review.`,
      raw: answer,
    });
    if (own === undefined || isOver(own)) return withdrawn(raw);
    if (own.state !== 'in_review')
      throw new StoreFailure(
        'config',
        `Version ${version} is ${own.state === 'approved' ? 'approved' : 'past its review'} and can only be withdrawn in App Store Connect.`,
      );
    const review = (await this.client.openReviews(app)).find(({ versionId }) => versionId === own.id);
    if (review === undefined)
      throw new StoreFailure('retry', `App Store Connect has no submission of version ${version}.`);
    if (handle !== undefined && handle !== review.id)
      throw new StoreFailure(
        'config',
        `Version ${version} was submitted again by someone else. Withdraw it in App Store Connect.`,
      );
    if (review.state !== 'CANCELING') {
      await this.client.changeReview(app, review.id, { canceled: true }).catch((error: unknown) => {
        // A review that has just ended cannot be withdrawn. The next read shows its result.
        if (!isConflict(error)) throw error;
      });
    }
    const again = await this.find(app, version);
    if (again.own === undefined || isOver(again.own)) return withdrawn(again.raw);
    if (again.own.state !== 'in_review')
      throw new StoreFailure('wait', `The review of version ${version} ended before it could be withdrawn.`);
    return { outcome: 'pending', note: `The App Store is withdrawing version ${version} from review.`, raw: again.raw };
  }
}

/** Whether a version is not in progress: withdrawn, rejected or never submitted. */
const isOver = ({ state }: SafariVersion): boolean =>
  state === 'cancelled' || state === 'rejected' || state === 'draft';
