import { ApiProperty } from '@nestjs/swagger';
import { NULLABLE_INTEGER, NULLABLE_TEXT } from '../../common/fields/index.js';
import { DIMENSIONS, type Dimension } from '../dimensions.js';
import { Compared, ComparedDays } from './compared.dto.js';
import { Shares } from './shares.dto.js';

/** A property and its value. */
export class Filter {
  @ApiProperty({ enum: DIMENSIONS, description: 'The property.' })
  dimension!: Dimension;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Its value; null for unknown.', example: 'CH' })
  value!: string | null;
}

/** Installs with certain properties on a day, or in a week or month. */
export class SegmentDay {
  @ApiProperty({ format: 'date', description: 'The day, or the first day of the week or month within the range.' })
  date!: string;

  @ApiProperty({ type: 'integer', description: 'Their active installs; for a week or month, the mean of its days.' })
  active!: number;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Those that had not pinged in the 28 days before; null where several properties are asked for.',
  })
  new!: number | null;
}

/** The change of a part of the installs. */
export class SegmentChanges extends ComparedDays {
  @ApiProperty({
    type: Compared,
    nullable: true,
    description: 'New installs, as the sum of the days; null where several properties are asked for.',
  })
  new!: Compared | null;
}

/** The installs with certain properties. Each property is counted for good; their combinations while the pings are kept. */
export class Segment {
  @ApiProperty({ type: [Filter], description: 'The properties that all these installs have.' })
  filters!: readonly Filter[];

  @ApiProperty({
    format: 'date',
    description:
      'The first day of the range whose pings are kept, which are deleted after 35 days: `shares` begin there, and `days` too where there are several `filters`.',
  })
  pingsFrom!: string;

  @ApiProperty({
    description:
      'The part of all installs from which combinations are counted: 1, or less where there are very many. Numbers are for all installs, and exact where it is 1.',
    example: 1,
  })
  sample!: number;

  @ApiProperty({ type: [SegmentDay], description: 'Their figures of each day, week or month.' })
  days!: readonly SegmentDay[];

  @ApiProperty({
    type: [SegmentDay],
    description: 'As many days before the range; empty where their pings are needed and no longer kept.',
  })
  previous!: readonly SegmentDay[];

  @ApiProperty({
    type: SegmentChanges,
    description:
      'The range, as far as it is known, against the days before; `before` is null where `previous` is empty.',
  })
  changes!: SegmentChanges;

  @ApiProperty({ type: Shares, description: 'How they are distributed, from `pingsFrom` on.' })
  shares!: Shares;
}
