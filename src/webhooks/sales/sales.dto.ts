import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ChoiceField, NULLABLE_INTEGER, NULLABLE_TEXT, PatternField } from '../../common/fields/index.js';
import { SALES_GROUPS, type NamedFigures, type SalesGroup } from './sales-rows.js';

const DAY_FIELD = { pattern: /^\d{4}-\d\d-\d\d$/, message: 'must be a UTC day such as 2030-01-31.', optional: true };

/** The range of sales figures, and what a row is about. */
export class SalesQuery {
  @PatternField({
    description: 'First UTC day. Default: 27 days before the last.',
    ...DAY_FIELD,
    example: '2026-10-26',
  })
  from?: string;

  @PatternField({ description: 'Last UTC day, inclusive. Default: today.', ...DAY_FIELD, example: '2026-11-22' })
  to?: string;

  @ChoiceField({
    description: 'What a row is about, in each currency. Default: everything.',
    of: SALES_GROUPS,
    optional: true,
  })
  by?: SalesGroup;
}

const NumberOf = (description: string): PropertyDecorator => ApiProperty({ ...INTEGER, minimum: 0, description });
const AmountOf = (description: string): PropertyDecorator => ApiProperty({ ...INTEGER, description, example: 900 });
const INTEGER: Pick<ApiPropertyOptions & { type: 'integer' }, 'type'> = { type: 'integer' };

/** Sales of a group in one currency. */
class SalesRow implements NamedFigures {
  @ApiProperty({
    ...NULLABLE_TEXT,
    description:
      'The id of the plan, the processor, the country or the UTC day; null where that is not known, or for everything. An order of several plans counts for the first.',
    example: 'stripe',
  })
  group!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Extension and tier of a plan; null for other groups.' })
  name!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The currency, by ISO 4217; null for subscriptions of which no payment is known.',
    example: 'EUR',
  })
  currency!: string | null;

  @NumberOf('First payments and one-time sales.')
  sales!: number;

  @AmountOf('Their sum, tax included, in the smallest unit of the currency.')
  salesAmount!: number;

  @NumberOf('Payments for further periods.')
  renewals!: number;

  @AmountOf('Their sum.')
  renewalsAmount!: number;

  @ApiProperty({ ...INTEGER, description: 'Refunds, less those that failed.' })
  refunds!: number;

  @AmountOf('Their sum, also of refunds of a part.')
  refundsAmount!: number;

  @ApiProperty({ ...INTEGER, description: 'Disputes, less those that you won.' })
  disputes!: number;

  @AmountOf('Their sum.')
  disputesAmount!: number;

  @AmountOf('Sales and renewals less refunds and disputes. Fees of the processor are not known.')
  netAmount!: number;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Subscriptions that are paid or on trial now, whatever the range; null by day.',
  })
  activeSubscriptions!: number | null;
}

/** Sales figures. Orders of test mode are not among them. */
export class SalesSummary {
  @ApiProperty({ format: 'date', description: 'First UTC day.' })
  from!: string;

  @ApiProperty({ format: 'date', description: 'Last UTC day, inclusive.' })
  to!: string;

  @ApiProperty({
    type: String,
    enum: [...SALES_GROUPS, null],
    nullable: true,
    description: 'What a row is about; null for everything.',
  })
  by!: SalesGroup | null;

  @ApiProperty({ type: [SalesRow], description: 'One row for each group and currency. Currencies are never added up.' })
  rows!: readonly SalesRow[];
}
