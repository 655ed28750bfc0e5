import { SafariCredentials } from './safari/safari.credentials.js';
import { Store, type Capabilities, type CredentialShape, type StoreId } from './store.js';
import { StoreFailure } from './store-failure.js';

const CANNOT: Capabilities = {
  requiresArtifact: true,
  canReadLive: false,
  canReadInReview: false,
  canCancel: false,
  supersedesPending: false,
  sharedDraft: true,
  stagedRelease: false,
  percentRollout: false,
  releaseNotes: false,
  sourceUpload: false,
  skipReview: false,
  rollback: false,
  releasesPerPlatform: false,
  channels: [],
  platforms: ['desktop'],
  defaultPlatforms: ['desktop'],
  needsCrxId: false,
  maxPackageBytes: null,
  requiresManifestV3: false,
  needsGeckoId: false,
  callsPerMinute: 60,
};

/** A store whose targets can be kept already, while Pierhead cannot drive it yet. It says so to everyone who asks. */
export class AnnouncedStore<Credentials extends object> extends Store<Credentials> {
  override readonly isSupported = false;

  constructor(
    readonly id: StoreId,
    readonly title: string,
    readonly capabilities: Capabilities,
    readonly credentialShape: CredentialShape<Credentials>,
  ) {
    super();
  }

  override verify(): Promise<never> {
    return this.refuse();
  }

  override observe(): Promise<never> {
    return this.refuse();
  }

  override carryOut(): Promise<never> {
    return this.refuse();
  }

  private refuse(): Promise<never> {
    return Promise.reject(new StoreFailure('config', notSupportedYet(this)));
  }
}

/** What a tenant is told of a store that Pierhead cannot drive yet. */
export const notSupportedYet = ({ title }: Pick<Store, 'title'>): string => `Pierhead does not support ${title} yet.`;

/** The stores that come next, with what is known of them already (facts: stores 4.1). */
export const announcedStores = (): readonly Store[] => [
  new AnnouncedStore(
    'safari',
    'the App Store',
    { ...CANNOT, requiresArtifact: false, platforms: ['macos', 'ios'], defaultPlatforms: ['macos'], canCancel: true },
    {
      type: SafariCredentials,
      secretOf: ({ privateKey }) => privateKey.replace(/-----[^-]+-----|\s|\\n/g, ''),
      forms: [],
      lapsesAfterDays: null,
    },
  ),
];
