import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, PageQuery } from '../common/fields/index.js';
import { PROCESSOR_IDS, type ProcessorId } from '../payments/index.js';
import { INBOX_STATUSES, type InboxStatus } from './inbox-item.entity.js';

/** Whether a notification meant something; a purchase that waits for a plan or an address did. */
export const OUTCOMES = ['handled', 'ignored'] as const;

/** What became of a notification. */
export class Outcome {
  @ApiProperty({ enum: OUTCOMES, description: 'Of a duplicate: what became of the first.' })
  outcome!: (typeof OUTCOMES)[number];
}

export class ListInbox extends PageQuery {
  @ChoiceField({ description: 'Only those of this status.', of: INBOX_STATUSES, optional: true })
  status?: InboxStatus;
}

/** A notification as its tenant sees it; what it said is not shown. */
export class InboxItem {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: PROCESSOR_IDS })
  processor!: ProcessorId;

  @ApiProperty({ description: "The processor's word for what happened, such as `invoice.paid`." })
  kind!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  receivedAt!: Date;

  @ApiProperty({ enum: INBOX_STATUSES })
  status!: InboxStatus;

  @ApiProperty({ type: String, nullable: true, description: 'Why, and what to do about it.' })
  reason!: string | null;
}
