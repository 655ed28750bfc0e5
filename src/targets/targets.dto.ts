import { ApiProperty } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IntField,
  NULLABLE_ID,
  NULLABLE_INTEGER,
  NULLABLE_TEXT,
  PatternField,
  TextField,
  TextsField,
} from '../common/fields/index.js';
import { ENCRYPTION_ANSWERS, STORE_IDS, type EncryptionAnswer, type StoreId } from '../stores/index.js';
import { DisplayView } from './status/display.dto.js';
import { Rollout } from './status/rollout.dto.js';
import { UsualReviewView } from './status/usual-review.dto.js';
import { TARGET_REQUESTS, type TargetRequest } from './status/phase.js';
import { TargetHealth, TargetStatusView } from './status/target-status.dto.js';
import { ON_PENDING, PREFLIGHT_MODES, RELEASE_MODES } from './target.entity.js';

const MAX_PLATFORMS = 8;

/** The settings of a target; all are optional. */
export class UpdateTarget {
  @TextField({
    description:
      "The id that the store's API expects: Chrome item id, AMO GUID or slug, Edge product id, App Store app or bundle id. Null clears it.",
    max: 255,
    optional: true,
    nullable: true,
  })
  storeItemId?: string | null;

  @PatternField({
    description: 'The public id of 32 letters from a to p, where it differs from storeItemId (Edge). Null clears it.',
    pattern: /^[a-p]{32}$/,
    message: 'must be 32 letters from a to p.',
    optional: true,
    nullable: true,
  })
  crxId?: string | null;

  @IdField({
    description: "One of the tenant's credentials for this store. Null clears it.",
    optional: true,
    nullable: true,
  })
  credentialId?: string | null;

  @BooleanField({
    description:
      'Whether Pierhead publishes to this target. Only one target of an item can be enabled, across all extensions.',
    optional: true,
  })
  enabled?: boolean;

  @TextsField({
    description: 'Chrome and Edge: desktop; Firefox: desktop, android; Safari: macos, ios.',
    maxEntries: MAX_PLATFORMS,
    optional: true,
  })
  platforms?: string[];

  @ChoiceField({
    description: 'What to do while another version is in review: wait for it, or withdraw and replace it.',
    of: ON_PENDING,
    optional: true,
  })
  onPending?: (typeof ON_PENDING)[number];

  @TextField({
    description: 'Firefox: listed, or unlisted for self-distribution. Other stores have no channels.',
    max: 20,
    optional: true,
  })
  channel?: string;

  @ChoiceField({
    description:
      'auto: a version goes live as soon as the store approves it. manual: an approved version waits for POST .../release.',
    of: RELEASE_MODES,
    optional: true,
  })
  release?: (typeof RELEASE_MODES)[number];

  @IntField({
    description:
      'The percentage of users that a version is offered to. Raising it widens the live version. Null: all users.',
    min: 1,
    max: 100,
    optional: true,
    nullable: true,
  })
  rolloutPercent?: number | null;

  @TextField({
    description: 'Release notes for versions pushed without their own. Null clears them.',
    max: 4000,
    optional: true,
    nullable: true,
  })
  releaseNotes?: string | null;

  @TextField({
    description:
      "Notes for the store's reviewers, such as how to try the extension: AMO's notes for reviewers, Edge's notes for certification. Used for versions pushed without their own reviewerNotes. Null clears them.",
    max: 4000,
    optional: true,
    nullable: true,
  })
  reviewerNotes?: string | null;

  @BooleanField({
    description: 'Chrome: publish versions that qualify without a review; others are reviewed.',
    optional: true,
  })
  skipReview?: boolean;

  @BooleanField({
    description:
      'Chrome: whether the item takes only packages signed with its author’s key (Verified CRX Uploads). Pierhead signs the zip with the target’s signing key, or sends a .crx that was pushed; without either the target needs a person. It turns this on by itself when the store refuses a zip for it.',
    optional: true,
  })
  signedUploads?: boolean;

  @BooleanField({
    description:
      'Whether an alarm is raised when the store serves what nobody pushed: another version, or at Firefox another file of the same version. Default true.',
    optional: true,
  })
  watched?: boolean;

  @BooleanField({
    description:
      'Chrome and Edge: whether the watch also downloads the file that users get, once a day and after each release, and compares its content with the package that was sent. Default false: see whether the store’s terms allow it.',
    optional: true,
  })
  fileWatched?: boolean;

  @ChoiceField({
    description:
      'hold: Pierhead holds a version that the store would refuse, as its findings show, until a package without them is pushed or a person overrides them. off: it is sent.',
    of: PREFLIGHT_MODES,
    optional: true,
  })
  preflight?: (typeof PREFLIGHT_MODES)[number];

  @ChoiceField({
    description:
      'Safari: the answer when Apple asks about encryption in a build. exempt: none, or only encryption that export rules exempt, such as HTTPS. nonExempt: other encryption. Null: no answer; the target needs a person when Apple asks.',
    of: ENCRYPTION_ANSWERS,
    optional: true,
    nullable: true,
  })
  encryption?: EncryptionAnswer | null;

  @PatternField({
    description:
      'Safari: id of the Xcode Cloud workflow (ciWorkflows of the App Store Connect API) that Pierhead starts for a version without a package and without a build. Null: none; the build comes from elsewhere.',
    pattern: /^[A-Za-z0-9-]{1,64}$/,
    message: 'must be the id of a workflow: letters, digits and hyphens.',
    optional: true,
    nullable: true,
  })
  xcodeCloudWorkflow?: string | null;

  @PatternField({
    description: 'Safari: the tag that Xcode Cloud builds; {version} stands for the version. Default v{version}.',
    pattern: /^[\w.+@/-]{0,80}\{version\}[\w.+@/-]{0,80}$/,
    message: 'must be the name of a tag with {version} once, such as v{version}: letters, digits and . _ + @ / -',
    optional: true,
  })
  xcodeCloudTag?: string;

  @PatternField({
    description:
      'Safari: the country whose App Store tells the ratings, since users rate an app there (ISO 3166-1 alpha-2, such as us, gb or de). Default us.',
    pattern: /^[a-z]{2}$/,
    message: 'must be the code of a country in two small letters, such as us or de.',
    optional: true,
  })
  storefront?: string;
}

/** An additional target at a store, such as the unlisted channel or an item of another account. */
export class CreateTarget extends UpdateTarget {
  @ChoiceField({ description: 'The store.', of: STORE_IDS })
  store!: StoreId;
}

/** Place and options of an extension's publishing. */
export class Target {
  @ApiProperty({ format: 'uuid', description: 'Id of the target.' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'Id of the extension.' })
  extensionId!: string;

  @ApiProperty({ enum: STORE_IDS, description: 'The store.' })
  store!: StoreId;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "The id that the store's API expects; null until it is set.",
    example: 'mbfmhplclkbnbppnbjccnfhpgipnabcd',
  })
  storeItemId!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The public id, where it differs from storeItemId (Edge); null for none.',
  })
  crxId!: string | null;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of the credential; null until one is chosen.' })
  credentialId!: string | null;

  @ApiProperty({ description: 'Whether Pierhead publishes to it.' })
  enabled!: boolean;

  @ApiProperty({ type: [String], description: 'The platforms to publish for.', example: ['desktop'] })
  platforms!: readonly string[];

  @ApiProperty({ enum: ON_PENDING, description: 'What to do with a version in review when a newer one is pinned.' })
  onPending!: (typeof ON_PENDING)[number];

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The channel at the store; null where it has none.' })
  channel!: string | null;

  @ApiProperty({
    enum: RELEASE_MODES,
    description: 'auto: an approved version goes live immediately; manual: it waits for a request.',
  })
  release!: (typeof RELEASE_MODES)[number];

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'The percentage of users that a version is offered to; null for all.',
  })
  rolloutPercent!: number | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Release notes for versions pushed without their own; null for none.',
    example: 'Counts tabs of all windows.',
  })
  releaseNotes!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Notes for reviewers of versions pushed without their own; null for none.',
    example: 'There is nothing to log in to; the toolbar button shows the number.',
  })
  reviewerNotes!: string | null;

  @ApiProperty({ description: 'Chrome: whether versions that qualify are published without a review.' })
  skipReview!: boolean;

  @ApiProperty({ description: 'Chrome: whether the item takes only packages signed with its author’s key.' })
  signedUploads!: boolean;

  @ApiProperty({ description: 'Whether an alarm is raised when the store serves what nobody pushed.' })
  watched!: boolean;

  @ApiProperty({ description: 'Chrome and Edge: whether the file that users get is compared with what was sent.' })
  fileWatched!: boolean;

  @ApiProperty({
    enum: PREFLIGHT_MODES,
    description: 'hold: Pierhead holds a version that the store would refuse. off: it is sent.',
  })
  preflight!: (typeof PREFLIGHT_MODES)[number];

  @ApiProperty({
    type: String,
    enum: [...ENCRYPTION_ANSWERS, null],
    nullable: true,
    description: 'Safari: the answer when Apple asks about encryption in a build; null for none.',
  })
  encryption!: EncryptionAnswer | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Safari: id of the Xcode Cloud workflow to start; null for none.' })
  xcodeCloudWorkflow!: string | null;

  @ApiProperty({ description: 'Safari: the tag that Xcode Cloud builds.', example: 'v{version}' })
  xcodeCloudTag!: string;

  @ApiProperty({ description: 'Safari: the country whose App Store tells the ratings.', example: 'us' })
  storefront!: string;

  @ApiProperty({ description: 'Whether the target is paused: Pierhead checks the store but changes nothing there.' })
  paused!: boolean;

  @ApiProperty({ type: TargetStatusView, description: 'What is known of it at the store.' })
  status!: TargetStatusView;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'The users that the store last counted; null when not known.',
    example: 48_000,
  })
  users!: number | null;

  @ApiProperty({
    type: UsualReviewView,
    nullable: true,
    description:
      'How long the store usually reviews this item, from its last 20 reviews, without cancelled ones; null before three of them. Where the store has versions per platform, a review ends with the first that is decided about.',
  })
  usualReview!: UsualReviewView | null;

  @ApiProperty({
    type: Rollout,
    nullable: true,
    description: 'The version that the store offers to a share of the users; null where it offers none so.',
  })
  rollout!: Rollout | null;

  @ApiProperty({ type: TargetHealth, description: 'Whether it gets on, apart from what its phase says.' })
  health!: TargetHealth;

  @ApiProperty({ type: DisplayView, description: 'How to show its state.' })
  display!: DisplayView;

  @ApiProperty({
    enum: TARGET_REQUESTS,
    isArray: true,
    description: 'Requests that it takes now: release the pinned version once approved, or submit it again.',
  })
  accepts!: readonly TargetRequest[];

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "Address of the item's public page; null where the store has none or the ids do not tell.",
    example: 'https://addons.mozilla.org/addon/tab-counter%40example.com/',
  })
  listing!: string | null;

  @ApiProperty({
    description: "Address of the item's page in the store's dashboard, as near as the ids lead.",
    example: 'https://addons.mozilla.org/developers/addon/tab-counter%40example.com/',
  })
  dashboard!: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The page there that asks for reasons of permissions, if it has one.' })
  privacyPage!: string | null;

  @ApiProperty({ description: 'When it was created.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it last changed.' })
  updatedAt!: Date;
}

/** The name of this list is part of the public contract. */
export class TargetList {
  @ApiProperty({ type: [Target], description: 'The targets.' })
  targets!: readonly Target[];
}
