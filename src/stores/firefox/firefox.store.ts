import { asRecord, asText, cutText, redact, redactText, type HttpClient } from '../../common/net/index.js';
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
  type StorePackage,
  type StorePages,
  type StoreStep,
  type Submitting,
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
import { ended } from '../refusals.js';
import { isTaken, isTakenDown } from './firefox.errors.js';
import {
  channelOf,
  CHANNELS,
  currentOf,
  observedFrom,
  takenDownFrom,
  uploadStateOf,
  validationErrors,
  type Channel,
  type HeldVersion,
} from './firefox.states.js';

/** The apps that AMO knows, by our name of the platform (docs/stores.md#firefox-calls). */
const APPS: Readonly<Record<string, string>> = { desktop: 'firefox', android: 'android' };
/**
 * A GUID in either form that AMO knows (docs/stores.md#firefox-ids), with or without its braces; anything else is a
 * slug or a number.
 */
const GUID = /^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$|@/i;
const FALLBACK_LOCALE = 'en-US';

/** A target's add-on, with what the step needs to know of it. */
interface Work extends FirefoxItem {
  readonly channel: Channel;
  readonly platforms: readonly string[];
  /** The upload that the store is asked about next. */
  readonly upload: string | undefined;
}

/** addons.mozilla.org, API v5 (docs/stores.md#firefox-add-ons). */
export class FirefoxStore extends Store<FirefoxCredentials> {
  override readonly id = 'firefox';
  override readonly title = 'Firefox Add-ons';
  override readonly capabilities: Capabilities = {
    requiresArtifact: true,
    canReadLive: true,
    canReadInReview: true,
    // Taking a version back burns its number, so it is never done unasked (docs/stores.md#firefox-channels).
    canCancel: false,
    supersedesPending: true,
    sharedDraft: false,
    stagedRelease: false,
    percentRollout: false,
    widensByItself: false,
    releaseNotes: true,
    reviewerNotes: true,
    sourceUpload: true,
    skipReview: false,
    exportCompliance: false,
    rollback: true,
    releasesPerPlatform: false,
    channels: CHANNELS,
    platforms: ['desktop', 'android'],
    defaultPlatforms: ['desktop'],
    needsCrxId: false,
    maxPackageBytes: 200_000_000,
    largestVersionNumber: 999_999_999,
    refusesVersionZero: false,
    requiresManifestV3: false,
    manifestV2EndsOn: null,
    needsGeckoId: true,
    needsDataCollectionPermissions: true,
    // Reads are free; 6 uploads and 3 versions a minute are refused beyond, and a version takes about ten calls (docs/stores.md#firefox-objects).
    callsPerMinute: 30,
  };
  override readonly credentialShape: CredentialShape<FirefoxCredentials> = {
    type: FirefoxCredentials,
    secretOf: ({ secret }) => secret,
    forms: FORMS,
    lapsesAfterDays: null,
  };
  private readonly client: FirefoxClient;

  constructor(urls: FirefoxUrls, http: HttpClient, clock: { now(): Date }) {
    super();
    this.client = new FirefoxClient(urls, http, clock);
  }

  override itemKeyOf(storeItemId: string): string {
    return GUID.test(storeItemId) ? storeItemId.replaceAll(/^\{|\}$/g, '').toLowerCase() : storeItemId;
  }

  override pagesOf({ storeItemId, channel }: ItemIds): StorePages {
    const listing = `https://addons.mozilla.org/addon/${encodeURIComponent(storeItemId)}/`;
    return {
      listing: channel === 'unlisted' ? null : listing,
      dashboard: 'https://addons.mozilla.org/developers/addons',
    };
  }

  override async verify(credentials: FirefoxCredentials): Promise<VerifiedIdentity> {
    const profile = await this.client.profile(credentials);
    const name = asText(profile['name']) ?? asText(profile['username']) ?? 'user';
    return { identity: cutText(redactText(`${name} (${credentials.issuer})`), 200) };
  }

  override async observe(credentials: FirefoxCredentials, item: StoreItem): Promise<Observed> {
    const work = workOn(credentials, item);
    try {
      const addon = await this.client.addon(work);
      const versions = await this.client.versions(work);
      const isUnderWay = work.upload !== undefined && item.handles['version'] === undefined;
      const upload = isUnderWay ? await this.client.uploadOf(credentials, work.upload ?? '') : null;
      return { ...observedFrom({ addon, versions, upload }, work.channel), itemId: asText(addon['guid']) };
    } catch (error) {
      if (isTakenDown(error)) return takenDownFrom(error.details.raw);
      throw error;
    }
  }

  override async carryOut(credentials: FirefoxCredentials, item: StoreItem, step: StoreStep): Promise<StepOutcome> {
    const work = workOn(credentials, item);
    switch (step.step) {
      case 'upload':
        return this.upload(work, step.package);
      case 'poll':
        return this.poll(work, step.version);
      case 'submit':
        return this.submit(work, step.version, step);
      case 'rollback':
        return this.rollback(work, step.version, step.to);
      case 'release':
      case 'rollout':
      case 'cancel':
        throw new StoreFailure('config', `${this.title} has no ${step.step}: what it approves is live for everyone.`);
    }
  }

  /** Sends nothing that the store has or would not take: an upload costs one of few that it allows. */
  private async upload(work: Work, parcel: StorePackage): Promise<StepOutcome> {
    const { version } = parcel;
    await this.client.expectWritable();
    const addon = await this.client.addon(work);
    const held = await this.client.version(work, version);
    if (held !== null) {
      expectOurs(held, work.channel);
      throw new StoreFailure('done', `Version ${version} is at addons.mozilla.org already.`, { raw: redact(held) });
    }
    const live = currentOf(addon);
    if (work.channel === 'listed' && live !== null && compareVersions(version, live) <= 0) {
      throw new StoreFailure('artifact', `Version ${version} must be greater than version ${live}, which is listed.`);
    }
    return processed(await this.client.upload(work.credentials, parcel, work.channel), version);
  }

  private async poll(work: Work, version: string): Promise<StepOutcome> {
    const json = work.upload === undefined ? null : await this.client.uploadOf(work.credentials, work.upload);
    if (json !== null) return processed(json, version);
    throw new StoreFailure('retry', `addons.mozilla.org does not have the upload of version ${version} any more.`);
  }

  private async submit(work: Work, version: string, submitting: Submitting): Promise<StepOutcome> {
    await this.client.expectWritable();
    const details = await this.detailsOf(work, submitting);
    const { source, reviewerNotes } = submitting;
    const forReview = reviewerNotes === null ? {} : { approval_notes: reviewerNotes };
    const held = await this.made(work, version, { ...forReview, ...(source === null ? details : { source }) });
    if (compareVersions(held.version, version) !== 0) {
      const message = `addons.mozilla.org read version ${cutText(held.version, 40)} in the package that was sent as ${version}.`;
      throw new StoreFailure('artifact', message, { raw: redact(held) });
    }
    const missed = source !== null && Object.keys(details).length > 0 ? await this.missed(work, version, details) : '';
    return {
      outcome: 'done',
      note: [submittedNote(held, work.channel), missed].filter(Boolean).join(' '),
      handles: held.id === undefined ? {} : { version: held.id },
      raw: redact(held),
    };
  }

  /** The version, made now or by an earlier try whose answer was lost. */
  private async made(
    work: Work,
    version: string,
    more: VersionDetails | (ReviewDetails & { readonly source: StorePackage }),
  ): Promise<HeldVersion> {
    try {
      if (work.upload !== undefined) return await this.client.createVersion(work, work.upload, more);
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
    const held = await this.client.version(work, version);
    if (held !== null) return expectOurs(held, work.channel);
    if (work.upload === undefined) throw new StoreFailure('retry', `Version ${version} has not been uploaded.`);
    const message = `Version ${version} was used at addons.mozilla.org before, and a number cannot be used twice.`;
    throw new StoreFailure('artifact', message, { status: 409 });
  }

  /** What a form had no room for, sent after it. The version stands by then, so a refusal is told and does not undo it. */
  private async missed(work: Work, version: string, details: VersionDetails): Promise<string> {
    try {
      await this.client.describeVersion(work, version, details);
      return '';
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      const names = Object.keys(details).join(' and ').replace('_', ' ');
      return `Its ${names} could not be set: ${ended(error.message)}`;
    }
  }

  private async detailsOf(work: Work, { notes }: Submitting): Promise<VersionDetails> {
    // Desktop alone is the default, and then the manifest says what the package runs on.
    const apps = work.platforms.map((platform) => APPS[platform]).filter((app) => app !== undefined);
    const compatibility = apps.includes('android') ? { compatibility: apps } : {};
    if (notes === null) return compatibility;
    const locale = asText((await this.client.addon(work))['default_locale']) ?? FALLBACK_LOCALE;
    return { ...compatibility, release_notes: { [locale]: notes } };
  }

  /** The reason is not sent: at this store it would be shown to users, and the store writes them a note of its own. */
  private async rollback(work: Work, version: string, to: string): Promise<StepOutcome> {
    if (work.channel !== 'listed') {
      throw new StoreFailure('config', 'addons.mozilla.org rolls back only what it lists: push the older code anew.');
    }
    await this.client.expectWritable();
    try {
      const json = await this.client.rollback(work, to, version);
      return { outcome: 'pending', note: `Version ${to} will be served again as ${version}.`, raw: redact(json) };
    } catch (error) {
      const held = isTaken(error) ? await this.client.version(work, version) : null;
      if (held === null) throw error;
      expectOurs(held, work.channel);
      return { outcome: 'done', note: `Version ${to} is served again as ${version}.`, raw: redact(held) };
    }
  }
}

const workOn = (credentials: FirefoxCredentials, { storeItemId, channel, platforms, handles }: StoreItem): Work => ({
  credentials,
  storeItemId,
  channel: channelOf(channel),
  platforms,
  upload: handles['upload'],
});

/**
 * Numbers are used once over both channels (docs/stores.md#firefox-channels). @throws StoreFailure `artifact` when this
 * one was used for something else
 */
function expectOurs(held: HeldVersion, channel: Channel): HeldVersion {
  const { version } = held;
  const why =
    held.channel !== undefined && held.channel !== channel
      ? `is ${cutText(held.channel, 40)} at addons.mozilla.org, and a number cannot be used in both channels.`
      : held.state === 'disabled'
        ? 'is disabled or rejected at addons.mozilla.org, and a number cannot be used twice.'
        : null;
  if (why !== null) throw new StoreFailure('artifact', `Version ${version} ${why}`, { raw: redact(held) });
  return held;
}

/**
 * What an upload's state means (docs/stores.md#firefox-objects); only what is processed and valid can become a version.
 */
function processed(upload: unknown, version: string): StepOutcome {
  const { uuid, version: sent } = asRecord(upload) ?? {};
  const raw = redact(upload);
  const handles: Record<string, string> = typeof uuid === 'string' ? { upload: uuid } : {};
  const state = uploadStateOf(upload);
  if (state.known && state.value === 'failed') {
    const words = validationErrors(upload);
    const message = `addons.mozilla.org finds the package of version ${version} invalid.`;
    throw new StoreFailure('artifact', words === '' ? message : `${message} ${ended(words)}`, { raw });
  }
  if (!state.known || state.value !== 'ready') {
    return { outcome: 'pending', note: `addons.mozilla.org is validating version ${version}.`, handles, raw };
  }
  const read = asText(sent);
  if (read !== undefined && compareVersions(read, version) !== 0) {
    const message = `addons.mozilla.org read version ${cutText(read, 40)} in the package that was sent as ${version}.`;
    throw new StoreFailure('artifact', message, { raw });
  }
  return { outcome: 'done', note: `addons.mozilla.org found version ${version} valid.`, handles, raw };
}

function submittedNote({ version, state, url }: HeldVersion, channel: Channel): string {
  const isSigned = state === 'signed';
  if (channel === 'listed')
    return isSigned ? `Version ${version} is approved.` : `Version ${version} was sent for review.`;
  if (!isSigned || url === undefined) return `Version ${version} was sent to be signed.`;
  return `Version ${version} is signed; its file is at ${cutText(redactText(url), 500)}.`;
}
