import { ApiProperty } from '@nestjs/swagger';
import type { Compared } from './figures.js';

/** A figure of a week, compared with that of the week before. */
export class WeekFigure implements Compared {
  @ApiProperty({ type: 'number', description: 'The figure of the week.', example: 312 })
  value!: number;

  @ApiProperty({ type: 'number', description: 'The figure of the week before.', example: 260 })
  before!: number;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'The difference as a share of the week before; null where that had none.',
    example: 0.2,
  })
  change!: number | null;
}

/** Sales of a week in one currency. */
export class WeekSales extends WeekFigure {
  @ApiProperty({ description: 'The currency, by ISO 4217.', example: 'EUR' })
  currency!: string;
}

/** Figures of the last seven whole UTC days, compared with the seven before. */
export class OverviewWeek {
  @ApiProperty({ format: 'date', description: 'First UTC day of the week.' })
  from!: string;

  @ApiProperty({ format: 'date', description: 'Last UTC day of the week, inclusive: yesterday.' })
  to!: string;

  @ApiProperty({
    type: WeekFigure,
    nullable: true,
    description: 'New installs by analytics; null without analytics, or without the scope analytics:read.',
  })
  installs!: WeekFigure | null;

  @ApiProperty({
    type: [WeekSales],
    nullable: true,
    description:
      'Sales and renewals less refunds and disputes, by currency, in its smallest unit; null for a token without licenses:read or restricted to extensions.',
  })
  sales!: readonly WeekSales[] | null;

  @ApiProperty({
    type: WeekFigure,
    nullable: true,
    description: 'Licenses that were issued, without imported and test ones; null as for sales.',
  })
  licenses!: WeekFigure | null;
}
