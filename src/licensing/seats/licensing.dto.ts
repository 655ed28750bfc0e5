import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy, ValidateIf } from 'class-validator';
import { TextField } from '../../common/fields/index.js';
import { IgnoresUnknownFields } from '../../common/http/index.js';
import { FINGERPRINT_MAX, ReleasedSeat, Seats } from '../licenses/licenses.dto.js';
import { REASONS, type Reason } from './decide.js';
import { DEVICE_INFO_FAULT, LABEL_MAX, labelOf } from './device-label.js';

const CODE_MAX = 128;
const EXTENSION_ID_MAX = 64;
const NONCE_MAX = 128;

const DeviceInfoField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        'What the device says about itself, for the tenant to tell it from others. Of an object only `label` is kept.',
      oneOf: [
        { type: 'string', maxLength: LABEL_MAX },
        { type: 'object', properties: { label: { type: 'string', maxLength: LABEL_MAX } }, additionalProperties: true },
      ],
    }),
    ValidateIf((_, value) => value !== undefined),
    ValidateBy({
      name: 'deviceInfo',
      validator: {
        validate: (value: unknown) => labelOf(value) !== undefined,
        defaultMessage: () => DEVICE_INFO_FAULT,
      },
    }),
  );

/** What every request of an installed extension says. Fields that this version does not know are ignored. */
@IgnoresUnknownFields()
export class PublicRelease {
  @TextField({ description: "The buyer's code, as he typed it.", max: CODE_MAX })
  code!: string;

  @TextField({ description: 'The id of the extension that asks.', max: EXTENSION_ID_MAX })
  extensionId!: string;

  @TextField({
    description: 'What tells this device from others: best a random UUID, made once and kept in local storage.',
    max: FINGERPRINT_MAX,
    verbatim: true,
  })
  fingerprint!: string;
}

@IgnoresUnknownFields()
export class Check extends PublicRelease {
  @TextField({
    description: 'Random text that the lease repeats, so that an old one is not taken for the answer.',
    max: NONCE_MAX,
    verbatim: true,
    optional: true,
  })
  nonce?: string;
}

@IgnoresUnknownFields()
export class Activate extends Check {
  @DeviceInfoField()
  deviceInfo?: unknown;
}

/** Whether a device is licensed. The shape is frozen: members are only ever added. */
export class CheckAnswer {
  @ApiProperty({ description: 'Whether this device may use what was bought.' })
  isActive!: boolean;

  @ApiProperty({ enum: REASONS })
  reason!: Reason;

  @ApiProperty({ type: String, nullable: true, description: 'What was bought; null when the code is none.' })
  tier!: string | null;

  @ApiProperty({ type: Seats, description: 'Both 0 when the code is none.' })
  seats!: Seats;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When the license ends; null never.' })
  expiresAt!: Date | null;

  @ApiProperty({ type: String, format: 'date-time', description: 'When to check next.' })
  nextCheckAt!: Date;

  @ApiProperty({
    description:
      'This answer as a compact JWS (EdDSA, `kid` of GET /licensing/keys), good offline until its `exp`. Claims: iss, sub, ext, fph, act, rsn, tier, iat, exp, nonce.',
  })
  lease!: string;
}

/** What became of an activation. The shape is frozen: members are only ever added. */
export class ActivationAnswer extends CheckAnswer {
  @ApiProperty({ description: 'Whether the device holds a seat now. The same as `isActive`.' })
  success!: boolean;
}

/** The device holds no seat. The shape is frozen: members are only ever added. */
export class ReleaseAnswer extends ReleasedSeat {}
