import { ApiProperty, OmitType } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  EmailField,
  IdField,
  NULLABLE_TEXT,
  PageQuery,
  TimeField,
} from '../../common/fields/index.js';
import { LICENSE_STATUSES, type LicenseStatus } from '../../licensing/pure.js';
import { PROCESSOR_IDS, type ProcessorId } from '../../payments/index.js';
import { INBOX_STATUSES, type InboxStatus } from '../inbox/index.js';
import { ORIGINS, type Origin } from '../purchases/index.js';
import { PaidAmount } from '../webhooks.dto.js';
import { ORDER_PROBLEMS, ORDER_TURNS, type LicenseOfOrder, type OrderProblemKind, type Problem } from './order-view.js';

/** Filter of a list of orders. */
export class ListOrders extends PageQuery {
  @IdField({ description: 'Lists only orders that made a license of this extension.', optional: true })
  extension?: string;

  @ChoiceField({ description: 'Lists only orders at this processor.', of: PROCESSOR_IDS, optional: true })
  processor?: ProcessorId;

  @EmailField({ description: 'Lists only orders of the buyer with this e-mail address.', optional: true })
  buyer?: string;

  @ChoiceField({
    description: 'Lists only orders that have a problem, or only the others.',
    of: ['true', 'false'],
    optional: true,
  })
  needsAttention?: 'true' | 'false';

  @TimeField({ description: 'Lists only orders paid first at this time or later.', optional: true })
  from?: string;

  @TimeField({
    description: 'Lists only orders paid first before this time.',
    optional: true,
    example: '2026-11-23T00:00:00.000Z',
  })
  to?: string;
}

/** Filter of the orders to count. */
export class OrderSelection extends OmitType(ListOrders, ['limit', 'cursor']) {}

/** The plan of an order. */
export class AssignPlan {
  @IdField({ description: 'The plan whose licenses the order gets.' })
  planId!: string;

  @BooleanField({
    description:
      "Also adds the order's products that no plan lists to this plan, so that later sales of them need nothing.",
    optional: true,
  })
  remember?: boolean;
}

/** A license that an order made, continued or upgraded. */
class OrderLicense implements LicenseOfOrder {
  @ApiProperty({ format: 'uuid', description: 'Id of the license.' })
  id!: string;

  @ApiProperty({ description: 'The tier of its plan.', example: 'pro' })
  tier!: string;

  @ApiProperty({ format: 'uuid', description: 'Id of its plan.' })
  planId!: string;

  @ApiProperty({ format: 'uuid', description: 'Id of its extension.' })
  extensionId!: string;

  @ApiProperty({ enum: LICENSE_STATUSES, description: 'The status of the license.' })
  status!: LicenseStatus;

  @ApiProperty({ description: 'The last five characters of its code.', example: '7K9QX' })
  codeHint!: string;

  @ApiProperty({ description: 'It was sold in the test mode of its processor.' })
  isTest!: boolean;

  @ApiProperty({
    enum: ORIGINS,
    description:
      '`made`: the order made it. `returned`: the buyer had it already, and the order continues it. `upgraded`: the order names it, and upgraded it.',
  })
  origin!: Origin;

  @ApiProperty({
    type: Date,
    nullable: true,
    description: 'Since when another order pays for it, so that this one no longer changes it; null while it does.',
  })
  passedAt!: Date | null;
}

/** What is wrong with an order. */
class OrderProblem implements Problem {
  @ApiProperty({
    enum: ORDER_PROBLEMS,
    description:
      '`no_plan`: something in it has no plan. `no_license`: it makes no license for another reason, such as a subscription that began before Pierhead. `no_address`: nobody to send the code to is known yet.',
  })
  kind!: OrderProblemKind;

  @ApiProperty({ enum: ORDER_TURNS, description: 'Who acts next: you, or the processor.' })
  turn!: Problem['turn'];

  @ApiProperty({ description: 'Why, in a sentence or two.', example: 'No plan lists any of price_1, prod_1.' })
  message!: string;

  @ApiProperty({ description: 'What to do.', example: 'Choose the plan of the order.' })
  remedy!: string;
}

/** An event of an order, as its processor reported it. */
class OrderEvent {
  @ApiProperty({ format: 'uuid', description: 'Id of the notification in the inbox.' })
  id!: string;

  @ApiProperty({ description: "The processor's name of the event.", example: 'invoice.paid' })
  kind!: string;

  @ApiProperty({ description: "The processor's time of the event." })
  happenedAt!: Date;

  @ApiProperty({ description: 'When it was received.' })
  receivedAt!: Date;

  @ApiProperty({ enum: INBOX_STATUSES, description: 'What became of it, as in the inbox.' })
  status!: InboxStatus;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The reason for the status, and what to do about it.' })
  reason!: string | null;
}

/** An order: one purchase at a processor, with all its payments. */
export class Order {
  @ApiProperty({ format: 'uuid', description: 'Id of the order.' })
  id!: string;

  @ApiProperty({ enum: PROCESSOR_IDS, description: 'The payment processor.' })
  processor!: ProcessorId;

  @ApiProperty({ ...NULLABLE_TEXT, description: "The processor's id of it.", example: 'sub_1QXyZ2' })
  number!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    format: 'uri',
    description: "Your page of it in the processor's dashboard; null where the processor has no address for it.",
    example: 'https://dashboard.stripe.com/subscriptions/sub_1QXyZ2',
  })
  url!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "The buyer's e-mail address; null where it is not known, or the buyer was erased.",
    example: 'ann@example.com',
  })
  buyer!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "The buyer's name, where the processor says.",
    example: 'Ann Lee',
  })
  buyerName!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: "The buyer's country, where the processor says.", example: 'DE' })
  country!: string | null;

  @ApiProperty({
    type: PaidAmount,
    nullable: true,
    description: 'The last payment, tax included; null where the processor did not say.',
  })
  amount!: PaidAmount | null;

  @ApiProperty({
    type: PaidAmount,
    nullable: true,
    description: 'What was refunded of all its payments; null when nothing was.',
  })
  refunded!: PaidAmount | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "The processor's name of what was sold; null where it did not say.",
    example: 'Tab Counter Pro',
  })
  product!: string | null;

  @ApiProperty({ type: [String], description: "The processor's ids of what was sold.", example: ['prod_1'] })
  productIds!: readonly string[];

  @ApiProperty({ description: 'It is a subscription.' })
  isSubscription!: boolean;

  @ApiProperty({
    description: 'It is from the test mode of its processor: its licenses are marked, and it is in no sales figure.',
  })
  isTest!: boolean;

  @ApiProperty({ description: 'When it was paid first, or began without a payment.' })
  orderedAt!: Date;

  @ApiProperty({
    type: [OrderLicense],
    description: 'The licenses that it made, continued or upgraded, and that exist.',
  })
  licenses!: readonly OrderLicense[];

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Why it did not upgrade the license that it names; null when it did, or names none.',
    example: null,
  })
  notice!: string | null;

  @ApiProperty({ type: OrderProblem, nullable: true, description: 'What is wrong with it; null when nothing is.' })
  problem!: OrderProblem | null;
}

/** An order with its events. */
export class OrderDetails extends Order {
  @ApiProperty({ type: [OrderEvent], description: 'Its last 200 events, in the order in which they happened.' })
  events!: readonly OrderEvent[];
}
