import { ApiProperty } from '@nestjs/swagger';
import {
  ChoiceField,
  EXAMPLE,
  IdField,
  NULLABLE_ID,
  NULLABLE_INTEGER,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  NULLABLE_VERSION,
  PageQuery,
} from '../../common/fields/index.js';
import { DELIVERED_KINDS, type DeliveredKind } from '../kinds.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery.entity.js';

/** Filter of a list of deliveries. */
export class NotificationDeliveryQuery extends PageQuery {
  @ChoiceField({ description: 'Only deliveries with this status.', of: DELIVERY_STATUSES, optional: true })
  status?: DeliveryStatus;

  @IdField({ description: 'Only deliveries to this endpoint.', optional: true })
  endpoint?: string;
}

/** A notification on its way to one endpoint. */
export class NotificationDelivery {
  @ApiProperty({ format: 'uuid', description: 'Id of the delivery.' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'Id of the endpoint.' })
  endpointId!: string;

  @ApiProperty({ format: 'uuid', description: 'Id of the notification.' })
  notificationId!: string;

  @ApiProperty({ enum: DELIVERED_KINDS, description: 'Kind of the notification.' })
  kind!: DeliveredKind;

  @ApiProperty({ description: 'What happened, for people.', example: EXAMPLE.message })
  message!: string;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of the extension; null when the notification is about none.' })
  extensionId!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "The extension's name at the time of the notification.",
    example: 'Tab Counter',
  })
  extensionName!: string | null;

  @ApiProperty({ ...NULLABLE_VERSION, description: 'The version; null when the notification is about none.' })
  version!: string | null;

  @ApiProperty({ enum: DELIVERY_STATUSES, description: 'Whether it was delivered.' })
  status!: DeliveryStatus;

  @ApiProperty({ type: 'integer', description: 'Number of attempts so far.' })
  attempts!: number;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When the last attempt began; null before the first.' })
  lastTriedAt!: Date | null;

  @ApiProperty({ ...NULLABLE_INTEGER, description: "The receiver's last answer: its HTTP or SMTP status." })
  lastStatus!: number | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description:
      'Why the last attempt failed: `refused` by the receiver, `timeout`, `network`, `refused_address` when the host is unknown or resolves to an address that Pierhead does not call, `sealed` when the secret cannot be decrypted, `switched_off` when the endpoint was disabled, or a code of the mail server.',
  })
  lastError!: string | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'Next attempt of a pending webhook; null for mail.' })
  nextTryAt!: Date | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When it was delivered; null until then.' })
  deliveredAt!: Date | null;

  @ApiProperty({ description: 'When it was created.' })
  createdAt!: Date;
}
