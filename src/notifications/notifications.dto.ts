import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE, NULLABLE_ID, NULLABLE_TEXT, NULLABLE_VERSION } from '../common/fields/index.js';
import { DELIVERED_KINDS, type DeliveredKind } from './kinds.js';

/** A notification, as endpoints receive it. */
export class Notification {
  @ApiProperty({ format: 'uuid', description: 'Id of the notification, which webhooks receive as `webhook-id`.' })
  id!: string;

  @ApiProperty({ enum: DELIVERED_KINDS, description: 'What happened, for machines.' })
  kind!: DeliveredKind;

  @ApiProperty({ description: 'What happened, for people.', example: EXAMPLE.message })
  message!: string;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of the extension; null when the notification is about none.' })
  extensionId!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Name at the time of the notification.', example: 'Tab Counter' })
  extensionName!: string | null;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of the target; null when the notification is about none.' })
  targetId!: string | null;

  @ApiProperty({ ...NULLABLE_VERSION, description: 'The version; null when the notification is about none.' })
  version!: string | null;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of the credential; null when the notification is about none.' })
  credentialId!: string | null;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of the license; null when the notification is about none.' })
  licenseId!: string | null;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of the trial; null when the notification is about none.' })
  trialId!: string | null;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of the approval; null when the notification is about none.' })
  approvalId!: string | null;

  @ApiProperty({ description: 'Whether it is a test that looks like a notification of its kind, and about nothing.' })
  example!: boolean;

  @ApiProperty({ description: 'When it happened.' })
  at!: Date;
}
