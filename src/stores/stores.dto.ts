import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { NULLABLE_INTEGER } from '../common/fields/index.js';
import { STORE_IDS, type Capabilities, type CredentialField, type KeyFile, type Store, type StoreId } from './store.js';
import type { GuideLink, GuideStep, ItemField } from './store-guide.js';

/** A file that a store lets a person download, and that contains a field of the credentials. */
class FileOfField implements KeyFile {
  @ApiProperty({
    description:
      "The file's usual name. `*` stands for anything, and the name of a field in braces for the value of that field.",
    example: 'AuthKey_{keyId}.p8',
  })
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The member of the JSON in the file that is the value; null where the whole file is.',
  })
  member!: string | null;
}

/** One field of a store's credentials. */
export class FieldOfCredentials implements CredentialField {
  @ApiProperty({ description: 'As in the request, with dots for nested fields.' })
  name!: string;

  @ApiProperty({ description: 'What the store calls it.' })
  title!: string;

  @ApiProperty({ description: 'Whether the field is a secret.' })
  isSecret!: boolean;

  @ApiProperty({ description: 'Whether the field is required in this form.' })
  isRequired!: boolean;

  @ApiProperty({ description: 'Where to find it.' })
  how!: string;

  @ApiProperty({
    type: FileOfField,
    required: false,
    description: 'The downloaded file that contains it; absent where it is copied from a page.',
  })
  file?: FileOfField;
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

/** One thing that a person does to connect a store. */
class ConnectionStep implements GuideStep {
  @ApiProperty({ type: 'integer', description: 'From 1.' })
  number!: number;

  @ApiProperty({ description: 'What to do, in a sentence or two.' })
  text!: string;

  @ApiProperty({ format: 'uri', description: 'The page where it is done.' })
  url!: string;
}

/** A page of the store. */
class StoreLink implements GuideLink {
  @ApiProperty({ description: 'What the page is.' })
  title!: string;

  @ApiProperty({ format: 'uri', description: 'Its address.' })
  url!: string;
}

/** One id of an item. */
class FieldOfItem implements Omit<ItemField, 'pattern'> {
  @ApiProperty({ enum: ['storeItemId', 'crxId'], description: 'As in `PATCH /targets/{targetId}`.' })
  name!: ItemField['name'];

  @ApiProperty({ description: 'What the store calls it.' })
  title!: string;

  @ApiProperty({ description: 'Where to find it.' })
  how!: string;

  @ApiProperty({ description: 'Whether a target cannot publish without it.' })
  isRequired!: boolean;

  @ApiProperty({ description: 'Regular expression of ECMAScript that the id matches.' })
  pattern!: string;
}

/** How an item is named. */
class ItemOfStore {
  @ApiProperty({ type: [FieldOfItem], description: 'Its ids.' })
  fields!: readonly FieldOfItem[];

  @ApiProperty({
    type: [String],
    description:
      "Regular expressions of ECMAScript for URLs of the item's listing and dashboard. The named groups are the ids in the URL, percent-encoded as there, or fields of the credentials. `slug` is the name in a listing at addons.mozilla.org, to which the author must add the add-on's id.",
  })
  urls!: readonly string[];
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

  @ApiProperty({ type: [ConnectionStep], description: 'What a person does there before the first push, in order.' })
  steps!: readonly ConnectionStep[];

  @ApiProperty({ type: [StoreLink], description: 'Pages of the store for authors.' })
  links!: readonly StoreLink[];

  @ApiProperty({ type: ItemOfStore, description: 'How its items are named.' })
  item!: ItemOfStore;
}

/** The stores. */
export class StoreList {
  @ApiProperty({ type: [StoreDescription], description: 'The stores.' })
  items!: readonly StoreDescription[];
}

/** What the stores can do and how they are connected, for people who choose one. */
export const toStoreList = (stores: readonly Store[]): StoreList => ({
  items: stores.map(({ id, title, capabilities, credentialShape: { forms, lapsesAfterDays }, guide }) => ({
    id,
    title,
    capabilities,
    credentials: { forms, lapsesAfterDays },
    steps: guide.steps.map((step, at) => ({ number: at + 1, ...step })),
    links: guide.links,
    item: {
      fields: guide.item.fields.map(({ pattern, ...field }) => ({ ...field, pattern: pattern.source })),
      urls: guide.item.urls.map(({ source }) => source),
    },
  })),
});
