import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy, ValidateIf } from 'class-validator';
import { EXAMPLE, NULLABLE_TEXT, NULLABLE_TIME, TextField } from '../../common/fields/index.js';
import { IgnoresUnknownFields } from '../../common/http/index.js';
import { MAX_PASTED_CODE } from '../codes/index.js';
import { FreedSeat, MAX_FINGERPRINT, Seats } from '../licenses/index.js';
import { type Reason, REASONS } from '../leases/index.js';
import { DEVICE_INFO_FAULT, MAX_LABEL, labelOf } from './devices/device-label.js';

const MAX_EXTENSION_ID = 64;
const MAX_NONCE = 128;

const DeviceInfoField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        'A name that helps people recognize the device: a text, or an object with a `label`. Nothing else of it is stored.',
      example: { label: "Ann's laptop" },
      nullable: true,
      oneOf: [
        { type: 'string', maxLength: MAX_LABEL },
        { type: 'object', additionalProperties: true },
        { type: 'array', items: {} },
        { type: 'number' },
        { type: 'boolean' },
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

/** A license and a device. Unknown fields are ignored. */
@IgnoresUnknownFields()
export class SeatRequest {
  @TextField({
    description: 'The license code, as the buyer typed it.',
    max: MAX_PASTED_CODE,
    example: EXAMPLE.licenseCode,
  })
  code!: string;

  @TextField({ description: 'The id of the extension.', max: MAX_EXTENSION_ID, example: EXAMPLE.id })
  extensionId!: string;

  @TextField({
    description:
      'Identifies the device. A random UUID that the extension creates once and keeps in local storage works best.',
    max: MAX_FINGERPRINT,
    verbatim: true,
    example: 'b7f0c3a19d2e',
  })
  fingerprint!: string;
}

/** A check of one device. */
@IgnoresUnknownFields()
export class Check extends SeatRequest {
  @TextField({
    description: 'Random text that the lease repeats, so that the client can distinguish the answer from an old lease.',
    max: MAX_NONCE,
    verbatim: true,
    optional: true,
    example: 'c29tZSByYW5kb20gdGV4dA',
  })
  nonce?: string;
}

/** An activation of one device. */
@IgnoresUnknownFields()
export class Activate extends Check {
  @DeviceInfoField()
  deviceInfo?: unknown;
}

/** Whether a device is licensed. The shape is frozen: fields are added, never renamed or removed. */
export class CheckAnswer {
  @ApiProperty({ description: 'Whether the device may use the paid features now.' })
  isActive!: boolean;

  @ApiProperty({ enum: REASONS, description: 'The reason for `isActive`; `active` exactly when `isActive` is true.' })
  reason!: Reason;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "The tier of the license's plan; null for an invalid code.",
    example: 'pro',
  })
  tier!: string | null;

  @ApiProperty({ type: Seats, description: 'Both 0 for an invalid code.' })
  seats!: Seats;

  @ApiProperty({
    ...NULLABLE_TIME,
    description:
      'When the license expires, after any days of grace; null means never. Where `renews` is true: when it is renewed, and from then on until when it waits for that.',
  })
  expiresAt!: Date | null;

  @ApiProperty({ description: 'When the device should check next.' })
  nextCheckAt!: Date;

  @ApiProperty({
    description:
      'This answer as a compact JWS (EdDSA, with the `kid` of a key of GET /licensing/keys), valid offline until its `exp`. Claims: iss, sub, ext, fph, act, rsn, tier, ent (`entitlements`, unless there are none), upd (`updatesUntil`, where there is one), iat, exp, nonce.',
    example: 'eyJhbGciOiJFZERTQSIsImtpZCI6IjAxYTFlN2MyIn0.eyJhY3QiOnRydWV9.ZXhhbXBsZQ',
  })
  lease!: string;

  @ApiPropertyOptional({
    description:
      'Only for a code that was replaced: it works on this device until then. Ask the buyer for the code of the last mail.',
  })
  codeValidUntil?: Date;

  @ApiPropertyOptional({
    description:
      'Features that the device may use now: its plan’s and its license’s, in the order of the alphabet. Absent for none.',
    example: ['export', 'sync'],
  })
  entitlements?: string[];

  @ApiPropertyOptional({
    description:
      'Only for a license whose end means `maintain`: it counts for versions of the extension that were released before then.',
  })
  updatesUntil?: Date;

  @ApiPropertyOptional({
    enum: [true],
    description:
      'Only for an active license that a subscription renews: nothing ends at `expiresAt` unless the renewal fails.',
  })
  renews?: true;

  @ApiPropertyOptional({
    description: 'Only for an active license that a subscription renews: when. In the past while the renewal is late.',
  })
  renewsAt?: Date;

  @ApiPropertyOptional({
    description: 'Only in the days of grace after its end: when the license ended. It goes on until `expiresAt`.',
  })
  inGraceSince?: Date;
}

/** The outcome of an activation. The shape is frozen: fields are added, never renamed or removed. */
export class ActivationAnswer extends CheckAnswer {
  @ApiProperty({ description: 'Whether the device holds a seat now. Equal to `isActive`.' })
  success!: boolean;
}

/** A seat that is free. The shape is frozen: fields are added, never renamed or removed. */
export class FreeSeatAnswer extends FreedSeat {}
