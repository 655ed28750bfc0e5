import { ApiProperty } from '@nestjs/swagger';
import {
  ChoiceField,
  EmailField,
  IdField,
  IntField,
  TextField,
  TimeField,
  PageQuery,
} from '../../common/fields/index.js';
import { MAX_SEATS } from '../plans/plans.dto.js';
import { DELIVERIES, type Delivery } from './license.entity.js';
import {
  LICENSE_STATUSES,
  REVOCATIONS,
  SUSPENSIONS,
  type LicenseStatus,
  type Revocation,
  type Suspension,
} from './license-status.js';

/** Longest fingerprint of a device, in characters. */
export const FINGERPRINT_MAX = 512;

export class IssueLicense {
  @IdField({ description: "One of the tenant's plans." })
  planId!: string;

  @EmailField({ description: 'Whose license it is.' })
  buyerEmail!: string;

  @TimeField({ description: 'When it ends; never when absent.', optional: true, nullable: true })
  expiresAt?: string | null;

  @IntField({
    description: 'Devices, when other than the plan says.',
    min: 1,
    max: MAX_SEATS,
    optional: true,
    nullable: true,
  })
  maxActivations?: number | null;
}

export class UpdateLicense {
  @TimeField({ description: 'When it ends; null never.', optional: true, nullable: true })
  expiresAt?: string | null;

  @IntField({
    description: 'Devices, when other than the plan says; null as the plan says. Seats already taken stay.',
    min: 1,
    max: MAX_SEATS,
    optional: true,
    nullable: true,
  })
  maxActivations?: number | null;
}

export class ListLicenses extends PageQuery {
  @IdField({ description: "Only those of this one of the tenant's extensions.", optional: true })
  extension?: string;

  @EmailField({ description: 'Only those of this buyer.', optional: true })
  email?: string;

  @ChoiceField({ description: 'Only those that stand so now.', of: LICENSE_STATUSES, optional: true })
  status?: LicenseStatus;
}

export class ReleaseSeat {
  @TextField({
    description: "The device's fingerprint, exactly as it was activated.",
    max: FINGERPRINT_MAX,
    verbatim: true,
  })
  fingerprint!: string;
}

/** How many devices hold a seat, and how many may. */
export class Seats {
  @ApiProperty({ type: 'integer' })
  used!: number;

  @ApiProperty({ type: 'integer' })
  max!: number;
}

export class ReleasedSeat {
  @ApiProperty({ enum: [true], description: 'The device holds no seat, whether it did until now or not.' })
  released!: true;

  @ApiProperty({ type: Seats })
  seats!: Seats;
}

/** A code that was issued to a buyer. */
export class License {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  planId!: string;

  @ApiProperty({ format: 'uuid' })
  extensionId!: string;

  @ApiProperty()
  tier!: string;

  @ApiProperty({ format: 'email' })
  buyerEmail!: string;

  @ApiProperty({ description: 'The last five symbols of the code.', example: '7K9QX' })
  codeHint!: string;

  @ApiProperty({ enum: LICENSE_STATUSES, description: 'Revoked before suspended before expired before active.' })
  status!: LicenseStatus;

  @ApiProperty({ type: String, enum: [...SUSPENSIONS, null], nullable: true })
  suspendedFor!: Suspension | null;

  @ApiProperty({
    type: String,
    enum: [...REVOCATIONS, null],
    nullable: true,
    description:
      '`tenant`: revoked through the API, for good. `refund` or `dispute`: revoked by a payment; `POST /licenses/{id}/reinstate` lifts it.',
  })
  revokedFor!: Revocation | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expiresAt!: Date | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Devices, when other than the plan says.' })
  maxActivations!: number | null;

  @ApiProperty({ description: '`manual`, or the purchase that made it.', example: 'manual' })
  source!: string;

  @ApiProperty({
    type: String,
    enum: [...DELIVERIES, null],
    nullable: true,
    description:
      'How far the mail with the present code has come; null when none is sent. `waiting` lasts where no mail server is set up; `undelivered` was given up.',
  })
  delivery!: Delivery | null;

  @ApiProperty({ type: Seats })
  seats!: Seats;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updatedAt!: Date;
}

export class IssuedLicense extends License {
  @ApiProperty({
    description: 'The code in full. No other answer holds it, and nobody can look it up again.',
    example: '000G4-0R40M-30E20-9185G-R38E1',
  })
  code!: string;
}

class Device {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, nullable: true, description: 'What the device said about itself.' })
  label!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  firstSeenAt!: Date;

  @ApiProperty({ type: String, format: 'date-time', description: 'To the hour.' })
  lastSeenAt!: Date;
}

export class LicenseWithDevices extends License {
  @ApiProperty({ type: [Device], description: 'The devices that hold a seat, the longest seated first.' })
  devices!: Device[];
}
