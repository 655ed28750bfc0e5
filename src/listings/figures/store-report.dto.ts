import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE, IdField, NULLABLE_TIME, NULLABLE_INTEGER, NULLABLE_TEXT } from '../../common/fields/index.js';
import { OverviewQuery } from '../../analytics/index.js';
import { STORE_IDS, STORE_METRICS, type StoreId, type StoreMetric } from '../../stores/index.js';

/** The extension and range of a report on what stores counted. */
export class StoreReportQuery extends OverviewQuery {
  @IdField({ description: 'Id of the extension.', example: EXAMPLE.id })
  extension!: string;
}

/** What a store counted on a day. */
export class StoreDay implements Record<StoreMetric, number | null> {
  @ApiProperty({ format: 'date', description: 'The UTC day.', example: '2026-11-20' })
  date!: string;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Users, in the sense of the store.', example: 48_120 })
  users!: number | null;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Users who have disabled the extension.', example: 310 })
  disabled!: number | null;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Installs of the day.', example: 402 })
  installs!: number | null;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Uninstalls of the day.', example: 117 })
  uninstalls!: number | null;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Downloads in the seven days before.', example: 1_930 })
  weeklyDownloads!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Mean of all ratings, from 1 to 5.', example: 4.6 })
  rating!: number | null;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'How many ratings there are in all.', example: 812 })
  ratings!: number | null;
}

/** Users of one version, country or language. */
export class StoreShare {
  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'As the store writes it; null for unknown, `other` for all that are not listed.',
    example: 'CH',
  })
  value!: string | null;

  @ApiProperty({ type: 'integer', description: 'Users, in the sense of the store.', example: 1_204 })
  users!: number;
}

/** Users of each version on a day. */
export class StoreVersionPoint {
  @ApiProperty({ format: 'date', description: 'The UTC day.' })
  date!: string;

  @ApiProperty({ type: 'array', items: { type: 'integer' }, description: 'Users, in the order of `versions`.' })
  users!: readonly number[];
}

/** How versions spread, by the count of a store. */
export class StoreVersions {
  @ApiProperty({ type: [String], description: 'At most 20 versions, then `other` for the rest.', example: ['1.4.0'] })
  versions!: readonly string[];

  @ApiProperty({ type: [StoreVersionPoint], description: 'The days of which the store told it, oldest first.' })
  points!: readonly StoreVersionPoint[];
}

/** What one store counted of an item. */
export class StoreReportEntry {
  @ApiProperty({ format: 'uuid', description: 'Id of the target.' })
  targetId!: string;

  @ApiProperty({ enum: STORE_IDS, description: 'The store.' })
  store!: StoreId;

  @ApiProperty({ ...NULLABLE_TEXT, description: "The store's channel; null where it has one only.", example: 'listed' })
  channel!: string | null;

  @ApiProperty({
    enum: STORE_METRICS,
    isArray: true,
    description: 'What the store tells by its API; none where it tells nothing.',
  })
  metrics!: readonly StoreMetric[];

  @ApiProperty({ ...NULLABLE_TIME, description: 'When the store last answered; null while it never has.' })
  readAt!: Date | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Why the last reading failed, or a part of it, in a sentence; null when it did not.',
    example: null,
  })
  failure!: string | null;

  @ApiProperty({ type: [StoreDay], description: 'Each day of the range; null where the store told no figure.' })
  days!: readonly StoreDay[];

  @ApiProperty({ type: StoreVersions, description: 'Users by version over time.' })
  versions!: StoreVersions;

  @ApiProperty({ type: [StoreShare], description: 'Users by country on the last day of which the store told it.' })
  countries!: readonly StoreShare[];

  @ApiProperty({ type: [StoreShare], description: 'Users by language on the last day of which the store told it.' })
  languages!: readonly StoreShare[];
}

/** What stores counted of an extension. Never mixed with the pings of installs: each store counts in its own way. */
export class StoreReport {
  @ApiProperty({ format: 'uuid', description: 'Id of the extension.' })
  extensionId!: string;

  @ApiProperty({ format: 'date', description: 'The first day, in UTC.' })
  from!: string;

  @ApiProperty({ format: 'date', description: 'The last day, in UTC.' })
  to!: string;

  @ApiProperty({ type: [StoreReportEntry], description: 'One entry for each target with an item, by store.' })
  stores!: readonly StoreReportEntry[];
}
