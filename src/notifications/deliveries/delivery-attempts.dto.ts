import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE, NULLABLE_INTEGER, NULLABLE_TEXT } from '../../common/fields/index.js';

/** The HTTP request of an attempt. */
export class AttemptRequest {
  @ApiProperty({
    description: 'The URL that was called; its host alone for a caller who cannot change endpoints.',
    example: 'https://hooks.example.com/pierhead',
  })
  url!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Its headers, but for the signature.',
    example: { 'content-type': 'application/json', 'webhook-id': EXAMPLE.id },
  })
  headers!: Readonly<Record<string, string>>;

  @ApiProperty({
    description: 'Its body; the address of a buyer who was erased meanwhile is left out.',
    example: '{"type":"live","timestamp":"2026-11-22T09:30:00.000Z","data":{}}',
  })
  body!: string;
}

/** One attempt to deliver a notification. */
export class DeliveryAttempt {
  @ApiProperty({ format: 'uuid', description: 'Id of the attempt.' })
  id!: string;

  @ApiProperty({ description: 'When it began.' })
  triedAt!: Date;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Milliseconds until the answer or the failure; null for mail.' })
  durationMs!: number | null;

  @ApiProperty({ type: AttemptRequest, nullable: true, description: 'What was sent; null for mail.' })
  request!: AttemptRequest | null;

  @ApiProperty({ ...NULLABLE_INTEGER, description: "The receiver's answer: its HTTP or SMTP status; null for none." })
  status!: number | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Why it failed, as `lastError` of the delivery; null when it did not.',
  })
  error!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description:
      'The first 2,048 characters that the receiver answered, without what looks like a secret; null for mail, for an empty answer, and where the operator lets webhooks call private addresses.',
    example: 'Signature does not match.',
  })
  answer!: string | null;
}

/** The last attempts of a delivery. */
export class DeliveryAttemptList {
  @ApiProperty({ type: [DeliveryAttempt], description: 'At most 50, newest first; each is kept for 14 days.' })
  items!: readonly DeliveryAttempt[];
}
