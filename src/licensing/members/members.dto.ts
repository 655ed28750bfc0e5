import { ApiProperty } from '@nestjs/swagger';
import { EmailField, NULLABLE_TIME } from '../../common/fields/index.js';

/** A person to invite. */
export class InviteMember {
  @EmailField({ description: 'The address of the person. Their code is mailed to it.' })
  email!: string;
}

/** A person who uses a license besides its buyer. */
export class LicenseMember {
  @ApiProperty({ format: 'uuid', description: 'The member’s id.' })
  id!: string;

  @ApiProperty({ format: 'email', description: 'The member’s e-mail address, in lower case.' })
  email!: string;

  @ApiProperty({ description: 'The last five characters of the member’s own code.', example: '7K9QX' })
  codeHint!: string;

  @ApiProperty({ type: 'integer', description: 'Number of devices that hold a seat by the member’s code.' })
  devices!: number;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When the code first activated a device; null until then.' })
  joinedAt!: Date | null;

  @ApiProperty({ description: 'When the member was invited.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it last changed.' })
  updatedAt!: Date;
}

/** A link by which people join a license. */
export class TeamLink {
  @ApiProperty({
    format: 'uri',
    description:
      'The address of the link. No other answer contains it. A person who opens it enters an e-mail address, and Pierhead mails a code there.',
  })
  url!: string;

  @ApiProperty({ format: 'date-time', description: 'Until when people can join by it.' })
  expiresAt!: Date;
}
