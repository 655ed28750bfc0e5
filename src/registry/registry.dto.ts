import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, IntField, ObjectField, TextField } from '../common/fields/index.js';

const MAX_NAME = 200;

/** Licensing of an extension. */
export class LicensingSettings {
  @BooleanField({ description: 'Whether devices can activate and check.', optional: true })
  enabled?: boolean;

  @IntField({
    description: 'Days after which another device can take over an idle seat; null means never.',
    min: 1,
    max: 3650,
    optional: true,
    nullable: true,
  })
  seatIdleDays?: number | null;

  @IntField({ description: 'Days for which a lease is valid offline.', min: 0, max: 365, optional: true })
  offlineGraceDays?: number;
}

/** Analytics of an extension. */
export class AnalyticsSettings {
  @BooleanField({ description: 'Whether pings are counted.', optional: true })
  enabled?: boolean;
}

/** A new extension. */
export class CreateExtension {
  @TextField({ description: 'Unique per tenant, compared without case.', max: MAX_NAME })
  name!: string;
}

/** Changes to an extension; absent fields stay. */
export class UpdateExtension {
  @TextField({ description: 'New name.', max: MAX_NAME, optional: true })
  name?: string;

  @ObjectField({
    description: 'Licensing settings; absent fields stay.',
    type: () => LicensingSettings,
    optional: true,
  })
  licensing?: LicensingSettings;

  @ObjectField({
    description: 'Analytics settings; absent fields stay.',
    type: () => AnalyticsSettings,
    optional: true,
  })
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

/** An event of an extension's timeline. */
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

  @ApiProperty({ description: 'What happened, machine-readable.', example: 'step_done' })
  kind!: string;

  @ApiProperty({ description: 'What happened, human-readable.' })
  message!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: "Details, such as the store's answer, redacted.",
  })
  data!: unknown;
}
