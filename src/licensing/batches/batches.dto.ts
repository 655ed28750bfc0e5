import { ApiProperty, OmitType } from '@nestjs/swagger';
import {
  ChoiceField,
  EmailsField,
  EXAMPLE,
  IntField,
  NULLABLE_EMAIL,
  NULLABLE_TEXT,
  TimeField,
} from '../../common/fields/index.js';
import { IssueLicense } from '../licenses/index.js';
import { BATCH_DELIVERIES, MAX_BATCH, type BatchDelivery } from './batch-wish.js';

/** Licenses to issue together. All have the same terms. */
export class IssueBatch extends OmitType(IssueLicense, ['buyerEmail']) {
  @IntField({
    description: 'Number of licenses, of which nobody is the owner yet. Either this or `emails`.',
    min: 1,
    max: MAX_BATCH,
    optional: true,
    example: 500,
  })
  count?: number;

  @EmailsField({
    description: 'The e-mail addresses of the owners, a license for each. Either these or `count`.',
    maxEntries: MAX_BATCH,
    optional: true,
    example: ['ann@example.com', 'bob@example.com'],
  })
  emails?: string[];

  @ChoiceField({
    description:
      '`code`: the answer lists the codes. `mail`: Pierhead mails each owner their code, and the answer lists none. `gift`: the answer lists a link for each license, whose page shows the code once.',
    of: BATCH_DELIVERIES,
  })
  delivery!: BatchDelivery;

  @TimeField({
    description: 'For `gift`: until when the links work. Absent: as long as the license.',
    optional: true,
  })
  giftExpiresAt?: string;
}

/** A license of a batch. */
export class BatchLicense {
  @ApiProperty({ format: 'uuid', description: 'The license’s id.' })
  licenseId!: string;

  @ApiProperty({ ...NULLABLE_EMAIL, description: 'The owner’s e-mail address; null without an owner.' })
  buyerEmail!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description:
      'The full code; null when it is mailed or given by a link, and in the answer to a repeated request when it was replaced meanwhile.',
    example: EXAMPLE.licenseCode,
  })
  code!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The address of the gift link; null without one.',
    example: 'https://pierhead.example.com/gift/k3v9QwYb0tN2sXcE7mRfUa1hLzJp5DiGoV8TnMqWyBA',
  })
  giftUrl!: string | null;
}

/** Licenses that were issued together. */
export class LicenseBatch {
  @ApiProperty({ format: 'uuid', description: 'The batch’s id, as the audit log names it.' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'The plan.' })
  planId!: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The campaign; null without one.', example: 'spring' })
  campaign!: string | null;

  @ApiProperty({ enum: BATCH_DELIVERIES, description: 'Where the codes went.' })
  delivery!: BatchDelivery;

  @ApiProperty({ type: 'integer', description: 'Number of licenses that were issued.' })
  count!: number;

  @ApiProperty({ description: 'When they were issued.' })
  createdAt!: Date;

  @ApiProperty({
    type: [BatchLicense],
    description:
      'The licenses, in the order of `emails`. Codes and links are returned only here, and cannot be retrieved later.',
  })
  items!: BatchLicense[];
}
