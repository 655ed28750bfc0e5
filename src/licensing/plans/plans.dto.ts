import { ApiProperty } from '@nestjs/swagger';
import { Equals } from 'class-validator';
import { ChoiceField, IdField, IntField, TextField, PageQuery } from '../../common/fields/index.js';
import { UNITS, type Unit } from './plan.entity.js';

const TIER_MAX = 32;
export const MAX_SEATS = 100;
export const DEFAULT_SEATS = 3;
export const MAX_PRODUCTS = 100;

/** The payment processors whose products a plan may name. */
export const PROCESSOR_NAMES = ['stripe', 'paddle', 'lemonsqueezy', 'polar'] as const;

export class CreatePlan {
  @IdField({ description: "One of the tenant's extensions." })
  extensionId!: string;

  @TextField({ description: 'What shipped extensions ask for; once per extension, never changed.', max: TIER_MAX })
  tier!: string;

  @IntField({
    description: `Devices per license; ${DEFAULT_SEATS} when absent.`,
    min: 1,
    max: MAX_SEATS,
    optional: true,
  })
  maxActivations?: number;
}

export class UpdatePlan {
  @IntField({ description: 'Devices per license. Seats already taken stay.', min: 1, max: MAX_SEATS })
  maxActivations!: number;

  // Refused in words of its own, since "unknown" would be a lie; absent from OpenAPI, since nobody may send it.
  @Equals(undefined, { message: 'cannot be changed: shipped extensions rely on it. Make another plan instead.' })
  tier?: undefined;
}

export class ListPlans extends PageQuery {
  @IdField({ description: "Only those of this one of the tenant's extensions.", optional: true })
  extension?: string;
}

/** A thing that a payment processor sells. */
export class PlanProduct {
  @ChoiceField({ description: 'The payment processor.', of: PROCESSOR_NAMES })
  processor!: (typeof PROCESSOR_NAMES)[number];

  @TextField({
    description:
      'Stripe price, product or payment link; Paddle price or product; Lemon Squeezy variant or product; Polar product.',
    max: 255,
  })
  productId!: string;

  @ChoiceField({
    description:
      'What a quantity above one buys: `seats`, one license with so many times the devices of the plan, or `license`, so many licenses. `seats` when absent.',
    of: UNITS,
    optional: true,
  })
  perUnit?: Unit;
}

/** What a buyer gets of an extension. */
export class Plan {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  extensionId!: string;

  @ApiProperty()
  tier!: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_SEATS })
  maxActivations!: number;

  @ApiProperty({ type: [PlanProduct], description: 'What a payment of it comes from.' })
  products!: PlanProduct[];

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updatedAt!: Date;
}
