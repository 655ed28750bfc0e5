import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { NULLABLE_INTEGER } from '../common/fields/index.js';
import { STORE_METRICS, USER_DIMENSIONS, type StoreMetric, type UserDimension } from './figures.js';
import type { VersionRule } from './version.js';

/** Capabilities of a store's API. The engine reads these and never branches on a store's id. */
@ApiSchema({ name: 'StoreCapabilities' })
export class Capabilities implements VersionRule {
  @ApiProperty({ description: 'Pierhead uploads the package; false where builds reach the store in another way.' })
  readonly requiresArtifact!: boolean;

  @ApiProperty({
    description:
      'Takes an app for each platform as a signed package (.pkg or .ipa), which Pierhead uploads where one was pushed.',
  })
  readonly appPackages!: boolean;

  @ApiProperty({ description: 'The live version can be read.' })
  readonly canReadLive!: boolean;

  @ApiProperty({ description: 'The version in review can be read.' })
  readonly canReadInReview!: boolean;

  @ApiProperty({ description: 'A submission in review can be withdrawn.' })
  readonly canCancel!: boolean;

  @ApiProperty({ description: 'A newer submission replaces the one in review.' })
  readonly supersedesPending!: boolean;

  @ApiProperty({
    description: 'Uploads share one draft, which cannot be read and which anyone with access to the item may replace.',
  })
  readonly sharedDraft!: boolean;

  @ApiProperty({ description: 'An approved version can wait until it is released.' })
  readonly stagedRelease!: boolean;

  @ApiProperty({ description: 'A version can be offered to a share of users, which can be raised but not lowered.' })
  readonly percentRollout!: boolean;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description:
      'It raises the share of items with more weekly users than this alone; null where the number does not matter.',
  })
  readonly rolloutAboveUsers!: number | null;

  @ApiProperty({ description: 'The store raises the share of users on a fixed curve; the only other choice is 100 %.' })
  readonly widensByItself!: boolean;

  @ApiProperty({ description: 'Takes release notes with a version.' })
  readonly releaseNotes!: boolean;

  @ApiProperty({ description: 'Refuses an update without release notes.' })
  readonly releaseNotesRequired!: boolean;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Most characters of its release notes in one language; null where it takes none.',
  })
  readonly releaseNotesMaxLength!: number | null;

  @ApiProperty({
    type: [String],
    description: 'Locales in which it takes release notes.',
    example: ['en-US', 'de'],
  })
  readonly releaseNotesLocales!: readonly string[];

  @ApiProperty({ description: 'Takes notes for its reviewers with a version.' })
  readonly reviewerNotes!: boolean;

  @ApiProperty({ description: 'Takes the source code of a package whose code was built.' })
  readonly sourceUpload!: boolean;

  @ApiProperty({ description: 'Publishes some changes without a review on request.' })
  readonly skipReview!: boolean;

  @ApiProperty({
    description:
      'Asks about each build whether its encryption is exempt from export rules; only the author can answer.',
  })
  readonly exportCompliance!: boolean;

  @ApiProperty({ description: "Builds a version itself, from a tag in the author's repository (Xcode Cloud)." })
  readonly cloudBuilds!: boolean;

  @ApiProperty({ description: 'Can publish an older version again without a review, under a new and higher number.' })
  readonly rollback!: boolean;

  @ApiProperty({ description: 'Takes a version that it rejected once more, unchanged and under the same number.' })
  readonly resubmission!: boolean;

  @ApiProperty({ description: 'Each platform has its own versions and is driven separately.' })
  readonly releasesPerPlatform!: boolean;

  @ApiProperty({ description: 'An item can be set to take only packages signed with a key of its author.' })
  readonly signedPackages!: boolean;

  @ApiProperty({
    type: [String],
    description: "Values of a target's channel, the default first; none where the store has only one.",
    example: ['listed'],
  })
  readonly channels!: readonly string[];

  @ApiProperty({ type: [String], description: "Values of a target's platforms.", example: ['desktop'] })
  readonly platforms!: readonly string[];

  @ApiProperty({ type: [String], description: 'The platforms of a new target.', example: ['desktop'] })
  readonly defaultPlatforms!: readonly string[];

  @ApiProperty({ description: 'The public listing has another id (crxId) than the API uses.' })
  readonly needsCrxId!: boolean;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Largest package in bytes; null where the store documents none.' })
  readonly maxPackageBytes!: number | null;

  @ApiProperty({ type: 'integer', description: 'How many numbers a version may have; zeros at its end do not count.' })
  readonly mostVersionNumbers!: number;

  @ApiProperty({ type: 'integer', description: 'The largest number that a version may contain.' })
  readonly largestVersionNumber!: number;

  @ApiProperty({ description: 'A version of only zeros, such as 0.0.0, is refused.' })
  readonly refusesVersionZero!: boolean;

  @ApiProperty({ description: "The manifest must contain the extension's id at this store." })
  readonly needsGeckoId!: boolean;

  @ApiProperty({
    enum: STORE_METRICS,
    isArray: true,
    description: 'What the store counts and Pierhead reads; none where its API tells nothing.',
    example: ['users', 'rating'],
  })
  readonly figures!: readonly StoreMetric[];

  @ApiProperty({
    enum: USER_DIMENSIONS,
    isArray: true,
    description: 'What it divides its users by.',
    example: ['version'],
  })
  readonly figuresBy!: readonly UserDimension[];

  @ApiProperty({
    description: 'It tells the figures of past days; otherwise only those of the day on which Pierhead asks.',
  })
  readonly figuresOfPast!: boolean;

  @ApiProperty({ description: 'Its ratings are by country, and a target names the storefront whose ratings are read.' })
  readonly storefronts!: boolean;

  @ApiProperty({ description: 'It tells what users wrote about an item, and Pierhead reads it.' })
  readonly reviews!: boolean;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Most characters of an answer to a review; null where the API takes no answer.',
  })
  readonly reviewAnswerMaxLength!: number | null;

  @ApiProperty({
    description: 'It announces changes, so that Pierhead asks it at once; it is asked at intervals all the same.',
  })
  readonly announcements!: boolean;

  @ApiProperty({ description: 'The file that users get can be read, and compared with the package that was sent.' })
  readonly servedFile!: boolean;

  @ApiProperty({
    type: 'integer',
    description: 'Calls per minute and credential; Pierhead waits rather than exceed it.',
  })
  readonly callsPerMinute!: number;
}
