import { ApiProperty } from '@nestjs/swagger';
import { Equals } from 'class-validator';
import { PROCESSOR_IDS, type ProcessorId } from '../../common/config/index.js';
import {
  ChoiceField,
  IdField,
  IntField,
  NULLABLE_TEXT,
  PageQuery,
  PatternField,
  TextField,
} from '../../common/fields/index.js';
import { DURATION } from './term.js';
import { EntitlementsField, METADATA, MetadataField } from './entitlements.js';
import { UNITS, type Unit } from './license-plan.entity.js';

const MAX_TIER = 32;

const DURATION_ABOUT =
  'How long a license lasts that is issued by hand without an end, or sold once: from its sale, in ISO 8601; null for ever. A subscription lasts as long as it is paid.';

/** Of a plan. */
export const MAX_SEATS = 100;
/** Of one license: a quantity multiplies what the plan allows. */
export const MAX_LICENSE_SEATS = 1_000_000;
export const DEFAULT_SEATS = 3;
export const MAX_PRODUCTS = 100;

/** A plan to create. */
export class CreatePlan {
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

  @EntitlementsField('Features that every license of the plan unlocks.')
  entitlements?: string[];

  @MetadataField()
  metadata?: Record<string, string>;

  @PatternField({
    description: `${DURATION_ABOUT} Default: null.`,
    pattern: DURATION,
    message: 'must be a number of days, months or years in ISO 8601, such as P30D, P6M or P1Y.',
    optional: true,
    nullable: true,
    example: 'P1Y',
  })
  duration?: string | null;
}

/** Changes to a plan; absent fields stay as they are. */
export class UpdatePlan {
  @IntField({
    description: 'Maximum number of devices per license. Devices that hold a seat keep it.',
    min: 1,
    max: MAX_SEATS,
    optional: true,
  })
  maxActivations?: number;

  @EntitlementsField('Features that every license of the plan unlocks, from a device’s next check on.')
  entitlements?: string[];

  @MetadataField()
  metadata?: Record<string, string>;

  @PatternField({
    description: `${DURATION_ABOUT} Licenses that exist keep their end.`,
    pattern: DURATION,
    message: 'must be a number of days, months or years in ISO 8601, such as P30D, P6M or P1Y.',
    optional: true,
    nullable: true,
    example: 'P1Y',
  })
  duration?: string | null;

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

  @ApiProperty({ description: 'Features that every license of the plan unlocks.', example: ['sync'] })
  entitlements!: string[];

  @ApiProperty(METADATA)
  metadata!: Record<string, string>;

  @ApiProperty({ ...NULLABLE_TEXT, description: DURATION_ABOUT, example: 'P1Y' })
  duration!: string | null;

  @ApiProperty({ type: [PlanProduct], description: 'The products that payment processors sell as this plan.' })
  products!: PlanProduct[];

  @ApiProperty({ description: 'When it was created.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it last changed.' })
  updatedAt!: Date;
}
