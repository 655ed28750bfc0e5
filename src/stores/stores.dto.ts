import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { STORE_IDS, type Capabilities, type CredentialField, type StoreId } from './store.js';

/** One field of a store's credentials. */
export class FieldOfCredentials implements CredentialField {
  @ApiProperty({ description: 'As in the request; nested ones with dots.' })
  name!: string;

  @ApiProperty()
  isSecret!: boolean;

  @ApiProperty()
  isRequired!: boolean;

  @ApiProperty({ description: 'Where to get it.' })
  how!: string;
}

class CredentialForms {
  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { $ref: getSchemaPath(FieldOfCredentials) } },
    description: 'The fields, in each form that the store takes; the recommended form first.',
  })
  forms!: readonly (readonly FieldOfCredentials[])[];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Days after which the store lets them lapse by itself.',
  })
  lapsesAfterDays!: number | null;
}

/** What a store's API can do. */
class StoreCapabilities implements Capabilities {
  @ApiProperty({ description: 'It wants a package; false where builds reach it by another way.' })
  requiresArtifact!: boolean;

  @ApiProperty()
  canReadLive!: boolean;

  @ApiProperty()
  canReadInReview!: boolean;

  @ApiProperty({ description: 'A submission in review can be withdrawn.' })
  canCancel!: boolean;

  @ApiProperty({ description: 'A newer submission replaces one in review by itself.' })
  supersedesPending!: boolean;

  @ApiProperty({ description: 'All uploads go into one draft that anyone with access may replace.' })
  sharedDraft!: boolean;

  @ApiProperty({ description: 'An approved version can rest until it is released.' })
  stagedRelease!: boolean;

  @ApiProperty()
  percentRollout!: boolean;

  @ApiProperty({ description: 'Raises the share of users by itself; only all of them at once can be asked for.' })
  widensByItself!: boolean;

  @ApiProperty()
  releaseNotes!: boolean;

  @ApiProperty({ description: 'Takes a text for its reviewers with a version.' })
  reviewerNotes!: boolean;

  @ApiProperty()
  sourceUpload!: boolean;

  @ApiProperty({ description: 'Can publish without a review what only changes rules that need none.' })
  skipReview!: boolean;

  @ApiProperty({ description: 'Asks whether the encryption in a build is exempt from export rules.' })
  exportCompliance!: boolean;

  @ApiProperty({ description: 'Can serve an older version again under a new number.' })
  rollback!: boolean;

  @ApiProperty({ description: 'Each platform has versions of its own.' })
  releasesPerPlatform!: boolean;

  @ApiProperty({ type: [String], description: "Values of a target's channel, the default first." })
  channels!: readonly string[];

  @ApiProperty({ type: [String] })
  platforms!: readonly string[];

  @ApiProperty({ type: [String] })
  defaultPlatforms!: readonly string[];

  @ApiProperty({ description: 'Its public listing goes by another id than its API.' })
  needsCrxId!: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Bytes.' })
  maxPackageBytes!: number | null;

  @ApiProperty({ type: 'integer', description: 'The largest number that a version may hold.' })
  largestVersionNumber!: number;

  @ApiProperty({ description: 'A version of zeros only is refused.' })
  refusesVersionZero!: boolean;

  @ApiProperty()
  requiresManifestV3!: boolean;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'The day by which Manifest V2 is no longer supported, where it still is and that day is announced.',
  })
  manifestV2EndsOn!: string | null;

  @ApiProperty()
  needsGeckoId!: boolean;

  @ApiProperty({ description: 'The manifest must say which data the extension collects.' })
  needsDataCollectionPermissions!: boolean;

  @ApiProperty({ type: 'integer' })
  callsPerMinute!: number;
}

/** A store that Pierhead publishes to. */
class StoreDescription {
  @ApiProperty({ enum: STORE_IDS })
  id!: StoreId;

  @ApiProperty()
  title!: string;

  @ApiProperty({ type: StoreCapabilities })
  capabilities!: StoreCapabilities;

  @ApiProperty({ type: CredentialForms })
  credentials!: CredentialForms;
}

export class StoreList {
  @ApiProperty({ type: [StoreDescription] })
  items!: readonly StoreDescription[];
}
