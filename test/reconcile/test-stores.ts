import { randomUUID } from 'node:crypto';
import { EdgeControl } from '../../sandbox/edge/edge-control.js';
import { FirefoxControl } from '../../sandbox/firefox/firefox-control.js';
import { RELEASED } from '../../sandbox/safari/model.js';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import type { StoreId } from '../../src/stores/index.js';
import { TestControl } from '../support/keys.js';
import type { Passing } from './call-gate.js';

/** What was done to an item, however often it was asked for. */
export interface Done {
  readonly uploads: number;
  readonly submissions: number;
}

/** A version that a store has, or gives to users. */
export interface Served {
  readonly version: string;
  /** Of the package that was sent to it; null where it was brought there otherwise. */
  readonly sha256: string | null;
}

/** A version that users get, and the percentage of them who are offered it. */
export interface Offered {
  readonly version: string;
  readonly percent: number;
}

/** An item at one store, under an account of its own: what its owner, its reviewers and their store do, whatever the store names it. */
export interface TestStore {
  readonly store: StoreId;
  /** What a credential is made of. */
  readonly credentials: object;
  /** What a target says of the item. */
  readonly settings: { readonly storeItemId: string };
  /** Who calls, as faults name them. */
  readonly account: string;
  /** Whether a call that came by is this account's. */
  isCaller(request: Passing): boolean;
  /** Reviews pass by themselves so many seconds after a submission; null leaves them open. */
  review(seconds: number | null): Promise<unknown>;
  /** The store works on each upload from now on until it has been asked about it so many times. */
  dawdle(looks: number): Promise<unknown>;
  /** Reviewers reject what is in review. @throws when nothing is */
  reject(): Promise<unknown>;
  /** The next upload fails after it was taken, without a reason, where that can be. */
  stumble(): Promise<unknown>;
  /** Brings a version to the store by the way that is not ours, where the store takes no packages from us. */
  deliver(version: string): Promise<unknown>;
  /** The store takes the account's key no longer. */
  revoke(): Promise<unknown>;
  /** A new key of the same account. */
  rotate(): Promise<object>;
  done(): Promise<Done>;
  /** All that was sent to it, as far as it still has it. */
  received(): Promise<readonly Served[]>;
  /** All that came to users since the item was made. */
  served(): Promise<readonly Served[]>;
  /** What users get now; null before they get anything, and where it goes to all of them at once. */
  offered(): Promise<Offered | null>;
}

const AT_ONCE = 0;
/** What the App Store serves before anything is published: what is new is told of updates only. */
const FIRST_AT_APPLE = '0.1';
const none = (): Promise<void> => Promise.resolve();
const toAll = (): Promise<null> => Promise.resolve(null);
/** A phased release goes to more users each day. */
const PHASED_DAYS = 7;

/** The payload of a token that the caller signed itself. */
function issuerIn({ headers }: Passing): unknown {
  const [, payload = ''] = (headers.authorization ?? '').split('.');
  if (payload === '') return undefined;
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly iss?: string }).iss;
}

async function chrome(url: string): Promise<TestStore> {
  const control = new TestControl(url);
  const { publisherId, serviceAccount } = await control.chromeAccount();
  const { itemId } = await control.chromeItem({ publisherId, approveAfterSeconds: AT_ONCE, weeklyUsers: 20_000 });
  const credentials = { publisherId, serviceAccount };
  return {
    store: 'chrome',
    credentials,
    settings: { storeItemId: itemId },
    account: publisherId,
    isCaller: (request) => request.url?.includes(itemId) === true,
    review: (seconds) => control.patch(itemId, { approveAfterSeconds: seconds }),
    dawdle: (looks) => control.patch(itemId, { asyncUploadPolls: looks }),
    reject: () => control.act(itemId, 'reject'),
    stumble: none,
    deliver: none,
    revoke: async () => {
      await control.account(publisherId, 'revoke', { what: 'all' });
    },
    rotate: async () => {
      const made = await control.rotate(serviceAccount.client_email);
      return { publisherId, serviceAccount: made.serviceAccount };
    },
    done: async () => {
      const { uploads, submissions } = (await control.state(itemId)).counters;
      return { uploads, submissions };
    },
    received: async () => {
      const { draft, submitted, history, lastUpload } = await control.state(itemId);
      return [draft, submitted?.package, lastUpload, ...history].filter((one) => one != null);
    },
    served: async () => (await control.state(itemId)).history.map(({ version, sha256 }) => ({ version, sha256 })),
    offered: async () => {
      const { published } = await control.state(itemId);
      return published && { version: published.package.version, percent: published.deployPercentage };
    },
  };
}

async function firefox(url: string, guid: string): Promise<TestStore> {
  const control = new FirefoxControl(url);
  const credentials = await control.firefoxAccount({ isThrottled: false });
  const { issuer } = credentials;
  await control.addon({ issuer, guid, approveAfterSeconds: AT_ONCE });
  return {
    store: 'firefox',
    credentials,
    settings: { storeItemId: guid },
    account: issuer,
    isCaller: (request) => issuerIn(request) === issuer,
    review: (seconds) => control.patchAddon(guid, { approveAfterSeconds: seconds }),
    dawdle: (looks) => control.firefoxUser(issuer, { validationPolls: looks }),
    reject: () => control.addonAct(guid, 'reject'),
    stumble: none,
    deliver: none,
    revoke: () => control.revokeKey(issuer),
    rotate: () => control.rotateKey(issuer),
    done: async () => {
      const { uploads, versions } = (await control.addonState(guid)).counters;
      return { uploads, submissions: versions };
    },
    received: async () =>
      (await control.addonState(guid)).versions.map(({ version, file }) => ({ version, sha256: file?.sha256 ?? null })),
    served: async () =>
      (await control.addonState(guid)).versions
        .filter(({ wasApproved }) => wasApproved)
        .map(({ version, file }) => ({ version, sha256: file?.sha256 ?? null })),
    offered: toAll,
  };
}

async function edge(url: string): Promise<TestStore> {
  const control = new EdgeControl(url);
  const credentials = await control.edgeAccount();
  const { clientId } = credentials;
  const { productId, crxId } = await control.edgeProduct({ clientId, approveAfterSeconds: AT_ONCE });
  const settings = { storeItemId: productId, crxId };
  return {
    store: 'edge',
    credentials,
    settings,
    account: clientId,
    isCaller: ({ headers }) => headers['x-clientid'] === clientId,
    review: (seconds) => control.patchProduct(productId, { approveAfterSeconds: seconds }),
    dawdle: (looks) => control.patchProduct(productId, { uploadPolls: looks }),
    reject: () => control.actOnProduct(productId, 'reject'),
    stumble: () => control.patchProduct(productId, { failures: [{ of: 'upload' }] }),
    deliver: none,
    revoke: () => control.revokeEdgeKey(clientId),
    rotate: () => control.edgeKey(clientId),
    done: async () => {
      const { uploads, submissions } = (await control.product(productId)).counters;
      return { uploads, submissions };
    },
    received: async () => {
      const { draft, review, live } = await control.product(productId);
      return [draft, review?.package, live].filter((one) => one != null);
    },
    served: async () => {
      const { live } = await control.product(productId);
      return live === null ? [] : [{ version: live.version, sha256: live.sha256 }];
    },
    offered: toAll,
  };
}

async function safari(url: string): Promise<TestStore> {
  const control = new SafariControl(url);
  const { teamId, ...credentials } = await control.key();
  const versions = [{ version: FIRST_AT_APPLE, state: 'READY_FOR_DISTRIBUTION' }];
  const { appId } = await control.app({ issuerId: teamId, approveAfterSeconds: AT_ONCE, versions });
  const settings = { storeItemId: appId, encryption: 'exempt', releaseNotes: 'Owls.' };
  return {
    store: 'safari',
    credentials,
    settings,
    account: teamId,
    isCaller: (request) => issuerIn(request) === teamId,
    review: (seconds) => control.patch(appId, { approveAfterSeconds: seconds }),
    dawdle: none,
    reject: () => control.act(appId, 'reject'),
    stumble: none,
    deliver: (version) => control.deliver(appId, { version }),
    revoke: () => control.revoke(teamId),
    rotate: async () => {
      const { teamId: _team, ...made } = await control.key({ issuerId: teamId });
      return made;
    },
    done: async () => {
      const { uploadsCreated: uploads, submissions } = (await control.state(appId)).counters;
      return { uploads, submissions };
    },
    received: async () =>
      (await control.state(appId)).versions
        .filter(({ versionString }) => versionString !== FIRST_AT_APPLE)
        .map(({ versionString }) => ({ version: versionString, sha256: null })),
    served: async () =>
      (await control.state(appId)).versions
        .filter(({ versionString, state }) => versionString !== FIRST_AT_APPLE && RELEASED.includes(state))
        .map(({ versionString }) => ({ version: versionString, sha256: null })),
    offered: async () => {
      const live = (await control.state(appId)).versions.find(({ state }) => state === 'READY_FOR_DISTRIBUTION');
      if (live === undefined) return null;
      const { versionString: version, phased } = live;
      const isForAll = phased === null || phased.state === 'COMPLETE';
      const days = Math.floor((Date.now() - Date.parse(phased?.startedAt ?? '')) / 86_400_000) + 1;
      return { version, percent: isForAll ? 100 : Math.min(99, (100 * days) / PHASED_DAYS) };
    },
  };
}

const OPENERS: Readonly<Record<StoreId, (url: string, guid: string) => Promise<TestStore>>> = {
  chrome,
  firefox,
  edge,
  safari,
};

/** The id by which the packages of an extension name themselves at Firefox. */
export const newGuid = (): string => `${randomUUID()}@author.example`;

/** A new account with a new item, whose reviews pass at once. @param url of the sandbox */
export const testStoreAt = (store: StoreId, url: string, guid = newGuid()): Promise<TestStore> =>
  OPENERS[store](url, guid);

/** The calls of a version's way, by the stand-ins' names for them, as they come by. */
export const CALLS = {
  chrome: {
    fetchStatus: /^GET .*:fetchStatus$/,
    upload: /^POST .*:upload$/,
    publish: /^POST .*:publish$/,
    withdraw: /^POST .*:cancelSubmission$/,
  },
  firefox: {
    addon: /^GET .*\/addon\/[^/]+\/$/,
    versions: /^GET .*\/versions\/\?/,
    version: /^GET .*\/versions\/[^/?]+\/$/,
    upload: /^POST .*\/addons\/upload\/$/,
    uploadStatus: /^GET .*\/addons\/upload\/[^/]+\/$/,
    createVersion: /^POST .*\/versions\/$/,
  },
  edge: {
    upload: /^POST .*\/draft\/package$/,
    uploadStatus: /^GET .*\/draft\/package\/operations\//,
    publish: /^POST .*\/submissions$/,
    publishStatus: /^GET .*\/submissions\/operations\//,
  },
  safari: {
    versions: /^GET \/v1\/apps\/[^/]+\/appStoreVersions/,
    builds: /^GET \/v1\/builds\?/,
    buildUploads: /^GET \/v1\/apps\/[^/]+\/buildUploads/,
    createUpload: /^POST \/v1\/buildUploads$/,
    createFile: /^POST \/v1\/buildUploadFiles$/,
    finishFile: /^PATCH \/v1\/buildUploadFiles\//,
    buildUpload: /^GET \/v1\/buildUploads\//,
    answerEncryption: /^PATCH \/v1\/builds\//,
    createVersion: /^POST \/v1\/appStoreVersions$/,
    attachBuild: /^PATCH .*\/relationships\/build$/,
    localizations: /^GET .*\/appStoreVersionLocalizations\?/,
    updateWhatsNew: /^PATCH \/v1\/appStoreVersionLocalizations\//,
    reviews: /^GET \/v1\/reviewSubmissions\?/,
    createReview: /^POST \/v1\/reviewSubmissions$/,
    addToReview: /^POST \/v1\/reviewSubmissionItems$/,
    submit: /^PATCH \/v1\/reviewSubmissions\//,
    // The same resource, told another thing.
    withdraw: /^PATCH \/v1\/reviewSubmissions\//,
    release: /^POST \/v1\/appStoreVersionReleaseRequests$/,
  },
} as const satisfies Readonly<Record<StoreId, Readonly<Record<string, RegExp>>>>;

/** What tells such a call about a store from all others. */
export const callOf = (testStore: TestStore, call: string): ((request: Passing) => boolean) => {
  const pattern = (CALLS[testStore.store] as Readonly<Record<string, RegExp>>)[call];
  if (pattern === undefined) throw new Error(`${testStore.store} has no call ${call}`);
  return (request) => pattern.test(`${request.method ?? ''} ${request.url ?? ''}`) && testStore.isCaller(request);
};
