import { ApiProperty, OmitType } from '@nestjs/swagger';
import {
  ChoiceField,
  EmailField,
  EXAMPLE,
  IdField,
  IntField,
  NULLABLE_EMAIL,
  NULLABLE_INTEGER,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  PageQuery,
  PatternField,
  TextField,
  TimeField,
} from '../../common/fields/index.js';
import { MAX_PASTED_CODE } from '../codes/index.js';
import {
  EntitlementsField,
  MAX_LICENSE_SEATS,
  MaxMembersField,
  METADATA,
  MetadataField,
  ON_END,
  type OnEnd,
  SeatsPerMemberField,
  TERM_UNITS,
  type TermUnit,
} from '../plans/index.js';
import { CampaignField } from './campaign-field.js';
import { Device, LicenseTeam, Seats } from './license-seats.dto.js';
import { DELIVERIES, type Delivery } from './license.entity.js';
import {
  LICENSE_STATUSES,
  REVOCATIONS,
  SUSPENSIONS,
  type LicenseStatus,
  type Revocation,
  type Suspension,
} from './license-status.js';

/** A license to issue by hand. */
export class IssueLicense {
  @IdField({ description: 'The plan that the license is for.' })
  planId!: string;

  @EmailField({ description: 'The e-mail address of the buyer.' })
  buyerEmail!: string;

  @TimeField({
    description: 'When the license ends; null means never. Absent: after the plan’s duration.',
    optional: true,
    nullable: true,
  })
  expiresAt?: string | null;

  @IntField({
    description: 'Maximum number of devices. Absent or null: as many as the plan allows.',
    min: 1,
    max: MAX_LICENSE_SEATS,
    optional: true,
    nullable: true,
  })
  maxActivations?: number | null;

  @CampaignField({ optional: true })
  campaign?: string;

  @MaxMembersField(
    'Maximum number of people who join its buyer; 0 for nobody. Absent or null: as the plan says.',
    0,
    MAX_LICENSE_SEATS,
  )
  maxMembers?: number | null;

  @SeatsPerMemberField(
    'Maximum number of devices of each of these people. Absent or null: as the plan says.',
    MAX_LICENSE_SEATS,
  )
  seatsPerMember?: number | null;

  @EntitlementsField('Features that it unlocks besides its plan’s.')
  entitlements?: string[];

  @MetadataField()
  metadata?: Record<string, string>;
}

/** Changes to a license; absent fields stay as they are. */
export class UpdateLicense {
  @IdField({
    description:
      'Another plan of the same extension. Code, devices, expiry and a limit of its own stay; what its end means follows the plan.',
    optional: true,
  })
  planId?: string;

  @EmailField({
    description:
      'The buyer’s new e-mail address, for example after a request to support, or the first owner of a license without one. The code stays: `POST /licenses/{id}/resend` mails a new one.',
    optional: true,
  })
  buyerEmail?: string;

  @TimeField({ description: 'When the license expires; null means never.', optional: true, nullable: true })
  expiresAt?: string | null;

  @IntField({
    description: 'Maximum number of devices; null means as many as the plan allows. Devices that hold a seat keep it.',
    min: 1,
    max: MAX_LICENSE_SEATS,
    optional: true,
    nullable: true,
  })
  maxActivations?: number | null;

  @CampaignField({ optional: true, nullable: true })
  campaign?: string | null;

  @MaxMembersField(
    'Maximum number of people who join its buyer; 0 for nobody; null means as the plan says. Who has joined stays.',
    0,
    MAX_LICENSE_SEATS,
  )
  maxMembers?: number | null;

  @SeatsPerMemberField(
    'Maximum number of devices of each of these people; null means as the plan says. Devices that hold a seat keep it.',
    MAX_LICENSE_SEATS,
  )
  seatsPerMember?: number | null;

  @EntitlementsField('Features that it unlocks besides its plan’s, from a device’s next check on.')
  entitlements?: string[];

  @MetadataField()
  metadata?: Record<string, string>;
}

/** Most units of a term. */
const MAX_TERM = 1000;

/** A term by which a license is extended. */
export class ExtendLicense {
  @IntField({ description: 'Number of units.', min: 1, max: MAX_TERM, example: 1 })
  count!: number;

  @ChoiceField({
    description: 'The unit, on the calendar in UTC: a month after 31 January is the last day of February.',
    of: TERM_UNITS,
  })
  unit!: TermUnit;
}

/** Filter of a list of licenses. */
export class ListLicenses extends PageQuery {
  @IdField({ description: 'Lists only licenses of this extension.', optional: true })
  extension?: string;

  @EmailField({ description: 'Lists only licenses of this buyer.', optional: true })
  email?: string;

  @ChoiceField({ description: 'Lists only licenses that have this status now.', of: LICENSE_STATUSES, optional: true })
  status?: LicenseStatus;

  @CampaignField({ description: 'Lists only licenses of this campaign.', optional: true })
  campaign?: string;

  @PatternField({
    description: 'Lists only licenses whose code ends with these five characters, as `codeHint` shows them.',
    pattern: /^[!-`{-~]{5}$/,
    message: 'must be the last five characters of a code, in capitals.',
    optional: true,
    example: '30JCN',
  })
  codeHint?: string;

  @TextField({
    description:
      "Lists only licenses whose buyer's address or its domain, last five characters of the code, or order at its processor (from six characters) begins with this, or whose buyer's name has words that begin with these.",
    min: 3,
    max: 255,
    optional: true,
    example: 'ann@',
  })
  search?: string;

  @ChoiceField({
    description: 'Lists only licenses that were sold in the test mode of their processor, or only the others.',
    of: ['true', 'false'],
    optional: true,
  })
  isTest?: 'true' | 'false';

  @TextField({
    description: 'Lists only the license of this purchase, as `source` shows it.',
    max: 300,
    optional: true,
    example: 'stripe:session:cs_1',
  })
  source?: string;

  @TextField({
    description:
      'Lists only licenses of the purchase that has this id at its processor: of an order, payment, invoice, subscription or checkout. Also the `order` of an import.',
    max: 255,
    optional: true,
    example: 'in_1QXyZ2',
  })
  order?: string;
}

/** Filter of the licenses to count, to export, or to change. */
export class LicenseSelection extends OmitType(ListLicenses, ['limit', 'cursor']) {}

/** A code to find the license of. */
export class FindLicense {
  @TextField({
    description: 'The whole code, as the buyer typed it.',
    max: MAX_PASTED_CODE,
    example: EXAMPLE.licenseCode,
  })
  code!: string;
}

/** A license of a buyer. */
export class License {
  @ApiProperty({ format: 'uuid', description: 'The license’s id.' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'The plan that the license is for.' })
  planId!: string;

  @ApiProperty({ format: 'uuid', description: 'The extension.' })
  extensionId!: string;

  @ApiProperty({ description: 'The tier of its plan.', example: 'pro' })
  tier!: string;

  @ApiProperty({
    ...NULLABLE_EMAIL,
    description: 'The buyer’s e-mail address, in lower case; null while nobody owns the license.',
  })
  buyerEmail!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Your name for the licenses that were issued for one occasion; null without one.',
    example: 'spring',
  })
  campaign!: string | null;

  @ApiProperty({ description: 'The last five characters of the code.', example: '7K9QX' })
  codeHint!: string;

  @ApiProperty({
    enum: LICENSE_STATUSES,
    description:
      'A revoked license is `revoked` whatever else is true; then `suspended` takes precedence over `expired`, and `expired` over `active`.',
  })
  status!: LicenseStatus;

  @ApiProperty({
    type: String,
    enum: [...SUSPENSIONS, null],
    nullable: true,
    description: 'Why the license is suspended; null when it is not. With several reasons, `tenant` is shown first.',
  })
  suspendedFor!: Suspension | null;

  @ApiProperty({
    type: String,
    enum: [...REVOCATIONS, null],
    nullable: true,
    description:
      '`tenant`: revoked through the API, which is final. `refund` or `dispute`: revoked by a payment event; `POST /licenses/{id}/reinstate` reverses it.',
  })
  revokedFor!: Revocation | null;

  @ApiProperty({
    ...NULLABLE_TIME,
    description: 'When the license ends; null means never, or not before `duration` has begun.',
  })
  expiresAt!: Date | null;

  @ApiProperty({
    description: 'A subscription renews it: it goes on after `expiresAt` until its processor says otherwise.',
  })
  renews!: boolean;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When a subscription renews it; null where `renews` is false.' })
  renewsAt!: Date | null;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Hours that it goes on at most; null where `renews` is false.' })
  renewalLeewayHours!: number | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description:
      'How long it lasts from its first activation on, in ISO 8601; null once that has come, and for a license that does not wait for it.',
    example: 'P1Y',
  })
  duration!: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'Days that it goes on after `expiresAt`, by its plan when it was issued.',
  })
  graceDays!: number;

  @ApiProperty({
    enum: ON_END,
    description:
      'What its end means, by its plan when it was issued. `expire`: it counts no more. `maintain`: it stays active, for versions that were released before.',
  })
  onEnd!: OnEnd;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Maximum number of devices of this license alone; null means as many as the plan allows.',
  })
  maxActivations!: number | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Maximum number of people on this license alone; null means as its plan says, 0 nobody.',
  })
  maxMembers!: number | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Maximum number of devices of each of them on this license alone; null means as its plan says.',
  })
  seatsPerMember!: number | null;

  @ApiProperty({
    type: LicenseTeam,
    nullable: true,
    description: 'The people on the license, by its own numbers or its plan’s; null when it is for one person.',
  })
  team!: LicenseTeam | null;

  @ApiProperty({
    description:
      '`manual` for a license issued by hand, `batch:` with the id of the batch, `import:` with the order of an imported one, or the purchase that it was issued for.',
    example: 'manual',
  })
  source!: string;

  @ApiProperty({
    type: String,
    enum: [...DELIVERIES, null],
    nullable: true,
    description:
      'Delivery of the mail with the current code: `waiting` to be sent, `sent` to the mail server, or `undelivered` after the last attempt. Null when no mail is sent. Without a mail server it stays `waiting`.',
  })
  delivery!: Delivery | null;

  @ApiProperty({ description: 'It was sold in the test mode of its processor.' })
  isTest!: boolean;

  @ApiProperty({ description: 'Features that it unlocks besides its plan’s.', example: ['export'] })
  entitlements!: string[];

  @ApiProperty(METADATA)
  metadata!: Record<string, string>;

  @ApiProperty({ type: Seats, description: 'The seats in use.' })
  seats!: Seats;

  @ApiProperty({ description: 'When it was created.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it last changed.' })
  updatedAt!: Date;
}

/** A license with a new code. */
export class IssuedLicense extends License {
  @ApiProperty({
    description: 'The full code. It is returned only here, and cannot be retrieved later.',
    example: '000G4-0R40M-30E20-9185G-R38E1',
  })
  code!: string;
}

/** A license and the devices that hold its seats. */
export class LicenseWithDevices extends License {
  @ApiProperty({ type: [Device], description: 'The devices that hold a seat, the earliest first.' })
  devices!: Device[];
}
