import type { HttpClient } from '../../common/net/index.js';
import { compareVersions } from '../version.js';
import { StoreFailure } from '../store-failure.js';
import {
  Store,
  type Capabilities,
  type CredentialShape,
  type ItemIds,
  type Observed,
  type StepOutcome,
  type StoreItem,
  type StorePages,
  type StoreStep,
  type VerifiedIdentity,
} from '../store.js';
import { SafariClient, type Platform, type SafariApp } from './safari.client.js';
import { FORMS, keyOf, SafariCredentials, secretOf } from './safari.credentials.js';
import { isConflict } from './safari.errors.js';
import { observedFrom, type SafariVersion, type VersionState } from './safari.states.js';
import { SafariSubmission } from './safari.submission.js';

const APP_ID = /^\d{1,20}$/;
const PLATFORMS: Readonly<Record<string, Platform>> = { macos: 'MAC_OS', ios: 'IOS' };

/**
 * The App Store, by the App Store Connect API (docs/stores.md#safari-on-the-app-store). It drives versions, builds and
 * reviews; builds come from Xcode.
 */
export class SafariStore extends Store<SafariCredentials> {
  override readonly id = 'safari';
  override readonly title = 'App Store';
  override readonly capabilities: Capabilities = {
    requiresArtifact: false,
    canReadLive: true,
    canReadInReview: true,
    canCancel: true,
    supersedesPending: false,
    sharedDraft: false,
    stagedRelease: true,
    percentRollout: true,
    widensByItself: true,
    releaseNotes: true,
    reviewerNotes: false,
    sourceUpload: false,
    skipReview: false,
    exportCompliance: true,
    rollback: false,
    releasesPerPlatform: true,
    channels: [],
    platforms: ['macos', 'ios'],
    defaultPlatforms: ['macos'],
    needsCrxId: false,
    maxPackageBytes: null,
    largestVersionNumber: 999_999_999,
    refusesVersionZero: false,
    requiresManifestV3: false,
    manifestV2EndsOn: null,
    needsGeckoId: false,
    needsDataCollectionPermissions: false,
    // 3,600 an hour (docs/stores.md#safari-conventions).
    callsPerMinute: 60,
  };
  override readonly credentialShape: CredentialShape<SafariCredentials> = {
    type: SafariCredentials,
    secretOf,
    forms: FORMS,
    lapsesAfterDays: null,
  };
  private readonly client: SafariClient;

  /** @param apiUrl `https://api.appstoreconnect.apple.com` */
  constructor(apiUrl: string, http: HttpClient, clock: { now(): Date }) {
    super();
    this.client = new SafariClient(apiUrl, http, clock);
  }

  override pagesOf({ storeItemId }: ItemIds): StorePages {
    const isAppId = APP_ID.test(storeItemId);
    return {
      listing: isAppId ? `https://apps.apple.com/app/id${storeItemId}` : null,
      dashboard: `https://appstoreconnect.apple.com/apps${isAppId ? `/${storeItemId}` : ''}`,
    };
  }

  override async verify(credentials: SafariCredentials): Promise<VerifiedIdentity> {
    await this.client.prove(credentials);
    return { identity: keyOf(credentials).keyId };
  }

  override async observe(credentials: SafariCredentials, item: StoreItem): Promise<Observed> {
    const app = await this.appOf(credentials, item);
    const { versions, raw } = await this.client.versions(app);
    return { ...observedFrom(versions, raw), itemId: app.appId };
  }

  override async carryOut(credentials: SafariCredentials, item: StoreItem, step: StoreStep): Promise<StepOutcome> {
    const app = await this.appOf(credentials, item);
    switch (step.step) {
      case 'submit':
        return new SafariSubmission(this.client, app, step.version, step).send();
      case 'release':
        return this.release(app, step.version);
      case 'rollout':
        return this.rollout(app, step.version, step.percent);
      case 'cancel':
        return this.cancel(app, step.version, item.handles['reviewSubmission']);
      case 'upload':
      case 'poll':
        throw new StoreFailure('config', 'The App Store takes its builds from Xcode, not from Pierhead.');
      case 'rollback':
        throw new StoreFailure('config', 'The App Store cannot serve an older version again.');
    }
  }

  /** The app that a target names by its app id or its bundle id, and the one platform that is driven. */
  private async appOf(credentials: SafariCredentials, { storeItemId, platforms }: StoreItem): Promise<SafariApp> {
    const platform = platforms.length === 1 ? PLATFORMS[platforms[0] ?? ''] : undefined;
    if (platform === undefined)
      throw new StoreFailure(
        'config',
        'The App Store has versions for each platform apart: macos or ios must be named.',
      );
    if (APP_ID.test(storeItemId)) return { credentials, appId: storeItemId, platform };
    if (!/^[A-Za-z0-9.-]{1,255}$/.test(storeItemId))
      throw new StoreFailure(
        'config',
        'The storeItemId is neither the id of an app in App Store Connect nor a bundle id.',
      );
    const appId = await this.client.appByBundleId(credentials, storeItemId);
    if (appId === undefined)
      throw new StoreFailure(
        'config',
        `App Store Connect shows no app with the bundle id ${storeItemId}: check the target's storeItemId, and whether the key may see that app.`,
      );
    return { credentials, appId, platform };
  }

  private async find(app: SafariApp, version: string): Promise<{ own: SafariVersion | undefined; raw: unknown }> {
    const { versions, raw } = await this.client.versions(app);
    return { own: versions.find((one) => compareVersions(one.version, version) === 0), raw };
  }

  /** Asks once: a version that left its rest has been asked for already. */
  private async release(app: SafariApp, version: string): Promise<StepOutcome> {
    const { own, raw } = await this.find(app, version);
    const released = (state: VersionState | undefined): boolean => state === 'releasing' || state === 'live';
    const already = (seen: unknown): StepOutcome => ({
      outcome: 'done',
      note: `The release of version ${version} has been asked for already.`,
      raw: seen,
    });
    if (released(own?.state)) return already(raw);
    if (own?.state !== 'approved')
      throw new StoreFailure('wait', `Version ${version} is not approved at the App Store, so it cannot be released.`);
    try {
      const answer = await this.client.release(app, own.id);
      return { outcome: 'done', note: `The release of version ${version} was asked for.`, raw: answer };
    } catch (error) {
      if (!isConflict(error)) throw error;
      const again = await this.find(app, version);
      if (!released(again.own?.state)) throw error;
      return already(again.raw);
    }
  }

  /** Apple raises the share by itself; Pierhead can only end the curve early. */
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
        `Version ${version} is offered to ${share} % of users; the App Store raises that by itself within seven days, or to all of them when it is asked for 100 %.`,
      );
    const answer = await this.client.completePhased(app, phased.id);
    return { outcome: 'done', note: `Version ${version} is offered to all users.`, raw: answer };
  }

  /** @param handle the review submission that Pierhead sent; absent when the store's answer was lost */
  private async cancel(app: SafariApp, version: string, handle: string | undefined): Promise<StepOutcome> {
    const { own, raw } = await this.find(app, version);
    const over = (seen: unknown): StepOutcome => ({
      outcome: 'done',
      note: `Version ${version} is not in review any more.`,
      raw: seen,
    });
    if (own === undefined || isOver(own)) return over(raw);
    if (own.state !== 'in_review')
      throw new StoreFailure(
        'config',
        `Version ${version} is ${own.state === 'approved' ? 'approved' : 'past its review'}, and only App Store Connect itself can take it back.`,
      );
    const review = (await this.client.openReviews(app)).find(({ versionId }) => versionId === own.id);
    if (review === undefined) throw new StoreFailure('retry', `App Store Connect shows no submission of ${version}.`);
    if (handle !== undefined && handle !== review.id)
      throw new StoreFailure('config', `Version ${version} was sent again by somebody else, who has to withdraw it.`);
    if (review.state !== 'CANCELING') {
      await this.client.changeReview(app, review.id, { canceled: true }).catch((error: unknown) => {
        // A review that ended in this moment cannot be withdrawn; the look that follows says how.
        if (!isConflict(error)) throw error;
      });
    }
    const again = await this.find(app, version);
    if (again.own === undefined || isOver(again.own)) return over(again.raw);
    if (again.own.state !== 'in_review')
      throw new StoreFailure('wait', `The review of version ${version} ended before it could be withdrawn.`);
    return { outcome: 'pending', note: `The App Store is withdrawing version ${version} from review.`, raw: again.raw };
  }
}

/** Nothing of the version is under way: it was withdrawn, refused, or never sent. */
const isOver = ({ state }: SafariVersion): boolean =>
  state === 'cancelled' || state === 'rejected' || state === 'draft' || state === 'withdrawn' || state === 'removed';
