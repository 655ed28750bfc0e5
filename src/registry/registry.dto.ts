import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, IntField, ObjectField, TextField } from '../common/fields/index.js';

const NAME_MAX = 200;

/** How licensing behaves for an extension. */
export class LicensingSettings {
  @BooleanField({ description: 'Whether devices may activate and check.', optional: true })
  enabled?: boolean;

  @IntField({
    description: 'Days after which an idle seat may be taken over; null never.',
    min: 1,
    max: 3650,
    optional: true,
    nullable: true,
  })
  seatIdleDays?: number | null;

  @IntField({ description: 'Days that a lease keeps working offline.', min: 0, max: 365, optional: true })
  offlineGraceDays?: number;
}

export class AnalyticsSettings {
  @BooleanField({ description: 'Whether pings are counted.', optional: true })
  enabled?: boolean;
}

export class CreateExtension {
  @TextField({ description: 'Unique per tenant, upper and lower case alike.', max: NAME_MAX })
  name!: string;
}

export class UpdateExtension {
  @TextField({ description: 'A new name.', max: NAME_MAX, optional: true })
  name?: string;

  @ObjectField({ description: 'Licensing; what is absent stays.', type: () => LicensingSettings, optional: true })
  licensing?: LicensingSettings;

  @ObjectField({ description: 'Analytics; what is absent stays.', type: () => AnalyticsSettings, optional: true })
  analytics?: AnalyticsSettings;
}

class ShownLicensing {
  @ApiProperty()
  enabled!: boolean;

  @ApiProperty({ type: 'integer', nullable: true })
  seatIdleDays!: number | null;

  @ApiProperty({ type: 'integer' })
  offlineGraceDays!: number;
}

class ShownAnalytics {
  @ApiProperty()
  enabled!: boolean;
}

/** A browser extension. */
export class Extension {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: ShownLicensing })
  licensing!: ShownLicensing;

  @ApiProperty({ type: ShownAnalytics })
  analytics!: ShownAnalytics;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updatedAt!: Date;
}

/** One line of the timeline. */
export class TimelineEvent {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  at!: Date;

  @ApiProperty({ format: 'uuid' })
  extensionId!: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  targetId!: string | null;

  @ApiProperty({ type: String, nullable: true })
  version!: string | null;

  @ApiProperty({ description: 'What happened, for machines.', example: 'step_done' })
  kind!: string;

  @ApiProperty({ description: 'What happened, for people.' })
  message!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: "Details, such as a store's own answer, redacted.",
  })
  data!: unknown;
}
