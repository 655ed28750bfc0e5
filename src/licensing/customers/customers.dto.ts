import { ApiProperty, OmitType } from '@nestjs/swagger';
import { EmailField, NULLABLE_TEXT } from '../../common/fields/index.js';
import { DELIVERIES, type Delivery, Device } from '../licenses/index.js';

/** The address of a buyer. */
export class FindCustomer {
  @EmailField({ description: 'The e-mail address of the buyer.' })
  email!: string;
}

/** A device that holds a seat of one of the buyer's licenses. */
export class CustomerDevice extends OmitType(Device, ['memberId']) {
  @ApiProperty({ format: 'uuid', description: 'Id of the license.' })
  licenseId!: string;

  @ApiProperty({ description: 'The last five characters of its code.', example: '7K9QX' })
  codeHint!: string;
}

const KINDS = ['code', 'end'] as const;

/** A mail to the buyer about one of their licenses. */
export class CustomerMail {
  @ApiProperty({ format: 'uuid', description: 'Id of the mail.' })
  id!: string;

  @ApiProperty({
    enum: KINDS,
    description: '`code`: it is about the code of the license. `end`: it says that the license ends.',
  })
  kind!: (typeof KINDS)[number];

  @ApiProperty({ format: 'uuid', description: 'Id of the license.' })
  licenseId!: string;

  @ApiProperty({ description: 'The last five characters of its code.', example: '7K9QX' })
  codeHint!: string;

  @ApiProperty({
    enum: DELIVERIES,
    description: '`waiting`: to be handed over. `sent`: the mail server took it. `undelivered`: given up.',
  })
  state!: Delivery;

  @ApiProperty({ type: 'integer', description: 'Number of attempts.' })
  attempts!: number;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why the last attempt failed, as a code.', example: 'EENVELOPE' })
  lastError!: string | null;

  @ApiProperty({ description: 'When it was written.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When its state changed.' })
  updatedAt!: Date;
}

/** What belongs to the newest hundred licenses of a buyer. */
export class Customer {
  @ApiProperty({ description: 'The e-mail address of the buyer.', example: 'ann@example.com' })
  email!: string;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The name, as a payment processor told it with the newest order; null where none did.',
    example: 'Ann Lee',
  })
  name!: string | null;

  @ApiProperty({
    type: [CustomerDevice],
    description: 'Devices that hold a seat, the last seen first; at most a hundred.',
  })
  devices!: readonly CustomerDevice[];

  @ApiProperty({
    type: [CustomerMail],
    description:
      'Mails with the current codes and about the end of the licenses, the newest first; at most a hundred. A mail is kept for 30 days after it was sent.',
  })
  mails!: readonly CustomerMail[];
}
