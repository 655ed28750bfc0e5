import { ApiProperty } from '@nestjs/swagger';
import { NULLABLE_TEXT } from '../../common/fields/index.js';

/** A value and its share of the installs. */
export class Share {
  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The value: null for unknown, `other` for all values that are not listed.',
  })
  value!: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'Install-days: an install counts once for each day on which it pinged.',
  })
  installs!: number;

  @ApiProperty({ description: 'Share of all install-days, from 0 to 1.' })
  share!: number;
}

const SharesField = (description: string, value: string, installs: number, share: number): PropertyDecorator =>
  ApiProperty({ type: [Share], description, example: [{ value, installs, share }] });

/** The shares of each dimension, most frequent first. */
export class Shares {
  @SharesField('By version.', '1.4.0', 1204, 0.6)
  version!: readonly Share[];

  @SharesField('By browser.', 'Firefox', 1204, 0.6)
  browser!: readonly Share[];

  @SharesField('The browser with its major version.', 'Firefox 145', 980, 0.49)
  browserVersion!: readonly Share[];

  @SharesField('By operating system.', 'Windows', 1310, 0.65)
  os!: readonly Share[];

  @SharesField('ISO 3166, two letters.', 'CH', 402, 0.2)
  country!: readonly Share[];

  @SharesField('BCP 47: language, or language and region.', 'de-CH', 388, 0.19)
  language!: readonly Share[];

  @SharesField('The store that the install reports.', 'firefox', 1204, 0.6)
  store!: readonly Share[];

  @SharesField('`licensed` or `free`, as reported by the install.', 'free', 1810, 0.9)
  licensed!: readonly Share[];
}
