import type { AddressSetting } from '../../common/config/index.js';
import { asText, truncate, redact, redactText, type HttpClient } from '../../common/net/index.js';
import { leftOutNote } from '../release-notes.js';
import type { FigurePart, FigureRange } from '../figures.js';
import { pagesOfReviews, type ListedReviews } from '../reviews.js';
import { compareVersions } from '../version.js';
import { StoreFailure, withFullStop } from '../failures/index.js';
import {
  Store,
  type Capabilities,
  type CredentialShape,
  type ItemIds,
  type Observed,
  type StepOutcome,
  type StoreItem,
  type StorePackage,
  type StorePages,
  type StoreStep,
  type SubmitOptions,
  type VerifiedIdentity,
} from '../store.js';
import {
  FirefoxClient,
  type FirefoxItem,
  type FirefoxUrls,
  type ReviewDetails,
  type VersionDetails,
} from './firefox.client.js';
import { FirefoxCredentials, FORMS } from './firefox.credentials.js';
import { figuresOf } from './firefox.figures.js';
import { GUIDE } from './firefox.guide.js';
import { addonNotes, changesAfter, FIREFOX_LOCALES, FIREFOX_MAX_NOTES } from './firefox.notes.js';
import { FIREFOX_MAX_BYTES } from './firefox.preflight.js';
import { reviewPageFrom } from './firefox.reviews.js';
import { isAnswerLost, isNumberUsed, isTakenDown } from './firefox.errors.js';
import { assertUsable, submittedNote, uploadOutcome, wrongVersion } from './firefox.outcomes.js';
import {
  approvedFrom,
  channelOf,
  CHANNELS,
  currentOf,
  observedFrom,
  takenDownFrom,
  type Channel,
  type AddonVersion,
} from './firefox.states.js';

/** AMO's apps by Pierhead's platform names (src/stores/README.md#firefox-calls). */
const APPS: Readonly<Record<string, string>> = { desktop: 'firefox', android: 'android' };
/** A GUID in either form, with or without braces (src/stores/README.md#firefox-ids). Anything else is a slug or a number. */
const GUID = /^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$|@/i;
const FALLBACK_LOCALE = 'en-US';

/** A target's add-on and what a step needs to know about it. */
interface AddonContext extends FirefoxItem {
  readonly channel: Channel;
  readonly platforms: readonly string[];
  /** The id of the current upload. */
  readonly upload: string | undefined;
}

/** addons.mozilla.org, API v5 (src/stores/README.md#firefox-add-ons). */
export class FirefoxStore extends Store<FirefoxCredentials> {
  static readonly addresses = { apiUrl: 'amoApiUrl' } as const satisfies Readonly<
    Record<keyof FirefoxUrls, AddressSetting>
  >;
  override readonly id = 'firefox';
  override readonly title = 'Firefox Add-ons';
  override readonly name = 'Firefox';
  override readonly aliases = ['amo'];
  override readonly capabilities: Capabilities = {
    requiresArtifact: true,
    appPackages: false,
    canReadLive: true,
    canReadInReview: true,
    // Withdrawing a version uses up its number (src/stores/README.md#firefox-channels).
    canCancel: false,
    supersedesPending: true,
    sharedDraft: false,
    stagedRelease: false,
    percentRollout: false,
    rolloutAboveUsers: null,
    widensByItself: false,
    releaseNotes: true,
    releaseNotesRequired: false,
    releaseNotesMaxLength: FIREFOX_MAX_NOTES,
    releaseNotesLocales: FIREFOX_LOCALES,
    reviewerNotes: true,
    signedPackages: false,
    sourceUpload: true,
    skipReview: false,
    exportCompliance: false,
    cloudBuilds: false,
    rollback: true,
    resubmission: false,
    releasesPerPlatform: false,
    channels: CHANNELS,
    platforms: ['desktop', 'android'],
    defaultPlatforms: ['desktop'],
    needsCrxId: false,
    maxPackageBytes: FIREFOX_MAX_BYTES,
    mostVersionNumbers: 4,
    largestVersionNumber: 999_999_999,
    refusesVersionZero: false,
    needsGeckoId: true,
    // AMO allows 6 uploads and 3 other writes a minute and does not count reads; a version takes about ten calls (src/stores/README.md#firefox-objects).
    figures: ['users', 'weeklyDownloads', 'rating', 'ratings'],
    figuresBy: [],
    figuresOfPast: false,
    storefronts: false,
    reviews: true,
    reviewAnswerMaxLength: null,
    announcements: false,
    servedFile: false,
    callsPerMinute: 30,
  };
  override readonly credentialShape: CredentialShape<FirefoxCredentials> = {
    type: FirefoxCredentials,
    secretOf: ({ secret }) => secret,
    forms: FORMS,
    lapsesAfterDays: null,
  };
  override readonly guide = GUIDE;
  private readonly client: FirefoxClient;

  constructor(urls: FirefoxUrls, http: HttpClient, clock: { now(): Date }) {
    super();
    this.client = new FirefoxClient(urls, http, clock);
  }

  override itemKeyOf(storeItemId: string): string {
    return GUID.test(storeItemId) ? storeItemId.replaceAll(/^\{|\}$/g, '').toLowerCase() : storeItemId;
  }

  protected override isOtherItem(storeItemId: string, manifestId: string): boolean {
    return GUID.test(storeItemId) && this.itemKeyOf(manifestId) !== this.itemKeyOf(storeItemId);
  }

  override pagesOf({ storeItemId, channel }: ItemIds): StorePages {
    const id = storeItemId === null ? null : encodeURIComponent(storeItemId);
    const listing = id === null ? null : `https://addons.mozilla.org/addon/${id}/`;
    // The Developer Hub finds an add-on by its id as well, and leads on to its slug.
    const own = id === null ? 'addons' : `addon/${id}/versions`;
    return {
      listing: channel === 'unlisted' ? null : listing,
      dashboard: `https://addons.mozilla.org/developers/${own}`,
      privacy: null,
    };
  }

  override async verify(credentials: FirefoxCredentials): Promise<VerifiedIdentity> {
    const profile = await this.client.profile(credentials);
    const name = asText(profile['name']) ?? asText(profile['username']) ?? 'user';
    return { identity: truncate(redactText(`${name} (${credentials.issuer})`), 200) };
  }

  /** AMO counts the users of listed versions, and tells them as they are today. */
  override figures(credentials: FirefoxCredentials, item: StoreItem, { to }: FigureRange): readonly FigurePart[] {
    return [
      async () => {
        const context = contextOf(credentials, item);
        return context.channel === 'listed' ? figuresOf(await this.client.addon(context), to) : [];
      },
    ];
  }

  override async reviews(credentials: FirefoxCredentials, item: StoreItem): Promise<ListedReviews | null> {
    const context = contextOf(credentials, item);
    if (context.channel !== 'listed') return { reviews: [], isComplete: true };
    let isPublic = true;
    const listed = await pagesOfReviews<number>(this.title, async (at = 1) => {
      const json = await this.client.ratings(context, at);
      if (json === null) isPublic = false;
      return json === null ? { reviews: [], next: undefined } : reviewPageFrom(json, at);
    });
    return isPublic ? listed : null;
  }

  override reviewPageOf(item: ItemIds, reviewId: string): string {
    const { listing, dashboard } = this.pagesOf(item);
    return listing === null ? dashboard : `${listing}reviews/${encodeURIComponent(reviewId)}/`;
  }

  override async observe(credentials: FirefoxCredentials, item: StoreItem): Promise<Observed> {
    const context = contextOf(credentials, item);
    try {
      const addon = await this.client.addon(context);
      const versions = await this.client.versions(context);
      const isUploading = context.upload !== undefined && item.handles['version'] === undefined;
      const upload = isUploading ? await this.client.uploadOf(credentials, context.upload ?? '') : null;
      return { ...observedFrom({ addon, versions, upload }, context.channel), itemId: asText(addon['guid']) };
    } catch (error) {
      if (isTakenDown(error)) return takenDownFrom(error.details.raw);
      throw error;
    }
  }

  override async carryOut(credentials: FirefoxCredentials, item: StoreItem, step: StoreStep): Promise<StepOutcome> {
    const context = contextOf(credentials, item);
    switch (step.step) {
      case 'upload':
        return this.upload(context, step.package);
      case 'poll':
        return this.poll(context, step.version);
      case 'submit':
        return this.submit(context, step.version, step);
      case 'rollback':
        return this.rollback(context, step.version, step.to);
      case 'release':
      case 'rollout':
      case 'cancel':
        throw new StoreFailure(
          'config',
          `${this.title} does not support the step ${step.step}: an approved version is live for everyone.`,
        );
    }
  }

  /** Does not upload what the store already has or would refuse, because AMO allows only few uploads. */
  private async upload(context: AddonContext, pkg: StorePackage): Promise<StepOutcome> {
    const { version } = pkg;
    await this.client.assertWritable();
    const addon = await this.client.addon(context);
    const existing = await this.client.version(context, version);
    if (existing !== null) {
      assertUsable(existing, context.channel);
      throw new StoreFailure('done', `Version ${version} already exists at addons.mozilla.org.`, {
        raw: redact(existing),
      });
    }
    const live = currentOf(addon);
    if (context.channel === 'listed' && live !== null && compareVersions(version, live) <= 0) {
      throw new StoreFailure('artifact', `Version ${version} must be greater than the listed version ${live}.`);
    }
    return uploadOutcome(await this.client.upload(context.credentials, pkg, context.channel), version);
  }

  private async poll(context: AddonContext, version: string): Promise<StepOutcome> {
    const json = context.upload === undefined ? null : await this.client.uploadOf(context.credentials, context.upload);
    if (json !== null) return uploadOutcome(json, version);
    throw new StoreFailure('retry', `addons.mozilla.org no longer has the upload of version ${version}.`);
  }

  private async submit(context: AddonContext, version: string, options: SubmitOptions): Promise<StepOutcome> {
    await this.client.assertWritable();
    const { details, leftOut } = await this.detailsOf(context, options);
    const { source, reviewerNotes } = options;
    const forReview = reviewerNotes === null ? {} : { approval_notes: reviewerNotes };
    const created = await this.createOrFind(context, version, {
      ...forReview,
      ...(source === null ? details : { source }),
    });
    if (compareVersions(created.version, version) !== 0) {
      throw new StoreFailure('artifact', wrongVersion(version, created.version), {
        raw: redact(created),
        isNumberSpent: true,
      });
    }
    const warnings = source === null ? [] : await this.describe(context, created, details);
    return {
      outcome: 'done',
      note: [submittedNote(created, context.channel), leftOut, ...warnings].filter(Boolean).join(' '),
      handles: created.id === undefined ? {} : { version: created.id },
      raw: redact(created),
    };
  }

  /** Creates the version, or finds the one that an earlier attempt created. */
  private async createOrFind(
    context: AddonContext,
    version: string,
    content: VersionDetails | (ReviewDetails & { readonly source: StorePackage }),
  ): Promise<AddonVersion> {
    try {
      if (context.upload !== undefined) return await this.client.createVersion(context, context.upload, content);
    } catch (error) {
      // Once the store shows a version, this step is not repeated, and the version would never get its notes.
      const found = 'source' in content && isAnswerLost(error) ? await this.client.version(context, version) : null;
      if (found !== null) return assertUsable(found, context.channel);
      if (!isNumberUsed(error)) throw error;
    }
    const found = await this.client.version(context, version);
    if (found !== null) return assertUsable(found, context.channel);
    if (context.upload === undefined) throw new StoreFailure('retry', `Version ${version} has not been uploaded.`);
    const message = `Version ${version} was already used at addons.mozilla.org, and a number cannot be used twice.`;
    throw new StoreFailure('artifact', message, { status: 409, isNumberSpent: true });
  }

  /** Sends the details that a form cannot contain. The version exists by then, so errors only become warnings. */
  private async describe(context: AddonContext, created: AddonVersion, details: VersionDetails): Promise<string[]> {
    const warnings: string[] = [];
    for (const part of changesAfter(details, created))
      try {
        await this.client.describeVersion(context, created.version, part);
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error;
        const name = Object.keys(part).join().replace('_', ' ');
        warnings.push(`Its ${name} could not be set: ${withFullStop(error.message)}`);
      }
    return warnings;
  }

  /** @returns the details, and a sentence about notes that they leave out */
  private async detailsOf(
    context: AddonContext,
    notes: SubmitOptions,
  ): Promise<{ readonly details: VersionDetails; readonly leftOut?: string | undefined }> {
    // With desktop alone, the default, AMO reads the compatible apps from the manifest.
    const apps = context.platforms.map((platform) => APPS[platform]).filter((app) => app !== undefined);
    const compatibility = apps.includes('android') ? { compatibility: apps } : {};
    if (notes.notes === null && Object.keys(notes.localizedNotes).length === 0) return { details: compatibility };
    const locale = asText((await this.client.addon(context))['default_locale']) ?? FALLBACK_LOCALE;
    const { texts, leftOut } = addonNotes(notes, locale);
    return {
      details: { ...compatibility, ...(Object.keys(texts).length > 0 && { release_notes: texts }) },
      leftOut: leftOutNote(leftOut, 'addons.mozilla.org has no such language, or another text is for it'),
    };
  }

  /** A listed add-on goes back by one version alone, a self-distributed one to any (src/stores/README.md#firefox-rollback). */
  private async assertAllowed(context: AddonContext, version: string, to: string): Promise<void> {
    if (context.channel !== 'listed') return;
    const [current, before] = approvedFrom(await this.client.versions(context), context.channel);
    // An answer that was lost leaves the new version as the current one.
    if (current === undefined || before === undefined || compareVersions(current.version, version) === 0) return;
    if (compareVersions(before.version, to) !== 0)
      throw new StoreFailure(
        'artifact',
        `addons.mozilla.org rolls a listed add-on back only to the version before the current one, ${before.version}, and not to ${to}.`,
      );
  }

  /** Does not send the reason: AMO would show it to users, and adds a note of its own. */
  private async rollback(context: AddonContext, version: string, to: string): Promise<StepOutcome> {
    await this.client.assertWritable();
    await this.assertAllowed(context, version, to);
    try {
      const json = await this.client.rollback(context, to, version);
      return { outcome: 'pending', note: `Version ${to} will be published again as ${version}.`, raw: redact(json) };
    } catch (error) {
      const found = isNumberUsed(error) ? await this.client.version(context, version) : null;
      if (found === null) throw error;
      assertUsable(found, context.channel);
      return { outcome: 'done', note: `Version ${to} is published again as ${version}.`, raw: redact(found) };
    }
  }
}

const contextOf = (
  credentials: FirefoxCredentials,
  { storeItemId, channel, platforms, handles }: StoreItem,
): AddonContext => ({
  credentials,
  storeItemId,
  channel: channelOf(channel),
  platforms,
  upload: handles['upload'],
});
