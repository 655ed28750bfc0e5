import { randomInt, randomUUID } from 'node:crypto';
import { ControlRefusal } from '../control-refusal.js';
import type { SimClock } from '../sim-clock.js';
import { notFound } from './errors.js';
import { ApiKeys } from './keys.js';
import {
  type App,
  type AppBehavior,
  type Build,
  type CustomerReview,
  newCounters,
  type Platform,
  type ReportRequest,
  type ReviewSubmission,
  type Version,
  type Webhook,
} from './model.js';
import { BuildUploads } from './build-uploads.js';
import { XcodeCloud } from './cloud.js';

/** Values that are generated when absent. */
export interface AppOptions extends Partial<AppBehavior> {
  readonly appId?: string | undefined;
  readonly bundleId?: string | undefined;
  readonly name?: string | undefined;
  readonly locales?: readonly string[] | undefined;
}

/** The state of the stand-in. */
export class SafariWorld {
  readonly keys = new ApiKeys();
  readonly uploads = new BuildUploads();
  readonly cloud = new XcodeCloud();
  private readonly apps = new Map<string, App>();
  private readonly builds = new Map<string, Build>();
  private readonly versions = new Map<string, Version>();
  private readonly reviews = new Map<string, ReviewSubmission>();
  readonly webhooks = new Map<string, Webhook>();
  readonly reportRequests = new Map<string, ReportRequest>();
  /** When the public lookup answered in the last minute. */
  lookups: number[] = [];

  /** @param applyDue applies all changes to an app that are due by a given time */
  constructor(
    readonly clock: SimClock,
    private readonly applyDue: (world: SafariWorld, app: App, now: Date) => void,
  ) {}

  createApp(issuerId: string, { appId, bundleId, name, locales, ...behavior }: AppOptions): App {
    if (!this.keys.hasTeam(issuerId)) throw new ControlRefusal(404, `no team ${issuerId}`);
    const id = appId ?? String(randomInt(1_000_000_000, 9_999_999_999));
    if (this.apps.has(id)) throw new ControlRefusal(409, `app ${id} exists already`);
    const app: App = {
      approveAfterSeconds: null,
      cancelSeconds: 0,
      releaseSeconds: 0,
      readySeconds: 0,
      lacking: null,
      blockers: [],
      pageSize: null,
      deliversSought: false,
      installReports: [],
      partDamage: null,
      customerReviews: [],
      storefronts: { us: [0, 0, 0, 0, 0] },
      partBytes: 5 * 1024 * 1024,
      partSeconds: 3600,
      uploadSeconds: 0,
      uploadRefusal: null,
      buildSeconds: 0,
      buildOutcome: 'VALID',
      encryptionInBuilds: false,
      runsListedAfterSeconds: 0,
      ...behavior,
      appId: id,
      issuerId,
      bundleId: bundleId ?? `com.example.app${id}`,
      name: name ?? `App ${id}`,
      locales: locales ?? ['en-US'],
      counters: newCounters(),
    };
    this.apps.set(id, app);
    return app;
  }

  /** The current app: every change that is due has happened. */
  app(appId: string): App | undefined {
    const app = this.apps.get(appId);
    if (app) this.applyDue(this, app, this.clock.now());
    return app;
  }

  list(): readonly App[] {
    return [...this.apps.keys()].flatMap((appId) => this.app(appId) ?? []);
  }

  appsOf(issuerId: string): App[] {
    return [...this.apps.values()]
      .filter((app) => app.issuerId === issuerId)
      .flatMap((app) => this.app(app.appId) ?? []);
  }

  byBundleId(bundleId: string): App | undefined {
    return [...this.apps.values()].find((app) => app.bundleId === bundleId);
  }

  addBuild(build: Build): Build {
    this.builds.set(build.id, build);
    return build;
  }

  build(id: string): Build | undefined {
    return this.builds.get(id);
  }

  buildsOf(appId: string): Build[] {
    return [...this.builds.values()].filter((build) => build.appId === appId);
  }

  addVersion(app: App, platform: Platform, versionString: string, more: Partial<Version> = {}): Version {
    const version: Version = {
      id: randomUUID(),
      appId: app.appId,
      platform,
      createdAt: this.clock.now(),
      localizations: app.locales.map((locale) => ({ id: randomUUID(), locale, whatsNew: null })),
      versionString,
      state: 'PREPARE_FOR_SUBMISSION',
      releaseType: 'AFTER_APPROVAL',
      earliestReleaseDate: null,
      buildId: null,
      buildAttachedAt: null,
      phased: null,
      distributedAt: null,
      ...more,
    };
    this.versions.set(version.id, version);
    return version;
  }

  version(id: string): Version | undefined {
    return this.versions.get(id);
  }

  versionsOf(appId: string, platform?: Platform): Version[] {
    return [...this.versions.values()].filter(
      (version) => version.appId === appId && (platform === undefined || version.platform === platform),
    );
  }

  versionOfLocalization(id: string): Version | undefined {
    return [...this.versions.values()].find(({ localizations }) => localizations.some((one) => one.id === id));
  }

  versionOfPhased(id: string): Version | undefined {
    return [...this.versions.values()].find(({ phased }) => phased?.id === id);
  }

  addReview(app: App, platform: Platform, more: Partial<ReviewSubmission> = {}): ReviewSubmission {
    const review: ReviewSubmission = {
      id: randomUUID(),
      appId: app.appId,
      platform,
      state: 'READY_FOR_REVIEW',
      submittedAt: null,
      cancelledAt: null,
      items: [],
      ...more,
    };
    this.reviews.set(review.id, review);
    return review;
  }

  review(id: string): ReviewSubmission | undefined {
    return this.reviews.get(id);
  }

  reviewsOf(appId: string, platform?: Platform): ReviewSubmission[] {
    return [...this.reviews.values()].filter(
      (review) => review.appId === appId && (platform === undefined || review.platform === platform),
    );
  }

  reviewOfItem(id: string): ReviewSubmission | undefined {
    return [...this.reviews.values()].find(({ items }) => items.some((item) => item.id === id));
  }

  /** A review by its own id, or by that of its answer. */
  customerReview(id: string): { readonly app: App; readonly review: CustomerReview } | undefined {
    for (const app of this.apps.values()) {
      const review = app.customerReviews.find((one) => one.id === id || one.response?.id === id);
      if (review) return { app, review };
    }
    return undefined;
  }

  webhooksOf(appId: string): Webhook[] {
    return [...this.webhooks.values()].filter((webhook) => webhook.appId === appId);
  }

  /** The app of a resource of the team; resources of other teams do not exist for it. */
  requireApp(issuerId: string, appId: string | undefined, type: string, id: string): App {
    const app = appId === undefined ? undefined : this.app(appId);
    if (app?.issuerId !== issuerId) throw notFound(type, id);
    return app;
  }

  reset(): void {
    this.keys.clear();
    this.apps.clear();
    this.builds.clear();
    this.versions.clear();
    this.reviews.clear();
    this.webhooks.clear();
    this.reportRequests.clear();
    this.lookups = [];
    this.uploads.clear();
    this.cloud.clear();
  }
}
