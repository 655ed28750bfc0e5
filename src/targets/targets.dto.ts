import { ApiProperty } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IntField,
  PatternField,
  TextField,
  TextsField,
} from '../common/fields/index.js';
import { ENCRYPTION_ANSWERS, STORE_IDS, type EncryptionAnswer, type StoreId } from '../stores/index.js';
import { NEEDED, PHASES, type Phase } from './phase.js';
import { ON_PENDING, RELEASE_MODES } from './target.entity.js';

const PLATFORMS_MAX = 8;

/** The settings of a target; each may be left out. */
export class UpdateTarget {
  @TextField({
    description:
      "The id that the store's API wants: Chrome item id, AMO GUID or slug, Edge product id, App Store app or bundle id. Null clears it.",
    max: 255,
    optional: true,
    nullable: true,
  })
  storeItemId?: string | null;

  @PatternField({
    description: 'The public id of 32 letters a to p, where it differs from the above (Edge). Null clears it.',
    pattern: /^[a-p]{32}$/,
    says: 'must be 32 letters from a to p.',
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
    description: 'Whether Pierhead publishes to this target; one target of an item at a time, over all extensions.',
    optional: true,
  })
  enabled?: boolean;

  @TextsField({
    description: 'Chrome and Edge: desktop; Firefox: desktop, android; Safari: macos, ios.',
    maxEntries: PLATFORMS_MAX,
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
      'auto: live as soon as the store approves it. manual: an approved version rests until POST .../release.',
    of: RELEASE_MODES,
    optional: true,
  })
  release?: (typeof RELEASE_MODES)[number];

  @IntField({
    description:
      'Share of users that a version is offered to, in percent; raising it widens the version that is live. Null: all.',
    min: 1,
    max: 100,
    optional: true,
    nullable: true,
  })
  rolloutPercent?: number | null;

  @TextField({
    description: 'What is new, for versions pushed without notes of their own. Null clears it.',
    max: 4000,
    optional: true,
    nullable: true,
  })
  releaseNotes?: string | null;

  @TextField({
    description:
      "What the store's reviewers are told, such as how to try the extension out: AMO's notes for reviewers, Edge's notes for certification. For versions pushed without reviewerNotes of their own. Null clears it.",
    max: 4000,
    optional: true,
    nullable: true,
  })
  reviewerNotes?: string | null;

  @BooleanField({
    description: 'Chrome: publish without a review what qualifies for it; what does not is reviewed.',
    optional: true,
  })
  skipReview?: boolean;

  @ChoiceField({
    description:
      'Safari: what Apple is told about the encryption in a build when it asks. exempt: none, or only what export rules exempt, such as HTTPS. nonExempt: other encryption. Null: nothing is declared, and the target needs a person when Apple asks.',
    of: ENCRYPTION_ANSWERS,
    optional: true,
    nullable: true,
  })
  encryption?: EncryptionAnswer | null;
}

/** A further place for an extension at a store, such as its unlisted channel or a second account's item. */
export class CreateTarget extends UpdateTarget {
  @ChoiceField({ description: 'The store.', of: STORE_IDS })
  store!: StoreId;
}

/** One platform of a target whose store keeps versions per platform. */
class PlatformStatus {
  @ApiProperty()
  platform!: string;

  @ApiProperty({ enum: PHASES })
  phase!: Phase;

  @ApiProperty({ type: String, nullable: true })
  liveVersion!: string | null;

  @ApiProperty({ type: String, nullable: true })
  submittedVersion!: string | null;

  @ApiProperty()
  message!: string;
}

class TargetStatus {
  @ApiProperty({ enum: PHASES })
  phase!: Phase;

  @ApiProperty({ type: String, nullable: true, description: 'The version that is pinned.' })
  desiredVersion!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The version that the store serves, as last seen; null when none is known.',
  })
  liveVersion!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The version that the store holds beyond the live one, as last seen.',
  })
  submittedVersion!: string | null;

  @ApiProperty({ description: 'Why it stands there, in one sentence or two.' })
  message!: string;

  @ApiProperty({ enum: NEEDED, isArray: true, description: 'What must be set before the store can be asked.' })
  missing!: readonly (typeof NEEDED)[number][];

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  checkedAt!: Date | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextCheckAt!: Date | null;

  @ApiProperty({ type: 'integer', description: 'Failures in a row.' })
  failures!: number;

  @ApiProperty({
    type: [PlatformStatus],
    description:
      'Each platform, where the store keeps versions per platform; the fields above are then the least advanced.',
  })
  platforms!: readonly PlatformStatus[];
}

/** Where an extension is to be published. */
export class Target {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  extensionId!: string;

  @ApiProperty({ enum: STORE_IDS })
  store!: StoreId;

  @ApiProperty({ type: String, nullable: true })
  storeItemId!: string | null;

  @ApiProperty({ type: String, nullable: true })
  crxId!: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  credentialId!: string | null;

  @ApiProperty()
  enabled!: boolean;

  @ApiProperty({ type: [String] })
  platforms!: readonly string[];

  @ApiProperty({ enum: ON_PENDING })
  onPending!: (typeof ON_PENDING)[number];

  @ApiProperty({ type: String, nullable: true })
  channel!: string | null;

  @ApiProperty({ enum: RELEASE_MODES })
  release!: (typeof RELEASE_MODES)[number];

  @ApiProperty({ type: 'integer', nullable: true })
  rolloutPercent!: number | null;

  @ApiProperty({ type: String, nullable: true })
  releaseNotes!: string | null;

  @ApiProperty({ type: String, nullable: true })
  reviewerNotes!: string | null;

  @ApiProperty()
  skipReview!: boolean;

  @ApiProperty({ type: String, enum: [...ENCRYPTION_ANSWERS, null], nullable: true })
  encryption!: EncryptionAnswer | null;

  @ApiProperty({ description: 'Nothing is done at the store until it is resumed; it is still looked at.' })
  paused!: boolean;

  @ApiProperty({ type: TargetStatus })
  status!: TargetStatus;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updatedAt!: Date;
}

/** The contract's own name for this list. */
export class TargetList {
  @ApiProperty({ type: [Target] })
  targets!: readonly Target[];
}
