import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { NULLABLE_INTEGER } from '../common/fields/index.js';
import { STORE_IDS, type Capabilities, type CredentialField, type Store, type StoreId } from './store.js';

/** One field of a store's credentials. */
export class FieldOfCredentials implements CredentialField {
  @ApiProperty({ description: 'As in the request, with dots for nested fields.' })
  name!: string;

  @ApiProperty({ description: 'Whether the field is a secret.' })
  isSecret!: boolean;

  @ApiProperty({ description: 'Whether the field is required in this form.' })
  isRequired!: boolean;

  @ApiProperty({ description: 'Where to find it.' })
  how!: string;
}

/** The forms of a store's credentials. */
class CredentialForms {
  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { $ref: getSchemaPath(FieldOfCredentials) } },
    description: 'The fields of each form that the store takes, the recommended form first.',
  })
  forms!: readonly (readonly FieldOfCredentials[])[];

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Days after which the credentials expire; null where they do not.' })
  lapsesAfterDays!: number | null;
}

/** What a store's API can do. */
class StoreCapabilities implements Capabilities {
  @ApiProperty({ description: 'Pierhead uploads the package; false where builds reach the store in another way.' })
  requiresArtifact!: boolean;

  @ApiProperty({ description: 'The live version can be read.' })
  canReadLive!: boolean;

  @ApiProperty({ description: 'The version in review can be read.' })
  canReadInReview!: boolean;

  @ApiProperty({ description: 'A submission in review can be withdrawn.' })
  canCancel!: boolean;

  @ApiProperty({ description: 'A newer submission replaces the one in review.' })
  supersedesPending!: boolean;

  @ApiProperty({ description: 'Uploads share one draft, which anyone with access to the item may replace.' })
  sharedDraft!: boolean;

  @ApiProperty({ description: 'An approved version can wait until it is released.' })
  stagedRelease!: boolean;

  @ApiProperty({ description: 'A version can be offered to a share of users.' })
  percentRollout!: boolean;

  @ApiProperty({ description: 'The store raises the share of users on a fixed curve; the only other choice is 100 %.' })
  widensByItself!: boolean;

  @ApiProperty({ description: 'Takes release notes with a version.' })
  releaseNotes!: boolean;

  @ApiProperty({ description: 'Takes notes for its reviewers with a version.' })
  reviewerNotes!: boolean;

  @ApiProperty({ description: 'Takes the source code of a package whose code was built.' })
  sourceUpload!: boolean;

  @ApiProperty({ description: 'Publishes some changes without a review on request.' })
  skipReview!: boolean;

  @ApiProperty({ description: 'Asks about each build whether its encryption is exempt from export rules.' })
  exportCompliance!: boolean;

  @ApiProperty({ description: 'Can publish an older version again without a review, under a new number.' })
  rollback!: boolean;

  @ApiProperty({ description: 'Each platform has its own versions.' })
  releasesPerPlatform!: boolean;

  @ApiProperty({ type: [String], description: "Values of a target's channel, the default first." })
  channels!: readonly string[];

  @ApiProperty({ type: [String], description: "Values of a target's platforms." })
  platforms!: readonly string[];

  @ApiProperty({ type: [String], description: 'The platforms of a new target.' })
  defaultPlatforms!: readonly string[];

  @ApiProperty({ description: 'The public listing has another id (crxId) than the API uses.' })
  needsCrxId!: boolean;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Bytes.' })
  maxPackageBytes!: number | null;

  @ApiProperty({ type: 'integer', description: 'The largest number that a version may contain.' })
  largestVersionNumber!: number;

  @ApiProperty({ description: 'A version of only zeros, such as 0.0.0, is refused.' })
  refusesVersionZero!: boolean;

  @ApiProperty({ description: 'New packages must use Manifest V3.' })
  requiresManifestV3!: boolean;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'The announced day on which support for Manifest V2 ends; null where none is announced.',
  })
  manifestV2EndsOn!: string | null;

  @ApiProperty({ description: "The manifest must contain the extension's id at this store." })
  needsGeckoId!: boolean;

  @ApiProperty({ description: 'The manifest must declare which data the extension collects.' })
  needsDataCollectionPermissions!: boolean;

  @ApiProperty({
    type: 'integer',
    description: 'Calls per minute and credential; Pierhead waits rather than exceed it.',
  })
  callsPerMinute!: number;
}

/** A store that Pierhead publishes to. */
class StoreDescription {
  @ApiProperty({ enum: STORE_IDS, description: 'Id of the store.' })
  id!: StoreId;

  @ApiProperty({ description: 'Its name.' })
  title!: string;

  @ApiProperty({ type: StoreCapabilities, description: "What the store's API can do." })
  capabilities!: StoreCapabilities;

  @ApiProperty({ type: CredentialForms, description: 'The credentials that it takes.' })
  credentials!: CredentialForms;
}

/** The stores. */
export class StoreList {
  @ApiProperty({ type: [StoreDescription], description: 'The stores.' })
  items!: readonly StoreDescription[];
}

/** What the stores can do, for people who choose one. */
export const toStoreList = (stores: readonly Store[]): StoreList => ({
  items: stores.map(({ id, title, capabilities, credentialShape: { forms, lapsesAfterDays } }) => ({
    id,
    title,
    capabilities,
    credentials: { forms, lapsesAfterDays },
  })),
});
