import { ApiProperty } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  EXAMPLE,
  IdField,
  IntField,
  NULLABLE_ID,
  NULLABLE_INTEGER,
  NULLABLE_TEXT,
  NULLABLE_VERSION,
  ObjectField,
  PageQuery,
  NameField,
  TextField,
} from '../common/fields/index.js';

const MAX_NAME = 200;

const ACTIVATION_LINK_ABOUT =
  'Whether mails with a code have a button that activates the extension in the browser that opens it; the extension needs the content script of the licensing client.';

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

  @IntField({
    description:
      'Days for which devices that hold a seat may go on with a code that was replaced, until they have the new one.',
    min: 0,
    max: 365,
    optional: true,
  })
  replacedCodeDays?: number;

  @IntField({ description: 'Days for which a lease is valid offline.', min: 0, max: 365, optional: true })
  offlineGraceDays?: number;

  @BooleanField({ description: ACTIVATION_LINK_ABOUT, optional: true })
  activationLink?: boolean;
}

/** Analytics of an extension. */
export class AnalyticsSettings {
  @BooleanField({ description: 'Whether pings are counted.', optional: true })
  enabled?: boolean;
}

/** Approvals of an extension's versions. */
export class ApprovalSettings {
  @BooleanField({
    description:
      'Whether another person than the one who pushed a version has to approve it before it is sent to a store. Only an owner or admin with a session may change it.',
    optional: true,
  })
  required?: boolean;
}

/** A new extension. */
export class CreateExtension {
  @NameField({
    description: 'Name of the extension, unique in the tenant; case is ignored.',
    max: MAX_NAME,
    example: 'Tab Counter',
  })
  name!: string;
}

/** Changes to an extension; absent fields stay. */
export class UpdateExtension {
  @NameField({ description: 'New name.', max: MAX_NAME, optional: true, example: 'Tab Counter' })
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

  @ObjectField({
    description: 'Approval settings; absent fields stay.',
    type: () => ApprovalSettings,
    optional: true,
  })
  approval?: ApprovalSettings;
}

/** Licensing settings of an extension. */
class ShownLicensing {
  @ApiProperty({ description: 'Whether devices can be activated.' })
  enabled!: boolean;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Days after which an unused seat may be taken over; null for never.',
  })
  seatIdleDays!: number | null;

  @ApiProperty({ type: 'integer', description: 'Days for which seated devices may go on with a replaced code.' })
  replacedCodeDays!: number;

  @ApiProperty({ type: 'integer', description: 'Days for which a device may use its lease without a check.' })
  offlineGraceDays!: number;

  @ApiProperty({ description: ACTIVATION_LINK_ABOUT })
  activationLink!: boolean;
}

/** Analytics settings of an extension. */
class ShownAnalytics {
  @ApiProperty({ description: 'Whether pings count.' })
  enabled!: boolean;
}

/** Approval settings of an extension. */
class ShownApproval {
  @ApiProperty({ description: 'Whether another person has to approve each version before it is sent to a store.' })
  required!: boolean;
}

/** A browser extension. */
export class Extension {
  @ApiProperty({ format: 'uuid', description: 'Id of the extension.' })
  id!: string;

  @ApiProperty({ description: 'Its name, unique in your tenant.', example: 'Tab Counter' })
  name!: string;

  @ApiProperty({ type: ShownLicensing, description: 'Its licensing settings.' })
  licensing!: ShownLicensing;

  @ApiProperty({ type: ShownAnalytics, description: 'Its analytics settings.' })
  analytics!: ShownAnalytics;

  @ApiProperty({ type: ShownApproval, description: 'Its approval settings.' })
  approval!: ShownApproval;

  @ApiProperty({ description: 'When it was created.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it last changed.' })
  updatedAt!: Date;
}

const EVENT_SUBJECTS = ['licenses', 'publishing'] as const;

/** Filter of a list of a timeline's events. */
export class ListEvents extends PageQuery {
  @TextField({ description: 'Only events of this kind.', max: 100, optional: true, example: 'phase_rejected' })
  kind?: string;

  @ChoiceField({
    description:
      'licenses: only events whose kind begins with license; publishing: only all others. Ignored where kind is given.',
    of: EVENT_SUBJECTS,
    optional: true,
  })
  about?: (typeof EVENT_SUBJECTS)[number];

  @TextField({
    description: 'Only what this person, token or CI job did.',
    max: 320,
    optional: true,
    example: 'ann@author.example',
  })
  by?: string;

  @IdField({ description: 'Only events of this target.', optional: true })
  targetId?: string;

  @TextField({ description: 'Only events of this version.', max: 100, optional: true, example: '1.4.0' })
  version?: string;
}

/** An event of an extension's timeline. */
export class TimelineEvent {
  @ApiProperty({ format: 'uuid', description: 'Id of the event.' })
  id!: string;

  @ApiProperty({ description: 'When it happened.' })
  at!: Date;

  @ApiProperty({ format: 'uuid', description: 'Id of the extension.' })
  extensionId!: string;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of the target; null when the event is about none.' })
  targetId!: string | null;

  @ApiProperty({ ...NULLABLE_VERSION, description: 'The version; null when the event is about none.' })
  version!: string | null;

  @ApiProperty({ description: 'What happened, machine-readable.', example: 'step_done' })
  kind!: string;

  @ApiProperty({ description: 'What happened, human-readable.', example: EXAMPLE.message })
  message!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: "Details, such as the store's answer, redacted.",
    example: { phase: 'in_review' },
  })
  data!: unknown;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description:
      'Who did it: an e-mail address, or the name of a token or a CI job; null for what a store, a buyer or Pierhead did.',
    example: 'ann@author.example',
  })
  by!: string | null;
}
