import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, NULLABLE_TEXT, PageQuery } from '../common/fields/index.js';
import { PROCESSOR_IDS, type ProcessorId } from '../payments/index.js';
import { INBOX_STATUSES, type InboxStatus } from './inbox/inbox-item.entity.js';

/** Whether a notification has an effect. One that waits for a plan or an e-mail address counts as handled. */
export const NOTIFICATION_OUTCOMES = ['handled', 'ignored'] as const;

/** The outcome of a notification. */
export class NotificationOutcome {
  @ApiProperty({ enum: NOTIFICATION_OUTCOMES, description: 'For a duplicate, the outcome of the first delivery.' })
  outcome!: (typeof NOTIFICATION_OUTCOMES)[number];
}

/** Which payment notifications a list shows. */
export class ListInbox extends PageQuery {
  @ChoiceField({ description: 'Only notifications with this status.', of: INBOX_STATUSES, optional: true })
  status?: InboxStatus;
}

/** A notification as its tenant sees it, without its payload. */
export class InboxItem {
  @ApiProperty({ format: 'uuid', description: 'Id of the notification.' })
  id!: string;

  @ApiProperty({ enum: PROCESSOR_IDS, description: 'The payment processor.' })
  processor!: ProcessorId;

  @ApiProperty({ description: "The processor's name of the event, such as `invoice.paid`." })
  kind!: string;

  @ApiProperty({ description: 'When it was received.' })
  receivedAt!: Date;

  @ApiProperty({ enum: INBOX_STATUSES, description: 'What became of it.' })
  status!: InboxStatus;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The reason for the status, and what to do about it.' })
  reason!: string | null;
}
