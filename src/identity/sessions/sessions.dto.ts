import { ApiProperty } from '@nestjs/swagger';

/** A log-in of a user in one browser, or of one program. */
export class ActiveSession {
  @ApiProperty({ format: 'uuid', description: 'Id of the session.' })
  id!: string;

  @ApiProperty({ description: 'Whether it is the session that asks.' })
  current!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'How the program that logged in names itself; null for a browser.',
  })
  name!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Browser and system at the last use; null when unknown.',
    example: 'Firefox 130 on Linux',
  })
  device!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Country at the last use, as ISO 3166 has it; null when unknown.',
    example: 'CH',
  })
  country!: string | null;

  @ApiProperty({ type: String, format: 'date-time', description: 'When the user logged in.' })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time', description: 'Accurate to the minute.' })
  lastSeenAt!: Date;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it ends unless it is used again.' })
  expiresAt!: Date;
}
