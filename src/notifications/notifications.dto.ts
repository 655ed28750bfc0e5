import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, ChoiceField, ChoicesField, EmailField, TextField, PageQuery } from '../common/fields/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery.entity.js';
import { ENDPOINT_KINDS, type EndpointKind } from './endpoint.entity.js';
import { DELIVERED_KINDS, NOTIFICATION_KINDS, type DeliveredKind, type NotificationKind } from './kinds.js';

const URL_MAX = 2048;
const URL_RULES = 'https only, unless the service itself is reached on this machine alone; no redirect is followed.';

export class CreateNotificationEndpoint {
  @ChoiceField({ description: 'How to tell.', of: ENDPOINT_KINDS })
  kind!: EndpointKind;

  @TextField({ description: `Where a webhook goes: ${URL_RULES}`, max: URL_MAX, optional: true })
  url?: string;

  @EmailField({
    description: 'Where mail goes. It gets a link first; nothing else is sent before its owner has confirmed it.',
    optional: true,
  })
  address?: string;

  @ChoicesField({ description: 'What to tell; all of it when absent.', of: NOTIFICATION_KINDS, optional: true })
  events?: NotificationKind[];

  @BooleanField({ description: 'Whether it is told anything; true when absent.', optional: true })
  enabled?: boolean;
}

export class UpdateNotificationEndpoint {
  @TextField({ description: `Another URL, of a webhook: ${URL_RULES}`, max: URL_MAX, optional: true })
  url?: string;

  @EmailField({
    description:
      'Another address, of mail, which is to be confirmed. The same one gets a new link if it is not confirmed yet.',
    optional: true,
  })
  address?: string;

  @ChoicesField({ description: 'What to tell.', of: NOTIFICATION_KINDS, optional: true })
  events?: NotificationKind[];

  @BooleanField({ description: 'Switched off, it also gives up what still waits for it.', optional: true })
  enabled?: boolean;
}

/** Where a tenant is told: never a secret. */
export class NotificationEndpoint {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: ENDPOINT_KINDS })
  kind!: EndpointKind;

  @ApiProperty({ type: String, nullable: true, description: 'Of a webhook.' })
  url!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Of mail.' })
  address!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When the owner of the mailbox confirmed the address; until then nothing else is sent there. Null of a webhook.',
  })
  confirmedAt!: Date | null;

  @ApiProperty({ enum: NOTIFICATION_KINDS, isArray: true })
  events!: NotificationKind[];

  @ApiProperty()
  enabled!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why it was switched off by itself: `gone` when the receiver answered 410.',
  })
  disabledBecause!: 'gone' | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Until when the secret before the last rotation signs too.',
  })
  formerSecretUntil!: Date | null;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updatedAt!: Date;
}

/** An endpoint with its secret, which is shown this once. */
export class NotificationEndpointWithSecret extends NotificationEndpoint {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What a webhook is signed with (Standard Webhooks, `whsec_…`); null of mail. It is not shown again.',
  })
  secret!: string | null;
}

/** Something that happened, as it is told. */
export class Notification {
  @ApiProperty({ format: 'uuid', description: 'A webhook carries it as `webhook-id`.' })
  id!: string;

  @ApiProperty({ enum: DELIVERED_KINDS })
  kind!: DeliveredKind;

  @ApiProperty({ description: 'What happened, for people.' })
  message!: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  extensionId!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'As it was called then.' })
  extensionName!: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  targetId!: string | null;

  @ApiProperty({ type: String, nullable: true })
  version!: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  credentialId!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  at!: Date;
}

export class NotificationDeliveryQuery extends PageQuery {
  @ChoiceField({ description: 'Only those that stand so.', of: DELIVERY_STATUSES, optional: true })
  status?: DeliveryStatus;
}

/** A notification on its way to one endpoint. */
export class NotificationDelivery {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  endpointId!: string;

  @ApiProperty({ format: 'uuid' })
  notificationId!: string;

  @ApiProperty({ enum: DELIVERED_KINDS, description: 'Of the notification.' })
  kind!: DeliveredKind;

  @ApiProperty({ enum: DELIVERY_STATUSES })
  status!: DeliveryStatus;

  @ApiProperty({ type: 'integer' })
  attempts!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastTriedAt!: Date | null;

  @ApiProperty({ type: 'integer', nullable: true, description: "The receiver's last answer: its HTTP or SMTP status." })
  lastStatus!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Why the last attempt failed, as a code: `refused` by the receiver, `timeout`, `network`, `refused_address` when its name is unknown or leads to an address that may not be called, `switched_off`, or a code of the mail server.',
  })
  lastError!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Of a webhook that waits; null of mail.',
  })
  nextTryAt!: Date | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  deliveredAt!: Date | null;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: Date;
}
