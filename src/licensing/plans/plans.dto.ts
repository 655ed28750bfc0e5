import { ApiProperty } from '@nestjs/swagger';
import { Equals } from 'class-validator';
import { PROCESSOR_IDS, type ProcessorId } from '../../common/config/index.js';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IntField,
  NULLABLE_INTEGER,
  NULLABLE_TEXT,
  NumbersField,
  PageQuery,
  PatternField,
  TextField,
} from '../../common/fields/index.js';
import {
  DURATION,
  DURATION_STARTS,
  NOTICE_DAYS,
  ON_END,
  type DurationStart,
  type NoticeDays,
  type OnEnd,
} from './term.js';
import { EntitlementsField, METADATA, MetadataField } from './entitlements.js';
import { MaxMembersField, SeatsPerMemberField } from './team-fields.js';
import { UNITS, type Unit } from './license-plan.entity.js';

const MAX_TIER = 32;

const DURATION_ABOUT =
  'How long a license lasts that is issued by hand without an end, or sold once: in ISO 8601; null for ever. A subscription lasts as long as it is paid.';
const START_ABOUT = 'When the duration begins: at the `issue` or sale of the license, or at its first `activation`.';
const GRACE_ABOUT = 'Days that a license goes on after its end.';
const ON_END_ABOUT =
  'What the end of a license means. `expire`: it counts no more. `maintain`: it counts for versions that were released before, as its leases say.';
const LEEWAY_ABOUT =
  'Hours that a license of a subscription stays active after its paid end until its processor says whether it was renewed; null for the setting RENEWAL_LEEWAY_HOURS of this service.';
const NOTICES_ABOUT =
  'How many days before the end of a license its buyer gets a mail; not while a subscription is about to renew it.';
const WORDS_ABOUT = 'Your own words in these mails, such as where to renew; null for none.';

const MAX_GRACE_DAYS = 90;
const MAX_LEEWAY_HOURS = 720;
const MAX_NOTICE_TEXT = 1000;

const TRIAL_ABOUT =
  'How many days each device may use the plan without a license, once; null for no trial. One plan of an extension offers a trial.';
const TRIAL_EMAIL_ABOUT =
  'Whether a trial starts only once its user has confirmed an e-mail address, by a link that Pierhead mails. Once for each address.';
/** Of a plan. */
export const MAX_SEATS = 100;
export const DEFAULT_SEATS = 3;
export const MAX_PRODUCTS = 100;
/** Of a trial. */
export const MAX_TRIAL_DAYS = 365;

/** Terms about the end of a plan's licenses, which keep those under which they were issued. */
class EndTermsFields {
  @PatternField({
    description: DURATION_ABOUT,
    pattern: DURATION,
    message: 'must be a number of days, months or years in ISO 8601, such as P30D, P6M or P1Y.',
    optional: true,
    nullable: true,
    example: 'P1Y',
  })
  duration?: string | null;

  @ChoiceField({ description: START_ABOUT, of: DURATION_STARTS, optional: true })
  durationFrom?: DurationStart;

  @IntField({ description: GRACE_ABOUT, min: 0, max: MAX_GRACE_DAYS, optional: true })
  graceDays?: number;

  @ChoiceField({ description: ON_END_ABOUT, of: ON_END, optional: true })
  onEnd?: OnEnd;

  @IntField({ description: LEEWAY_ABOUT, min: 0, max: MAX_LEEWAY_HOURS, optional: true, nullable: true })
  renewalLeewayHours?: number | null;

  @NumbersField({ description: `${NOTICES_ABOUT} Default: none.`, of: NOTICE_DAYS, optional: true, example: [30, 7] })
  noticeDays?: NoticeDays[];

  @TextField({ description: WORDS_ABOUT, max: MAX_NOTICE_TEXT, optional: true, nullable: true })
  noticeText?: string | null;
}

/** All that a plan is made with and may change later, but for the number of devices and the features. */
class TermsFields extends EndTermsFields {
  @IntField({ description: TRIAL_ABOUT, min: 1, max: MAX_TRIAL_DAYS, optional: true, nullable: true })
  trialDays?: number | null;

  @BooleanField({ description: `${TRIAL_EMAIL_ABOUT} Default: false.`, optional: true })
  trialNeedsEmail?: boolean;
}

/** A plan to create. */
export class CreatePlan extends TermsFields {
  @IdField({ description: 'The extension that the plan sells.' })
  extensionId!: string;

  @TextField({
    description: 'The name that shipped extensions compare. Unique per extension, and never changed.',
    max: MAX_TIER,
    example: 'pro',
  })
  tier!: string;

  @IntField({
    description: `Maximum number of devices per license. Default: ${DEFAULT_SEATS}.`,
    min: 1,
    max: MAX_SEATS,
    optional: true,
  })
  maxActivations?: number;

  @MaxMembersField(
    'For a team: maximum number of people who join the buyer of a license; null for a license of one person. Default: null.',
    1,
    MAX_SEATS,
  )
  maxMembers?: number | null;

  @SeatsPerMemberField(
    'For a team: maximum number of devices of each of these people; null when all share the license’s. Default: null.',
    MAX_SEATS,
  )
  seatsPerMember?: number | null;

  @EntitlementsField('Features that every license of the plan unlocks.')
  entitlements?: string[];

  @MetadataField()
  metadata?: Record<string, string>;
}

/** Changes to a plan; absent fields stay as they are. Licenses that exist keep the terms about their end. */
export class UpdatePlan extends TermsFields {
  @IntField({
    description: 'Maximum number of devices per license. Devices that hold a seat keep it.',
    min: 1,
    max: MAX_SEATS,
    optional: true,
  })
  maxActivations?: number;

  @MaxMembersField(
    'Maximum number of people who join the buyer of a license; null for a license of one person. Who has joined stays.',
    1,
    MAX_SEATS,
  )
  maxMembers?: number | null;

  @SeatsPerMemberField(
    'Maximum number of devices of each of these people; null when all share the license’s. Devices that hold a seat keep it.',
    MAX_SEATS,
  )
  seatsPerMember?: number | null;

  @EntitlementsField('Features that every license of the plan unlocks, from a device’s next check on.')
  entitlements?: string[];

  @MetadataField()
  metadata?: Record<string, string>;

  // Declared only to refuse it with a better message than "unknown field"; absent from OpenAPI, because no client may send it.
  @Equals(undefined, {
    message: 'cannot be changed, because shipped extensions rely on it. Create another plan instead.',
  })
  tier?: undefined;
}

/** Filter of a list of plans. */
export class ListPlans extends PageQuery {
  @IdField({ description: 'Lists only plans of this extension.', optional: true })
  extension?: string;
}

/** A product of a payment processor. */
export class PlanProduct {
  @ChoiceField({ description: 'The payment processor.', of: PROCESSOR_IDS })
  processor!: ProcessorId;

  @TextField({
    description: "The processor's id of what is sold, such as a price, a product, a variant or a payment link.",
    max: 255,
    example: 'price_1QaExample',
  })
  productId!: string;

  @ChoiceField({
    description:
      'What a quantity above one buys. `seats`: one license for that many times the plan’s devices. `license`: that many licenses. Default: `seats`.',
    of: UNITS,
    optional: true,
  })
  perUnit?: Unit;

  @TextField({
    description:
      'The https address of the checkout, to which `GET /licensing/checkout` sends users of the extension: the payment or checkout link of your processor, or a page of yours that opens its checkout, as Paddle needs. Absent for none.',
    max: 1000,
    optional: true,
    example: 'https://buy.stripe.com/test_eVa5nPg1j1wmfXq5kr',
  })
  checkoutUrl?: string;
}

/** A license plan of an extension. */
export class Plan {
  @ApiProperty({ format: 'uuid', description: 'The plan’s id.' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'The extension.' })
  extensionId!: string;

  @ApiProperty({ description: 'The name that shipped extensions compare.', example: 'pro' })
  tier!: string;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_SEATS,
    description: 'Maximum number of devices per license.',
  })
  maxActivations!: number;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description:
      'Maximum number of people who join the buyer of a license; null for a license of one person. A quantity multiplies it as it does devices.',
  })
  maxMembers!: number | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Maximum number of devices of each of these people; null when all share the license’s.',
  })
  seatsPerMember!: number | null;

  @ApiProperty({ description: 'Features that every license of the plan unlocks.', example: ['sync'] })
  entitlements!: string[];

  @ApiProperty(METADATA)
  metadata!: Record<string, string>;

  @ApiProperty({ ...NULLABLE_TEXT, description: DURATION_ABOUT, example: 'P1Y' })
  duration!: string | null;

  @ApiProperty({ enum: DURATION_STARTS, description: START_ABOUT })
  durationFrom!: DurationStart;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_GRACE_DAYS, description: GRACE_ABOUT })
  graceDays!: number;

  @ApiProperty({ enum: ON_END, description: ON_END_ABOUT })
  onEnd!: OnEnd;

  @ApiProperty({ type: 'integer', nullable: true, minimum: 0, maximum: MAX_LEEWAY_HOURS, description: LEEWAY_ABOUT })
  renewalLeewayHours!: number | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer', enum: [...NOTICE_DAYS] },
    description: NOTICES_ABOUT,
    example: [30, 7],
  })
  noticeDays!: NoticeDays[];

  @ApiProperty({ ...NULLABLE_TEXT, description: WORDS_ABOUT, example: 'Renew with 20 % off at https://example.com.' })
  noticeText!: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: MAX_TRIAL_DAYS,
    description: TRIAL_ABOUT,
    example: 14,
  })
  trialDays!: number | null;

  @ApiProperty({ description: TRIAL_EMAIL_ABOUT })
  trialNeedsEmail!: boolean;

  @ApiProperty({ type: [PlanProduct], description: 'The products that payment processors sell as this plan.' })
  products!: PlanProduct[];

  @ApiProperty({ description: 'When it was created.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it last changed.' })
  updatedAt!: Date;
}
