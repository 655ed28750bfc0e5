import { ApiProperty } from '@nestjs/swagger';
import { NULLABLE_INTEGER } from '../../common/fields/index.js';

/** A figure of some days, and of the same number of days before them. */
export class Compared {
  @ApiProperty({ type: 'integer', description: 'The figure.', example: 5204 })
  value!: number;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'The figure of the days before; null where it is not known.',
    example: 4648,
  })
  before!: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    example: 0.119621,
    description: 'The change as a share of `before`, such as 0.12 for 12 % more; null when `before` is 0 or null.',
  })
  change!: number | null;
}

/** The days that are compared: the final ones of the range, and those as many days earlier as the range has. */
export class ComparedDays {
  @ApiProperty({ format: 'date', description: 'The first day compared.' })
  from!: string;

  @ApiProperty({
    format: 'date',
    description:
      'The last day compared: the last final one, or the last of the range where none is final or the first installs came since.',
  })
  to!: string;

  @ApiProperty({ format: 'date', description: 'The first day of those before.' })
  beforeFrom!: string;

  @ApiProperty({ format: 'date', description: 'The last day of those before.' })
  beforeTo!: string;

  @ApiProperty({ type: Compared, description: 'Active installs, as the mean of the days since the first installs.' })
  active!: Compared;
}

/** The figures of the range against those of the days before it. */
export class Changes extends ComparedDays {
  @ApiProperty({ type: Compared, description: 'New installs, as the sum of the days.' })
  new!: Compared;

  @ApiProperty({ type: Compared, description: 'Installs that no longer count, as the sum of the days.' })
  lapsed!: Compared;

  @ApiProperty({ type: Compared, description: 'Distinct installs in the 7 days that end with the last day.' })
  unique7!: Compared;

  @ApiProperty({ type: Compared, description: 'Distinct installs in the 28 days that end with the last day.' })
  unique28!: Compared;
}
