import { ApiProperty } from '@nestjs/swagger';
import { NULLABLE_TEXT } from '../../../common/fields/index.js';

/** A log-in of a user in one browser, or of one program. */
export class ActiveSession {
  @ApiProperty({ format: 'uuid', description: 'Id of the session.' })
  id!: string;

  @ApiProperty({ description: 'Whether it is the session of this request.' })
  current!: boolean;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Name that the program gave when it logged in; null for a browser.',
    example: 'pierhead on anns-laptop',
  })
  name!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Browser and system at the last use; null when unknown.',
    example: 'Firefox 130 on Linux',
  })
  device!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Country at the last use, as two letters (ISO 3166); null when unknown.',
    example: 'CH',
  })
  country!: string | null;

  @ApiProperty({ description: 'When the user logged in.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it was last used, to the minute.' })
  lastSeenAt!: Date;

  @ApiProperty({ description: 'When it expires unless it is used again.' })
  expiresAt!: Date;
}
