import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { ChoiceField, EXAMPLE, NULLABLE_TEXT, PatternField, TextField } from '../common/fields/index.js';
import { IgnoresUnknownFields } from '../common/http/index.js';
import { STORE_IDS, type StoreId } from '../stores/index.js';
import { Changes } from './report/compared.dto.js';
import { Segment } from './report/segment.dto.js';
import { Shares } from './report/shares.dto.js';

export const GRANULARITIES = ['day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** A ping of an install. Other fields are ignored. */
@IgnoresUnknownFields()
export class PingInput {
  @TextField({
    description: 'Random id that the install generates and keeps. Pierhead does not store it.',
    max: 128,
    verbatim: true,
    example: 'b7f0c3a1-9d2e-4855-b6c0-d4e7f2a35190',
  })
  installId!: string;

  @TextField({ description: "The extension's id in Pierhead.", max: 64, verbatim: true, example: EXAMPLE.id })
  extensionId!: string;

  @TextField({ description: 'The installed version.', max: 64, verbatim: true, example: '1.4.0' })
  version!: string;

  @TextField({
    description: "The user's language, as BCP 47.",
    max: 35,
    verbatim: true,
    optional: true,
    example: 'de-CH',
  })
  language?: string;

  @ApiPropertyOptional({
    type: String,
    example: 'firefox',
    description: `The store that the install came from: ${STORE_IDS.join(', ')}; any other text counts as \`other\`. Never a reason to refuse the ping.`,
  })
  @Allow()
  store?: unknown;

  @ApiPropertyOptional({
    type: Boolean,
    example: false,
    description:
      'Whether the install has a license, as reported by the extension. Anything other than true or false counts as unknown; the ping is still accepted.',
  })
  @Allow()
  licensed?: unknown;
}

const DAY_FIELD = { pattern: /^\d{4}-\d\d-\d\d$/, message: 'must be a UTC day such as 2030-01-31.', optional: true };

/** The range of an overview. */
export class OverviewQuery {
  @PatternField({
    description: 'First UTC day. Default: 27 days before the last.',
    ...DAY_FIELD,
    example: '2026-10-26',
  })
  from?: string;

  @PatternField({ description: 'Last UTC day, inclusive. Default: today.', ...DAY_FIELD, example: '2026-11-22' })
  to?: string;
}

const FilterField = (what: string, example: string): PropertyDecorator =>
  TextField({
    description: `Also report on the installs ${what} alone, as \`segment\`: a value of \`shares\`, or \`unknown\`.`,
    max: 64,
    optional: true,
    example,
  });

/** The range of a report, how it is grouped, and which installs it looks at. */
export class ReportQuery extends OverviewQuery {
  @ChoiceField({
    description:
      'What an entry of `days` and `adoption` covers: a day, a week from Monday, or a calendar month. Default: day.',
    of: GRANULARITIES,
    optional: true,
  })
  granularity?: Granularity;

  @FilterField('of this version', '1.4.0')
  version?: string;

  @FilterField('in this browser', 'Firefox')
  browser?: string;

  @FilterField('in this browser and major version', 'Firefox 145')
  browserVersion?: string;

  @FilterField('on this operating system', 'Windows')
  os?: string;

  @FilterField('in this country', 'CH')
  country?: string;

  @FilterField('in this language', 'de-CH')
  language?: string;

  @FilterField('from this store', 'firefox')
  store?: string;

  @FilterField('that say that they are `licensed` or `free`', 'free')
  licensed?: string;
}

const CLOSED_THROUGH =
  'The last UTC day whose figures are final. A day is closed ten minutes after its end; later days still change.';

/** Figures of a day, or of the days of a week or month that are in the range. */
export class DayFigures {
  @ApiProperty({ format: 'date', description: 'The day, or the first day of the week or month within the range.' })
  date!: string;

  @ApiProperty({
    type: 'integer',
    description: 'Installs that pinged on the day; for a week or month, the mean of its days.',
  })
  active!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Installs that had not pinged in the 28 days before; for a week or month, the sum.',
  })
  new!: number;

  @ApiProperty({ type: 'integer', description: 'Distinct installs in the 7 days that end with the last day covered.' })
  unique7!: number;

  @ApiProperty({ type: 'integer', description: 'Distinct installs in the 28 days that end with the last day covered.' })
  unique28!: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Installs whose last ping had been 28 days before, so that they no longer count; for a week or month, the sum.',
  })
  lapsed!: number;
}

/** Installs per version on a day, or in a week or month. */
export class AdoptionPoint {
  @ApiProperty({ format: 'date', description: 'The day, in UTC.' })
  date!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer' },
    description: 'Install-days of each version, in the order of `versions`.',
  })
  installs!: readonly number[];
}

/** Installs per value on a day, or in a week or month. */
export class TrendPoint {
  @ApiProperty({ format: 'date', description: 'The day, in UTC.' })
  date!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer' },
    description: 'Install-days of each value, in the order of `values`.',
  })
  installs!: readonly number[];
}

/** The adoption of versions over time. */
export class Adoption {
  @ApiProperty({
    type: [String],
    description: 'The most used versions of the range, at most 20, then `other` for the rest.',
    example: ['1.4.0'],
  })
  versions!: readonly string[];

  @ApiProperty({ type: [AdoptionPoint], description: 'The versions day by day, or week by week or month by month.' })
  points!: readonly AdoptionPoint[];
}

/** Installs of each value of a dimension over time. */
export class Trend {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', nullable: true },
    description: 'The values of the range, most frequent first; null is unknown.',
    example: ['firefox'],
  })
  values!: readonly (string | null)[];

  @ApiProperty({ type: [TrendPoint], description: 'The values day by day, or week by week or month by month.' })
  points!: readonly TrendPoint[];
}

/** A version that went live at a store. */
export class LiveMarker {
  @ApiProperty({ description: 'When Pierhead first saw the version live there.' })
  at!: Date;

  @ApiProperty({ format: 'date', description: 'The UTC day of `at`.' })
  date!: string;

  @ApiProperty({ description: 'The version.', example: '1.4.0' })
  version!: string;

  @ApiProperty({
    ...NULLABLE_TEXT,
    example: 'firefox',
    description: 'The store; null when its target was deleted since.',
  })
  store!: StoreId | null;
}

/** The report on an extension. */
export class AnalyticsReport {
  @ApiProperty({ format: 'date', description: 'The first day, in UTC.', example: '2026-10-26' })
  from!: string;

  @ApiProperty({ format: 'date', description: 'The last day, in UTC.' })
  to!: string;

  @ApiProperty({ enum: GRANULARITIES, description: 'What an entry of `days` and `adoption` covers.' })
  granularity!: Granularity;

  @ApiProperty({ format: 'date', description: CLOSED_THROUGH })
  closedThrough!: string;

  @ApiProperty({ type: [DayFigures], description: 'The figures of each day, week or month.' })
  days!: readonly DayFigures[];

  @ApiProperty({ type: [DayFigures], description: 'As many days before `from`, in the same way.' })
  previous!: readonly DayFigures[];

  @ApiProperty({ type: Changes, description: 'The range against the days before it.' })
  changes!: Changes;

  @ApiProperty({ type: Shares, description: 'How installs are distributed.' })
  shares!: Shares;

  @ApiProperty({
    type: Segment,
    nullable: true,
    description: 'The installs with the properties that were asked for; null where none was.',
  })
  segment!: Segment | null;

  @ApiProperty({ type: Adoption, description: 'How each version spread.' })
  adoption!: Adoption;

  @ApiProperty({ type: Trend, description: 'How installs were distributed among stores over time.' })
  stores!: Trend;

  @ApiProperty({ type: Trend, description: 'How many installs were licensed and free over time.' })
  licensed!: Trend;

  @ApiProperty({
    type: [LiveMarker],
    description: 'The versions that went live in the range, oldest first: at most the newest 500.',
  })
  live!: readonly LiveMarker[];
}

/** The figures of one extension over the range. */
export class ExtensionFigures {
  @ApiProperty({ format: 'uuid', description: 'Id of the extension.' })
  extensionId!: string;

  @ApiProperty({ description: 'Name of the extension.', example: 'Tab Counter' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'Installs that pinged on the last day.' })
  active!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Sum over the days of the installs that had not pinged in the 28 days before.',
  })
  new!: number;

  @ApiProperty({ type: 'integer', description: 'Distinct installs in the 7 days that end with the last day.' })
  unique7!: number;

  @ApiProperty({ type: 'integer', description: 'Distinct installs in the 28 days that end with the last day.' })
  unique28!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    example: 0.04,
    description: 'The change of `unique28` as `changes` of the overview has it; null where there were none before.',
  })
  change!: number | null;
}

/** The report on all extensions of a tenant. */
export class AnalyticsOverview {
  @ApiProperty({ format: 'date', description: 'The first day, in UTC.', example: '2026-10-26' })
  from!: string;

  @ApiProperty({ format: 'date', description: 'The last day, in UTC.' })
  to!: string;

  @ApiProperty({ format: 'date', description: CLOSED_THROUGH })
  closedThrough!: string;

  @ApiProperty({ type: [DayFigures], description: 'Sums over all extensions.' })
  days!: readonly DayFigures[];

  @ApiProperty({ type: [DayFigures], description: 'As many days before `from`, in the same way.' })
  previous!: readonly DayFigures[];

  @ApiProperty({ type: Changes, description: 'The range against the days before it.' })
  changes!: Changes;

  @ApiProperty({
    type: [ExtensionFigures],
    description: 'The figures of each extension, the one with the most installs first.',
  })
  extensions!: readonly ExtensionFigures[];
}
