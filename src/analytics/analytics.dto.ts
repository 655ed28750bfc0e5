import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, PatternField, TextField } from '../common/fields/index.js';
import { IgnoresUnknownFields } from '../common/http/index.js';

export const GRANULARITIES = ['day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** What an install says of itself; whatever else a body holds is ignored. */
@IgnoresUnknownFields()
export class PingInput {
  @TextField({
    description: 'Random, made by the install itself and kept by it. Never stored here.',
    max: 128,
    verbatim: true,
  })
  installId!: string;

  @TextField({ description: "The extension's id here.", max: 64, verbatim: true })
  extensionId!: string;

  @TextField({ description: 'The version that is installed.', max: 64, verbatim: true })
  version!: string;

  @TextField({
    description: 'The language of its user, as BCP 47.',
    max: 35,
    verbatim: true,
    optional: true,
  })
  language?: string;
}

const DAY_FIELD = { pattern: /^\d{4}-\d\d-\d\d$/, says: 'must be a UTC day such as 2030-01-31.', optional: true };

export class OverviewQuery {
  @PatternField({ description: 'First UTC day; by default 27 days before the last one.', ...DAY_FIELD })
  from?: string;

  @PatternField({ description: 'Last UTC day, itself included; by default today.', ...DAY_FIELD })
  to?: string;
}

export class ReportQuery extends OverviewQuery {
  @ChoiceField({
    description: 'What a line of `days` and `adoption` covers: a day, a week from Monday, or a month of the calendar.',
    of: GRANULARITIES,
    optional: true,
  })
  granularity?: Granularity;
}

/** Figures of a day, or of the days of the range that are in a week or month. */
export class DayFigures {
  @ApiProperty({ format: 'date', description: 'The day, or the first day of the week or month that is in the range.' })
  date!: string;

  @ApiProperty({
    type: 'integer',
    description: 'Installs that pinged on the day; of a week or month the mean of its days.',
  })
  active!: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Installs that had not been seen in the 28 days before; nothing is known of an install for longer. Of a week or month the sum.',
  })
  new!: number;

  @ApiProperty({ type: 'integer', description: 'Different installs in the 7 days that end with the last day covered.' })
  unique7!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Different installs in the 28 days that end with the last day covered.',
  })
  unique28!: number;
}

export class Share {
  @ApiProperty({ type: String, nullable: true, description: 'Null is unknown; `other` is everything not told apart.' })
  value!: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'Install-days: an install counts once for each day of the range on which it pinged.',
  })
  installs!: number;

  @ApiProperty({ description: 'Of all install-days, from 0 to 1.' })
  share!: number;
}

/** What the installs of a range were, the most used first. */
export class Shares {
  @ApiProperty({ type: [Share] })
  version!: readonly Share[];

  @ApiProperty({ type: [Share] })
  browser!: readonly Share[];

  @ApiProperty({ type: [Share], description: 'The browser with its major version, such as `Firefox 133`.' })
  browserVersion!: readonly Share[];

  @ApiProperty({ type: [Share] })
  os!: readonly Share[];

  @ApiProperty({ type: [Share], description: 'ISO 3166, two letters.' })
  country!: readonly Share[];

  @ApiProperty({ type: [Share], description: 'BCP 47: language, or language and region.' })
  language!: readonly Share[];
}

export class AdoptionPoint {
  @ApiProperty({ format: 'date' })
  date!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer' },
    description: 'Install-days of each version, in the order of `versions`.',
  })
  installs!: readonly number[];
}

/** How versions were taken up over time. */
export class Adoption {
  @ApiProperty({
    type: [String],
    description: 'The most used versions of the range, at most 20, and `other` for the rest.',
  })
  versions!: readonly string[];

  @ApiProperty({ type: [AdoptionPoint] })
  points!: readonly AdoptionPoint[];
}

export class AnalyticsReport {
  @ApiProperty({ format: 'date' })
  from!: string;

  @ApiProperty({ format: 'date' })
  to!: string;

  @ApiProperty({ enum: GRANULARITIES })
  granularity!: Granularity;

  @ApiProperty({ type: [DayFigures] })
  days!: readonly DayFigures[];

  @ApiProperty({ type: Shares })
  shares!: Shares;

  @ApiProperty({ type: Adoption })
  adoption!: Adoption;
}

/** One extension, over the range. */
export class ExtensionFigures {
  @ApiProperty({ format: 'uuid' })
  extensionId!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: 'integer', description: 'Installs that pinged on the last day.' })
  active!: number;

  @ApiProperty({ type: 'integer', description: 'The sum of the days.' })
  new!: number;

  @ApiProperty({ type: 'integer', description: 'Different installs in the 7 days that end with the last day.' })
  unique7!: number;

  @ApiProperty({ type: 'integer', description: 'Different installs in the 28 days that end with the last day.' })
  unique28!: number;
}

export class AnalyticsOverview {
  @ApiProperty({ format: 'date' })
  from!: string;

  @ApiProperty({ format: 'date' })
  to!: string;

  @ApiProperty({ type: [DayFigures], description: 'The sums over all extensions.' })
  days!: readonly DayFigures[];

  @ApiProperty({ type: [ExtensionFigures], description: 'The one with the most installs first.' })
  extensions!: readonly ExtensionFigures[];
}
