import type { AddressSetting } from '../../common/config/index.js';
import { asList, asRecord, asText, truncate, redact, redactText, type HttpClient } from '../../common/net/index.js';
import { USER_DIMENSIONS, type FigurePart, type FigureRange } from '../figures.js';
import { pagesOfReviews, type ListedReviews } from '../reviews.js';
import { compareVersions } from '../version.js';
import { StoreFailure, withFullStop } from '../failures/index.js';
import {
  knownOr,
  Store,
  type Capabilities,
  type CredentialShape,
  type ItemIds,
  type Observed,
  type ServedFile,
  type StepOutcome,
  type StoreItem,
  type StorePackage,
  type StorePages,
  type StoreStep,
  type SubmitOptions,
  type VerifiedIdentity,
} from '../store.js';
import { ChromeClient, FILE_DOMAINS, type ChromeItem, type ChromeUrls, type PublishRequest } from './chrome.client.js';
import { ChromeCredentials, FORMS, secretOf } from './chrome.credentials.js';
import { figuresOf, ratingsFrom } from './chrome.figures.js';
import { reviewPageFrom } from './chrome.reviews.js';
import { GUIDE } from './chrome.guide.js';
import { CHROME_MAX_BYTES } from './chrome.preflight.js';
import { isOfAnotherAccount, isPreconditionFailed, isRefusal } from './chrome.errors.js';
import { observedFrom, revisionStateOf, uploadStateOf, type RevisionState } from './chrome.states.js';

const MAX_WARNINGS = 1000;

/** The result of a submission, for the timeline. */
const PUBLISH_NOTES: Readonly<Record<RevisionState, string>> = {
  in_review: 'was sent for review',
  approved: 'is approved and ready to be released',
  live: 'is published',
  rejected: 'was submitted, and Chrome already shows it as rejected',
  cancelled: 'was submitted, and Chrome already shows it as cancelled',
  unknown: 'was submitted, in a state that Chrome does not document',
};

/** The Chrome Web Store, API v2 (src/stores/README.md#chrome-web-store). */
export class ChromeStore extends Store<ChromeCredentials> {
  static readonly addresses = {
    apiUrl: 'chromeApiUrl',
    tokenUrl: 'chromeTokenUrl',
    updateUrl: 'chromeUpdateUrl',
  } as const satisfies Readonly<Record<keyof ChromeUrls, AddressSetting>>;
  static readonly fileDomains = FILE_DOMAINS;
  override readonly id = 'chrome';
  override readonly title = 'Chrome Web Store';
  override readonly name = 'Chrome';
  override readonly aliases = ['cws'];
  override readonly capabilities: Capabilities = {
    requiresArtifact: true,
    appPackages: false,
    canReadLive: true,
    canReadInReview: true,
    canCancel: true,
    supersedesPending: false,
    sharedDraft: true,
    stagedRelease: true,
    percentRollout: true,
    // src/stores/README.md#chrome-rollout
    rolloutAboveUsers: 10_000,
    widensByItself: false,
    releaseNotes: false,
    releaseNotesRequired: false,
    releaseNotesMaxLength: null,
    releaseNotesLocales: [],
    reviewerNotes: false,
    signedPackages: true,
    sourceUpload: false,
    skipReview: true,
    exportCompliance: false,
    cloudBuilds: false,
    rollback: true,
    resubmission: true,
    releasesPerPlatform: false,
    channels: [],
    platforms: ['desktop'],
    defaultPlatforms: ['desktop'],
    needsCrxId: false,
    maxPackageBytes: CHROME_MAX_BYTES,
    // https://developer.chrome.com/docs/extensions/reference/manifest/version
    mostVersionNumbers: 4,
    largestVersionNumber: 65_535,
    refusesVersionZero: true,
    needsGeckoId: false,
    figures: ['users', 'disabled', 'installs', 'uninstalls', 'rating', 'ratings'],
    figuresBy: [...USER_DIMENSIONS],
    figuresOfPast: true,
    storefronts: false,
    reviews: true,
    reviewAnswerMaxLength: null,
    announcements: false,
    servedFile: true,
    callsPerMinute: 300,
  };
  override readonly credentialShape: CredentialShape<ChromeCredentials> = {
    type: ChromeCredentials,
    secretOf,
    forms: FORMS,
    lapsesAfterDays: null,
  };
  override readonly guide = GUIDE;
  private readonly client: ChromeClient;

  constructor(urls: ChromeUrls, http: HttpClient, clock: { now(): Date }) {
    super();
    this.client = new ChromeClient(urls, http, clock);
  }

  override itemKeyOf(storeItemId: string): string {
    return storeItemId.toLowerCase();
  }

  override pagesOf({ storeItemId, account }: ItemIds): StorePages {
    const id = storeItemId === null ? null : encodeURIComponent(storeItemId);
    const own = id === null || account === null ? '' : `/${encodeURIComponent(account)}/${id}/edit`;
    return {
      listing: id === null ? null : `https://chromewebstore.google.com/detail/${id}`,
      dashboard: `https://chrome.google.com/webstore/devconsole${own}`,
      privacy: `https://chrome.google.com/webstore/devconsole${own === '' ? '' : `${own}/privacy`}`,
    };
  }

  override async verify(
    credentials: ChromeCredentials,
    storeItemIds: readonly string[] = [],
  ): Promise<VerifiedIdentity> {
    const identity = await this.client.verify(credentials);
    return {
      identity,
      account: credentials.publisherId,
      isAccountProven: await this.provesPublisher(credentials, storeItemIds),
    };
  }

  /**
   * Whether an item is the publisher's, which a token alone does not prove (src/stores/README.md#chrome-credentials). One item may have been
   * removed, so the others are asked too.
   */
  private async provesPublisher(credentials: ChromeCredentials, storeItemIds: readonly string[]): Promise<boolean> {
    let refusal: StoreFailure | null = null;
    for (const storeItemId of storeItemIds)
      try {
        await this.client.fetchStatus({ credentials, storeItemId });
        return true;
      } catch (failure) {
        if (!isRefusal(failure)) throw failure;
        if (isOfAnotherAccount(failure)) refusal ??= failure;
      }
    if (refusal !== null) throw refusal;
    return false;
  }

  override async observe(credentials: ChromeCredentials, { storeItemId }: StoreItem): Promise<Observed> {
    const item: ChromeItem = { credentials, storeItemId };
    const observed = observedFrom(await this.client.fetchStatus(item));
    if (observed.live.known) return observed;
    // The update service may know what the API leaves open.
    const live = await this.client.updateCheck(item);
    return { ...observed, live, raw: { status: observed.raw, updateService: knownOr(live, null) } };
  }

  /** The queries of a range fail together, since the next range begins at the last day that is known. */
  override figures(
    credentials: ChromeCredentials,
    { storeItemId }: StoreItem,
    range: FigureRange,
  ): readonly FigurePart[] {
    const item: ChromeItem = { credentials, storeItemId };
    return [
      () => figuresOf((query) => this.client.queryMetrics(item, query, range)),
      async () => ratingsFrom(await this.client.ratingSummary(item), range.to),
    ];
  }

  override async reviews(credentials: ChromeCredentials, { storeItemId }: StoreItem): Promise<ListedReviews> {
    const item: ChromeItem = { credentials, storeItemId };
    return pagesOfReviews<string>(this.title, async (token) =>
      reviewPageFrom(await this.client.fetchReviews(item, token)),
    );
  }

  override servedFile({ storeItemId }: Pick<ItemIds, 'storeItemId'>): Promise<ServedFile> {
    return this.client.updates.servedFile(storeItemId);
  }

  override download(file: ServedFile, path: string, maxBytes: number): Promise<void> {
    return this.client.updates.download(file, path, maxBytes);
  }

  override async carryOut(
    credentials: ChromeCredentials,
    { storeItemId }: StoreItem,
    step: StoreStep,
  ): Promise<StepOutcome> {
    const item: ChromeItem = { credentials, storeItemId };
    switch (step.step) {
      case 'upload':
        return this.upload(item, step.package);
      case 'poll':
        return this.poll(item, step.version);
      case 'submit':
        return this.submit(item, step.version, step);
      case 'release':
        return publishOutcome(await this.client.publish(item, { publishType: 'DEFAULT_PUBLISH' }), step.version);
      case 'cancel':
        return this.cancel(item, step.version);
      case 'rollout':
        return this.rollout(item, step.version, step.percent);
      case 'rollback':
        return this.rollback(item, step.version, step.to, step.reason);
    }
  }

  private async upload(item: ChromeItem, pkg: StorePackage): Promise<StepOutcome> {
    const { version } = pkg;
    const json = await this.client.upload(item, pkg);
    const answer = asRecord(json);
    const received = asText(answer?.['crxVersion']);
    if (answer?.['uploadState'] === 'NOT_FOUND') {
      throw new StoreFailure('config', "Chrome found no item to upload to. Check the target's storeItemId.", {
        raw: redact(json),
      });
    }
    if (received !== undefined && compareVersions(received, version) !== 0) {
      const message = `The package was sent as version ${version}, but Chrome read version ${truncate(received, 40)} from it.`;
      throw new StoreFailure('artifact', message, { raw: redact(json) });
    }
    return uploadOutcome(answer?.['uploadState'], version, json);
  }

  private async poll(item: ChromeItem, version: string): Promise<StepOutcome> {
    const json = await this.client.fetchStatus(item);
    return uploadOutcome(asRecord(json)?.['lastAsyncUploadState'], version, json);
  }

  private async submit(item: ChromeItem, version: string, options: SubmitOptions): Promise<StepOutcome> {
    const { staged, rolloutPercent, skipReview } = options;
    const request: PublishRequest = {
      publishType: staged ? 'STAGED_PUBLISH' : 'DEFAULT_PUBLISH',
      ...(rolloutPercent !== null && { deployInfos: [{ deployPercentage: rolloutPercent }] }),
    };
    if (!skipReview) return publishOutcome(await this.client.publish(item, request), version);
    try {
      return publishOutcome(await this.client.publish(item, { ...request, skipReview: true }), version);
    } catch (error) {
      // The refused call changed nothing. If something else is wrong, the call without skipReview is refused as well.
      if (!isPreconditionFailed(error) || error.kind === 'wait') throw error;
      const outcome = publishOutcome(await this.client.publish(item, request), version);
      return { ...outcome, note: `${outcome.note} The review could not be skipped: ${withFullStop(error.message)}` };
    }
  }

  private async rollout(item: ChromeItem, version: string, percent: number): Promise<StepOutcome> {
    const note = `Version ${version} is offered to ${percent} % of users.`;
    try {
      return { outcome: 'done', note, raw: redact(await this.client.setRollout(item, percent)) };
    } catch (error) {
      const hasTakenEffect = (observed: Observed): boolean =>
        isLive(observed, version) && (observed.rolloutPercent ?? 100) === percent;
      return this.doneIf(hasTakenEffect, item, error, note);
    }
  }

  /** Validates first, because the method is documented but absent from the store's discovery document. */
  private async rollback(item: ChromeItem, version: string, to: string, reason: string): Promise<StepOutcome> {
    const request = { targetCrxVersion: to, newVersion: version, rollbackReason: reason };
    const note = `Version ${to} is published again as ${version}.`;
    try {
      await this.client.rollback(item, { ...request, validateOnly: true });
      const json = await this.client.rollback(item, { ...request, validateOnly: false });
      return { outcome: 'done', note, raw: redact(json) };
    } catch (error) {
      return this.doneIf((observed) => isLive(observed, version), item, explainMissingRollback(error), note);
    }
  }

  /** The refused change may have taken effect in an earlier attempt whose answer was lost. Otherwise a person must decide. */
  private async doneIf(
    hasTakenEffect: (observed: Observed) => boolean,
    item: ChromeItem,
    error: unknown,
    note: string,
  ): Promise<StepOutcome> {
    if (!(error instanceof StoreFailure) || error.details.status !== 400) throw error;
    const observed = observedFrom(await this.client.fetchStatus(item));
    if (hasTakenEffect(observed)) return { outcome: 'done', note, raw: observed.raw };
    // The call involves no package, so the failure cannot be about one.
    if (error.kind !== 'artifact') throw error;
    throw new StoreFailure('config', error.message, error.details);
  }

  private async cancel(item: ChromeItem, version: string): Promise<StepOutcome> {
    try {
      const json = await this.client.cancelSubmission(item);
      return { outcome: 'done', note: `Version ${version} was withdrawn from review.`, raw: redact(json) };
    } catch (error) {
      // An earlier cancellation whose answer was lost leaves nothing to cancel.
      if (!isPreconditionFailed(error)) throw error;
      const { submission, raw } = observedFrom(await this.client.fetchStatus(item));
      const state = submission.known ? submission.value?.state : 'unknown';
      if (state === 'in_review' || state === 'approved' || state === 'unknown') throw error;
      return { outcome: 'done', note: `Version ${version} is no longer in review.`, raw };
    }
  }
}

const isLive = ({ live }: Observed, version: string): boolean =>
  live.known && live.value !== null && compareVersions(live.value, version) === 0;

/** The store may not have the method, and retrying does not help (src/stores/README.md#chrome-rollback). */
function explainMissingRollback(error: unknown): unknown {
  if (!(error instanceof StoreFailure) || ![404, 501].includes(error.details.status ?? 0)) return error;
  const message =
    'The API of the Chrome Web Store does not offer a rollback of this item. Roll back in the Developer Dashboard, or push the older code as a new version.';
  return new StoreFailure('config', message, error.details);
}

/** The outcome of an upload. An absent state does not mean success: the store reports it for asynchronous uploads only. */
function uploadOutcome(uploadState: unknown, version: string, json: unknown): StepOutcome {
  const raw = redact(json);
  const state = uploadStateOf(uploadState);
  if (state.known && state.value === 'ready')
    return { outcome: 'done', note: `Chrome accepted version ${version}.`, raw };
  if (state.known && state.value === 'failed') {
    throw new StoreFailure('artifact', `Chrome could not process the package of version ${version}.`, { raw });
  }
  const note =
    state.known && state.value === 'processing'
      ? `Chrome is processing the package of version ${version}.`
      : `Chrome has not reported the state of the package of version ${version} yet.`;
  return { outcome: 'pending', note, raw };
}

/** Reads a `PublishItemResponse` (src/stores/README.md#chrome-publish); its warnings become part of the note. */
function publishOutcome(json: unknown, version: string): StepOutcome {
  const answer = asRecord(json);
  if (![answer?.['state'], answer?.['itemId'], answer?.['name']].some((value) => asText(value) !== undefined)) {
    throw new StoreFailure('retry', `Chrome's answer does not report the state of version ${version}.`, {
      raw: redact(json),
    });
  }
  const warnings = asList(asRecord(answer?.['warningInfo'])?.['warnings'])
    .map(asRecord)
    .map((warning) => [asText(warning?.['reason']), asText(warning?.['description'])].filter(Boolean).join(': '))
    .filter((text) => text !== '');
  const note = `Version ${version} ${PUBLISH_NOTES[revisionStateOf(answer?.['state'])]}.`;
  const warned = truncate(redactText(warnings.join('; ')), MAX_WARNINGS);
  return {
    outcome: 'done',
    note: warned === '' ? note : `${note} Chrome warns: ${withFullStop(warned)}`,
    raw: redact(json),
  };
}
