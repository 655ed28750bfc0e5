import { ApiProperty } from '@nestjs/swagger';
import { NULLABLE_INTEGER, NULLABLE_TEXT, TextField } from '../../common/fields/index.js';

/** Maximum length of a device's fingerprint, in characters. */
export const MAX_FINGERPRINT = 512;

/** The device whose seat is to be freed. */
export class FreeSeat {
  @TextField({
    description: 'The fingerprint with which the device was activated.',
    max: MAX_FINGERPRINT,
    verbatim: true,
    example: 'b7f0c3a19d2e',
  })
  fingerprint!: string;
}

/** The seats of a license. */
export class Seats {
  @ApiProperty({ type: 'integer', description: 'Number of devices that hold a seat.' })
  used!: number;

  @ApiProperty({ type: 'integer', description: 'Maximum number of devices.' })
  max!: number;
}

/** A seat that is free. */
export class FreedSeat {
  @ApiProperty({ enum: [true], description: 'The device holds no seat. Also true when it held none before.' })
  released!: true;

  @ApiProperty({ type: Seats, description: 'The seats in use.' })
  seats!: Seats;
}

/** The people on a license besides its buyer. */
export class LicenseTeam {
  @ApiProperty({ type: 'integer', description: 'Number of people who were invited or have joined.' })
  members!: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Maximum of that number. When it falls below the people there are, all of them stay, and nobody else joins.',
  })
  maxMembers!: number;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Maximum number of devices of each; null when all share those of the license.',
  })
  seatsPerMember!: number | null;
}

/** A device that holds a seat. */
export class Device {
  @ApiProperty({ format: 'uuid', description: 'The id of the device’s seat.' })
  id!: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The label that the device gave itself.', example: "Ann's laptop" })
  label!: string | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The member whose code the device uses; null for the license’s own code.',
  })
  memberId!: string | null;

  @ApiProperty({ description: 'When the device got its seat.' })
  firstSeenAt!: Date;

  @ApiProperty({ description: 'When the device last checked, to the hour.' })
  lastSeenAt!: Date;
}
