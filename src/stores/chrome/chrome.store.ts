import { asList, asRecord, asText, cutText, redact, redactText, type HttpClient } from '../../common/net/index.js';
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
import { ChromeClient, type ChromeItem, type ChromeUrls, type PublishOrder } from './chrome.client.js';
import { ChromeCredentials, FORMS, secretOf } from './chrome.credentials.js';
import { ended } from '../refusals.js';
import { isPreconditionFailed } from './chrome.errors.js';
import { observedFrom, revisionStateOf, uploadStateOf, type RevisionState } from './chrome.states.js';

const MAX_WARNINGS = 1000;

/** What became of a submission, for the timeline. */
const PUBLISHED_AS: Readonly<Record<RevisionState, string>> = {
  in_review: 'was sent for review',
  approved: 'is approved and waits for its release',
  live: 'is published',
  rejected: 'was submitted, and Chrome already shows it as rejected',
  cancelled: 'was submitted, and Chrome already shows it as cancelled',
  unknown: 'was submitted, in a state that Chrome does not document',
};

/** The Chrome Web Store, API v2 (docs/stores.md#chrome-web-store). */
export class ChromeStore extends Store<ChromeCredentials> {
  override readonly id = 'chrome';
  override readonly title = 'Chrome Web Store';
  override readonly capabilities: Capabilities = {
    requiresArtifact: true,
    canReadLive: true,
    canReadInReview: true,
    canCancel: true,
    supersedesPending: false,
    sharedDraft: true,
    stagedRelease: true,
    percentRollout: true,
    widensByItself: false,
    releaseNotes: false,
    reviewerNotes: false,
    sourceUpload: false,
    skipReview: true,
    exportCompliance: false,
    rollback: true,
    releasesPerPlatform: false,
    channels: [],
    platforms: ['desktop'],
    defaultPlatforms: ['desktop'],
    needsCrxId: false,
    maxPackageBytes: 2_147_483_648,
    // https://developer.chrome.com/docs/extensions/reference/manifest/version
    largestVersionNumber: 65_535,
    refusesVersionZero: true,
    requiresManifestV3: true,
    manifestV2EndsOn: null,
    needsGeckoId: false,
    needsDataCollectionPermissions: false,
    callsPerMinute: 300,
  };
  override readonly credentialShape: CredentialShape<ChromeCredentials> = {
    type: ChromeCredentials,
    secretOf,
    forms: FORMS,
    lapsesAfterDays: null,
  };
  private readonly client: ChromeClient;

  constructor(urls: ChromeUrls, http: HttpClient, clock: { now(): Date }) {
    super();
    this.client = new ChromeClient(urls, http, clock);
  }

  override pagesOf({ storeItemId }: ItemIds): StorePages {
    return {
      listing: `https://chromewebstore.google.com/detail/${encodeURIComponent(storeItemId)}`,
      dashboard: 'https://chrome.google.com/webstore/devconsole',
    };
  }

  override async verify(credentials: ChromeCredentials): Promise<VerifiedIdentity> {
    return { identity: await this.client.prove(credentials) };
  }

  override async observe(credentials: ChromeCredentials, { storeItemId }: StoreItem): Promise<Observed> {
    const item: ChromeItem = { credentials, storeItemId };
    const seen = observedFrom(await this.client.fetchStatus(item));
    // What the API leaves open, the update service may still witness.
    if (seen.live.known) return seen;
    const live = await this.client.updateCheck(item);
    return { ...seen, live, raw: { status: seen.raw, updateService: live.known ? live.value : null } };
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
        return submitted(await this.client.publish(item, { publishType: 'DEFAULT_PUBLISH' }), step.version);
      case 'cancel':
        return this.cancel(item, step.version);
      case 'rollout':
        return this.rollout(item, step.version, step.percent);
      case 'rollback':
        return this.rollback(item, step.version, step.to, step.reason);
    }
  }

  private async upload(item: ChromeItem, parcel: StorePackage): Promise<StepOutcome> {
    const { version } = parcel;
    const json = await this.client.upload(item, () => parcel.open());
    const answer = asRecord(json);
    const sent = asText(answer?.['crxVersion']);
    if (answer?.['uploadState'] === 'NOT_FOUND') {
      throw new StoreFailure('config', "Chrome found no item to upload to: check the target's storeItemId.", {
        raw: redact(json),
      });
    }
    if (sent !== undefined && compareVersions(sent, version) !== 0) {
      const message = `Chrome read version ${cutText(sent, 40)} in the package that was sent as ${version}.`;
      throw new StoreFailure('artifact', message, { raw: redact(json) });
    }
    return processed(answer?.['uploadState'], version, json);
  }

  private async poll(item: ChromeItem, version: string): Promise<StepOutcome> {
    const json = await this.client.fetchStatus(item);
    return processed(asRecord(json)?.['lastAsyncUploadState'], version, json);
  }

  private async submit(item: ChromeItem, version: string, how: Submitting): Promise<StepOutcome> {
    const { staged, rolloutPercent, skipReview } = how;
    const order: PublishOrder = {
      publishType: staged ? 'STAGED_PUBLISH' : 'DEFAULT_PUBLISH',
      ...(rolloutPercent !== null && { deployInfos: [{ deployPercentage: rolloutPercent }] }),
    };
    if (!skipReview) return submitted(await this.client.publish(item, order), version);
    try {
      return submitted(await this.client.publish(item, { ...order, skipReview: true }), version);
    } catch (error) {
      // A refusal changed nothing, and whatever else is wrong is said again to the order without it.
      if (!isPreconditionFailed(error) || error.kind === 'wait') throw error;
      const outcome = submitted(await this.client.publish(item, order), version);
      return { ...outcome, note: `${outcome.note} A review was not to be skipped: ${ended(error.message)}` };
    }
  }

  private async rollout(item: ChromeItem, version: string, percent: number): Promise<StepOutcome> {
    const note = `Version ${version} is offered to ${percent} % of users.`;
    try {
      return { outcome: 'done', note, raw: redact(await this.client.setRollout(item, percent)) };
    } catch (error) {
      return this.standing(
        item,
        error,
        note,
        (seen) => isLive(seen, version) && (seen.rolloutPercent ?? 100) === percent,
      );
    }
  }

  /** Asks first whether it would work, because the method is documented and yet absent from the store's discovery document. */
  private async rollback(item: ChromeItem, version: string, to: string, reason: string): Promise<StepOutcome> {
    const order = { targetCrxVersion: to, newVersion: version, rollbackReason: reason };
    const note = `Version ${to} is served again as ${version}.`;
    try {
      await this.client.rollback(item, { ...order, validateOnly: true });
      return {
        outcome: 'done',
        note,
        raw: redact(await this.client.rollback(item, { ...order, validateOnly: false })),
      };
    } catch (error) {
      return this.standing(item, withoutRollback(error), note, (seen) => isLive(seen, version));
    }
  }

  /** A change of what is live was refused: either it stands already, by a try whose answer was lost, or a person must decide. */
  private async standing(
    item: ChromeItem,
    error: unknown,
    note: string,
    stands: (seen: Observed) => boolean,
  ): Promise<StepOutcome> {
    if (!(error instanceof StoreFailure) || error.details.status !== 400) throw error;
    const seen = observedFrom(await this.client.fetchStatus(item));
    if (stands(seen)) return { outcome: 'done', note, raw: seen.raw };
    // No package is involved, so none can be at fault, however the refusal is worded.
    if (error.kind !== 'artifact') throw error;
    throw new StoreFailure('config', error.message, error.details);
  }

  private async cancel(item: ChromeItem, version: string): Promise<StepOutcome> {
    try {
      const json = await this.client.cancelSubmission(item);
      return { outcome: 'done', note: `Version ${version} was withdrawn from review.`, raw: redact(json) };
    } catch (error) {
      // Nothing to cancel is what a cancellation whose answer was lost leaves behind.
      if (!isPreconditionFailed(error)) throw error;
      const { submission, raw } = observedFrom(await this.client.fetchStatus(item));
      const state = submission.known ? submission.value?.state : 'unknown';
      if (state === 'in_review' || state === 'approved' || state === 'unknown') throw error;
      return { outcome: 'done', note: `Version ${version} is not in review any more.`, raw };
    }
  }
}

const isLive = ({ live }: Observed, version: string): boolean =>
  live.known && live.value !== null && compareVersions(live.value, version) === 0;

/** The store may not have the method at all, which is no fault that passes (docs/stores.md#chrome-rollback). */
function withoutRollback(error: unknown): unknown {
  if (!(error instanceof StoreFailure) || ![404, 501].includes(error.details.status ?? 0)) return error;
  const message =
    'The Chrome Web Store does not offer a rollback of this item by its API. Roll back in the Developer Dashboard, or push the older code under a new version.';
  return new StoreFailure('config', message, error.details);
}

/** What an upload's state means. Silence is not success: the store names the state only while it is asynchronous. */
function processed(uploadState: unknown, version: string, json: unknown): StepOutcome {
  const raw = redact(json);
  const state = uploadStateOf(uploadState);
  if (state.known && state.value === 'ready') return { outcome: 'done', note: `Chrome took version ${version}.`, raw };
  if (state.known && state.value === 'failed') {
    throw new StoreFailure('artifact', `Chrome could not process the package of version ${version}.`, { raw });
  }
  const note =
    state.known && state.value === 'processing'
      ? `Chrome is processing the package of version ${version}.`
      : `Chrome does not say yet what became of the package of version ${version}.`;
  return { outcome: 'pending', note, raw };
}

/** Reads a `PublishItemResponse` (docs/stores.md#chrome-publish); its warnings stay in the note. */
function submitted(json: unknown, version: string): StepOutcome {
  const answer = asRecord(json);
  if (![answer?.['state'], answer?.['itemId'], answer?.['name']].some((said) => asText(said) !== undefined)) {
    throw new StoreFailure('retry', `Chrome's answer does not say what became of version ${version}.`, {
      raw: redact(json),
    });
  }
  const warnings = asList(asRecord(answer?.['warningInfo'])?.['warnings'])
    .map(asRecord)
    .map((warning) => [asText(warning?.['reason']), asText(warning?.['description'])].filter(Boolean).join(': '))
    .filter((text) => text !== '');
  const note = `Version ${version} ${PUBLISHED_AS[revisionStateOf(answer?.['state'])]}.`;
  const warned = cutText(redactText(warnings.join('; ')), MAX_WARNINGS);
  return { outcome: 'done', note: warned === '' ? note : `${note} Chrome warns: ${ended(warned)}`, raw: redact(json) };
}
