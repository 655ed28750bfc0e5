import { setTimeout as pause } from 'node:timers/promises';
import type { AddressSetting } from '../../common/config/index.js';
import { redact, type HttpClient } from '../../common/net/index.js';
import { compareVersions } from '../version.js';
import { StoreFailure } from '../failures/index.js';
import {
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
  type VerifiedIdentity,
} from '../store.js';
import { EdgeClient, FILE_DOMAINS, type EdgeProduct, type EdgeUrls } from './edge.client.js';
import { EdgeCredentials, FORMS, KEY_LAPSES_AFTER_DAYS } from './edge.credentials.js';
import { GUIDE } from './edge.guide.js';
import { operationFailure } from './edge.errors.js';
import type { Operation } from './edge.operation.js';
import { latestOf, observedFrom, type EdgeHandles } from './edge.states.js';

/** Milliseconds between reads of a submission that is being processed; their sum is shorter than a graceful shutdown. */
const POLL_DELAYS: readonly number[] = [500, 1000, 2000, 3000, 4000, 5000];

/** Microsoft Edge Add-ons, by API key (src/stores/README.md#edge-add-ons). */
export class EdgeStore extends Store<EdgeCredentials> {
  static readonly addresses = {
    apiUrl: 'edgeApiUrl',
    publicUrl: 'edgePublicUrl',
    updateUrl: 'edgeUpdateUrl',
  } as const satisfies Readonly<Record<keyof EdgeUrls, AddressSetting>>;
  static readonly fileDomains = FILE_DOMAINS;
  override readonly id = 'edge';
  override readonly title = 'Microsoft Edge Add-ons';
  override readonly name = 'Edge';
  override readonly aliases = ['edge add-ons', 'microsoft edge'];
  override readonly capabilities: Capabilities = {
    requiresArtifact: true,
    appPackages: false,
    canReadLive: true,
    canReadInReview: false,
    canCancel: false,
    supersedesPending: false,
    sharedDraft: true,
    stagedRelease: false,
    percentRollout: false,
    rolloutAboveUsers: null,
    widensByItself: false,
    releaseNotes: false,
    releaseNotesRequired: false,
    releaseNotesMaxLength: null,
    releaseNotesLocales: [],
    reviewerNotes: true,
    signedPackages: false,
    sourceUpload: false,
    skipReview: false,
    exportCompliance: false,
    cloudBuilds: false,
    rollback: false,
    resubmission: false,
    releasesPerPlatform: false,
    channels: [],
    platforms: ['desktop'],
    defaultPlatforms: ['desktop'],
    needsCrxId: true,
    maxPackageBytes: null,
    // Microsoft's manifest format refers to Chrome's (https://learn.microsoft.com/microsoft-edge/extensions/getting-started/manifest-format).
    mostVersionNumbers: 4,
    largestVersionNumber: 65_535,
    refusesVersionZero: true,
    needsGeckoId: false,
    figures: [],
    figuresBy: [],
    figuresOfPast: false,
    storefronts: false,
    reviews: false,
    reviewAnswerMaxLength: null,
    announcements: false,
    servedFile: true,
    callsPerMinute: 60,
  };
  override readonly credentialShape: CredentialShape<EdgeCredentials> = {
    type: EdgeCredentials,
    secretOf: ({ apiKey }) => apiKey,
    forms: FORMS,
    lapsesAfterDays: KEY_LAPSES_AFTER_DAYS,
  };
  override readonly guide = GUIDE;
  private readonly client: EdgeClient;

  /** @param pollDelays milliseconds to wait before each further read of a submission that is being processed */
  constructor(
    urls: EdgeUrls,
    http: HttpClient,
    clock: { now(): Date },
    private readonly pollDelays: readonly number[] = POLL_DELAYS,
  ) {
    super();
    this.client = new EdgeClient(urls, http, clock);
  }

  /** Product ids are GUIDs (src/stores/README.md#edge-operations). */
  override itemKeyOf(storeItemId: string): string {
    return storeItemId.toLowerCase();
  }

  override pagesOf({ crxId, storeItemId }: ItemIds): StorePages {
    const product = storeItemId === null ? 'overview' : `${encodeURIComponent(storeItemId)}/packages/dashboard`;
    const dashboard = `https://partner.microsoft.com/dashboard/microsoftedge/${product}`;
    return {
      listing: crxId === null ? null : `https://microsoftedge.microsoft.com/addons/detail/${crxId}`,
      dashboard,
      // Its menu has the page Privacy.
      privacy: dashboard,
    };
  }

  override async verify(credentials: EdgeCredentials): Promise<VerifiedIdentity> {
    await this.client.verify(credentials);
    return { identity: credentials.clientId };
  }

  /** Calls the API even without an operation, to detect an expired key. Reads the public page when the CRX id is known. */
  override async observe(credentials: EdgeCredentials, item: StoreItem): Promise<Observed> {
    const latest = latestOf(item.handles);
    const [operation, listing] = await Promise.all([
      this.client.operation(productOf(credentials, item), latest?.of ?? 'upload', latest?.id ?? null),
      this.client.listing(item.crxId),
    ]);
    return observedFrom(item.handles, operation, listing);
  }

  override servedFile({ crxId }: Pick<ItemIds, 'crxId'>): Promise<ServedFile> {
    return this.client.updates.servedFile(crxId);
  }

  override download(file: ServedFile, path: string, maxBytes: number): Promise<void> {
    return this.client.updates.download(file, path, maxBytes);
  }

  override async carryOut(credentials: EdgeCredentials, item: StoreItem, step: StoreStep): Promise<StepOutcome> {
    const product = productOf(credentials, item);
    switch (step.step) {
      case 'upload':
        return this.upload(product, step.package);
      case 'poll':
        return this.poll(product, step.version, item.handles);
      case 'submit':
        return this.submit(product, item, step.version, step.reviewerNotes);
      case 'release':
      case 'rollout':
      case 'rollback':
      case 'cancel':
        throw new StoreFailure('config', `Microsoft Edge Add-ons has no call for a ${step.step}.`);
    }
  }

  private async upload(product: EdgeProduct, pkg: StorePackage): Promise<StepOutcome> {
    const { version } = pkg;
    const uploadOperation = await this.client.upload(product, pkg);
    // The submission of an earlier upload does not apply to this one.
    const handles = { uploadOperation, publishOperation: '', version };
    const note = `Edge received the package of version ${version} and is checking it.`;
    return { outcome: 'pending', handles, note, raw: { uploadOperation } };
  }

  private async poll(product: EdgeProduct, version: string, { uploadOperation }: EdgeHandles): Promise<StepOutcome> {
    const operation =
      uploadOperation === undefined ? null : await this.client.operation(product, 'upload', uploadOperation);
    switch (operation?.state) {
      case 'succeeded':
        return { outcome: 'done', note: `Edge accepted version ${version}.`, raw: operation.raw };
      case 'failed':
        throw operationFailure(operation, 'upload');
      case 'in_progress':
        return { outcome: 'pending', note: `Edge is checking the package of version ${version}.`, raw: operation.raw };
      case 'unknown':
      case undefined: {
        const note = `Edge has not reported the state of the package of version ${version} yet.`;
        return { outcome: 'pending', note, raw: operation?.raw ?? null };
      }
    }
  }

  private async submit(
    product: EdgeProduct,
    item: StoreItem,
    version: string,
    certificationNotes: string | null,
  ): Promise<StepOutcome> {
    const publishOperation = await this.client.publish(product, certificationNotes);
    const operation = await this.pollSubmission(product, publishOperation);
    const handles = { publishOperation, version };
    const raw = operation?.raw ?? null;
    if (operation?.state === 'succeeded') {
      const note = `Version ${version} was submitted. Its state is visible in Partner Center only.`;
      return { outcome: 'done', handles, note, raw };
    }
    if (operation?.state === 'failed') return { ...(await this.outcomeOfFailure(operation, item, version)), handles };
    return { outcome: 'pending', handles, note: `Edge is still processing the submission of version ${version}.`, raw };
  }

  /**
   * Reads a submission until it has ended or the delays are used up. Errors are ignored: the store has accepted the submission, and its id must
   * not be lost.
   */
  private async pollSubmission(product: EdgeProduct, id: string): Promise<Operation | null> {
    const read = (): Promise<Operation | null> => this.client.operation(product, 'publish', id).catch(() => null);
    let operation = await read();
    for (const ms of this.pollDelays) {
      if (operation?.state === 'succeeded' || operation?.state === 'failed') break;
      await pause(ms);
      operation = await read();
    }
    return operation;
  }

  /** `NoModulesUpdated` means success when the last submission was this version: uploaded in this release, or live. */
  private async outcomeOfFailure(
    operation: Operation,
    { crxId, handles }: StoreItem,
    version: string,
  ): Promise<StepOutcome> {
    const failure = operationFailure(operation, 'publish');
    if (failure.kind !== 'done') throw failure;
    const isOurs = async (): Promise<boolean> => {
      if (handles['version'] !== undefined && compareVersions(handles['version'], version) === 0) return true;
      const { live } = await this.client.listing(crxId);
      return live.known && compareVersions(live.value, version) === 0;
    };
    if (await isOurs()) {
      return { outcome: 'done', note: `Version ${version} is already submitted.`, raw: operation.raw };
    }
    const message = `${failure.message} The last submission is not the version ${version} that Pierhead uploaded.`;
    throw new StoreFailure('config', message, { raw: redact(operation.raw) });
  }
}

const productOf = (credentials: EdgeCredentials, { storeItemId }: StoreItem): EdgeProduct => ({
  credentials,
  productId: storeItemId,
});
