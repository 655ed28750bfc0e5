import { ApiProperty } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  CredentialForms,
  EXAMPLE,
  IdField,
  NULLABLE_ID,
  NULLABLE_TEXT,
  PageQuery,
  TextField,
  TimeField,
} from '../common/fields/index.js';
import { PROCESSOR_IDS, REF_KINDS, type ProcessorId, type RefKind } from '../payments/index.js';
import { INBOX_STATUSES, OPEN_STATUSES, type InboxStatus } from './inbox/inbox-item.entity.js';

/** Whether a notification had an effect; one that waits for a plan or an e-mail address counts as handled. */
export const NOTIFICATION_OUTCOMES = ['handled', 'ignored'] as const;

const STATUS_DESCRIPTION =
  '`handled`: it took effect. `ignored`: it changes no license, or is from test mode. `unmapped`: it made no license until you do what the reason says. `waiting`: no e-mail address is known yet. `received`: it takes effect within seconds, because others of yours come first.';
const REASON_DESCRIPTION = 'The reason for the status, and what to do about it.';

/** The outcome of a notification. */
export class NotificationOutcome {
  @ApiProperty({
    enum: NOTIFICATION_OUTCOMES,
    description: 'What happened to the notification; for a duplicate, the outcome of the first delivery.',
  })
  outcome!: (typeof NOTIFICATION_OUTCOMES)[number];

  @ApiProperty({ enum: INBOX_STATUSES, description: STATUS_DESCRIPTION })
  status!: InboxStatus;

  @ApiProperty({ ...NULLABLE_TEXT, description: REASON_DESCRIPTION })
  reason!: string | null;
}

/** A tenant's options for replaying a notification. */
export class ReplayWish {
  @BooleanField({
    description: 'Also issues a license for a subscription that began before its processor was connected.',
    optional: true,
  })
  issue?: boolean;

  @IdField({ description: 'The plan of its purchase, instead of the one that lists the product.', optional: true })
  planId?: string;
}

/** Filter and options for replaying notifications without a license. */
export class ReplayInbox extends ReplayWish {
  @ChoiceField({ description: 'Their status; by default `unmapped`.', of: OPEN_STATUSES, optional: true })
  status?: (typeof OPEN_STATUSES)[number];

  @ChoiceField({ description: 'Only those of this processor.', of: PROCESSOR_IDS, optional: true })
  processor?: ProcessorId;

  @TextField({
    description: '`nextCursor` of the previous answer, to continue after its notifications.',
    max: 512,
    optional: true,
    example: EXAMPLE.id,
  })
  cursor?: string;
}

/** Filter of a list of payment notifications. */
export class ListInbox extends PageQuery {
  @ChoiceField({ description: 'Lists only notifications with this status.', of: INBOX_STATUSES, optional: true })
  status?: InboxStatus;

  @ChoiceField({ description: 'Lists only notifications of this processor.', of: PROCESSOR_IDS, optional: true })
  processor?: ProcessorId;

  @TimeField({ description: 'Lists only notifications received at this time or later.', optional: true })
  from?: string;

  @TimeField({
    description: 'Lists only notifications received before this time.',
    optional: true,
    example: '2026-11-23T00:00:00.000Z',
  })
  to?: string;
}

/** The last notification of a processor, or that a credential signed. */
class LastNotification {
  @ApiProperty({ description: "The processor's name of the event.", example: 'invoice.paid' })
  kind!: string;

  @ApiProperty({ enum: INBOX_STATUSES, description: 'The status of the notification.' })
  status!: InboxStatus;

  @ApiProperty({ description: 'When it was received.' })
  receivedAt!: Date;
}

/** A credential that verifies notifications. */
class SigningCredential {
  @ApiProperty({ format: 'uuid', description: 'Id of the credential.' })
  id!: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Its label.' })
  label!: string | null;

  @ApiProperty({
    type: LastNotification,
    nullable: true,
    description: 'The last notification that its secret signed; null before the first.',
  })
  last!: LastNotification | null;
}

/** An id of a purchase that people know, such as from a receipt or the processor's dashboard. */
class PurchaseIdOfProcessor {
  @ApiProperty({ enum: REF_KINDS, description: 'What it names.', example: 'subscription' })
  kind!: RefKind;

  @ApiProperty({
    description: 'Regular expression of ECMAScript that such ids match, in any case of letters.',
    example: '^sub_',
  })
  pattern!: string;
}

/** A processor's events, its credentials, and its last notification. */
class ProcessorSummary {
  @ApiProperty({ enum: PROCESSOR_IDS, description: 'The payment processor.' })
  processor!: ProcessorId;

  @ApiProperty({ description: "The processor's own name.", example: 'Stripe' })
  title!: string;

  @ApiProperty({
    type: [PurchaseIdOfProcessor],
    description: 'The ids of its purchases that people know. A license names one as `processor:kind:id` in `source`.',
  })
  purchaseIds!: readonly PurchaseIdOfProcessor[];

  @ApiProperty({
    type: [String],
    description: 'The events to enable for the webhook at the processor: all that can change a license.',
    example: ['invoice.paid', 'charge.refunded'],
  })
  events!: readonly string[];

  @ApiProperty({ type: CredentialForms, description: 'What a credential of it consists of.' })
  form!: CredentialForms;

  @ApiProperty({ type: LastNotification, nullable: true, description: 'The last notification; null before the first.' })
  last!: LastNotification | null;

  @ApiProperty({
    type: [SigningCredential],
    description: 'The credentials that verify its notifications, oldest first.',
  })
  credentials!: readonly SigningCredential[];
}

/** Setup of the tenant's payment notifications. */
export class WebhookSummary {
  @ApiProperty({
    format: 'uri',
    description:
      'The URL to enter at every processor. It does not have to stay secret, because each notification is signed.',
    example: 'https://pierhead.example/api/v1/licensing/webhooks/payment/01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d4',
  })
  webhookUrl!: string;

  @ApiProperty({ type: [ProcessorSummary], description: 'Every processor that Pierhead knows.' })
  processors!: readonly ProcessorSummary[];
}

/** A sum of money. */
export class PaidAmount {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'In the smallest unit of the currency.', example: 900 })
  value!: number;

  @ApiProperty({ description: 'The currency, by ISO 4217.', example: 'EUR' })
  currency!: string;
}

/** A notification as its tenant sees it, without its payload. */
export class InboxItem {
  @ApiProperty({ format: 'uuid', description: 'Id of the notification.' })
  id!: string;

  @ApiProperty({ enum: PROCESSOR_IDS, description: 'The payment processor.' })
  processor!: ProcessorId;

  @ApiProperty({ description: "The processor's name of the event.", example: 'checkout.session.completed' })
  kind!: string;

  @ApiProperty({ description: 'When it was received.' })
  receivedAt!: Date;

  @ApiProperty({ description: 'It is from the test mode of its processor.' })
  isTest!: boolean;

  @ApiProperty({ enum: INBOX_STATUSES, description: STATUS_DESCRIPTION })
  status!: InboxStatus;

  @ApiProperty({ ...NULLABLE_TEXT, description: REASON_DESCRIPTION })
  reason!: string | null;

  @ApiProperty({
    ...NULLABLE_ID,
    description: 'Id of its order, for `GET /orders/{id}`; null where nothing was bought.',
  })
  orderId!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "The buyer's e-mail address; null where it is not known, or the buyer was erased.",
    example: 'ann@example.com',
  })
  buyer!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "The processor's id of the purchase that the notification is about; null where it names none.",
    example: 'sub_1QXyZ2',
  })
  order!: string | null;

  @ApiProperty({
    type: PaidAmount,
    nullable: true,
    description: 'What was paid last for that purchase; null where the processor did not say.',
  })
  amount!: PaidAmount | null;
}

/** A product that has nothing to do with an extension. */
export class UnrelatedProduct {
  @ApiProperty({ format: 'uuid', description: 'Id of the mark.' })
  id!: string;

  @ApiProperty({ enum: PROCESSOR_IDS, description: 'The payment processor that sells it.' })
  processor!: ProcessorId;

  @ApiProperty({ description: "The processor's id of the product.", example: 'prod_QmBag1' })
  productId!: string;

  @ApiProperty({ description: 'When it was marked.' })
  markedAt!: Date;
}
