import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import {
  ChoiceField,
  EmailField,
  IdField,
  NULLABLE_ID,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  PageQuery,
  TimeField,
} from '../../common/fields/index.js';
import { IgnoresUnknownFields } from '../../common/http/index.js';
import { TRIAL_REASONS, type TrialReason } from '../leases/index.js';
import { Activate } from '../seats/index.js';
import { TRIAL_STATES, type TrialState } from './trial-rule.js';

/** A device that asks for a trial. Unknown fields are ignored. */
@IgnoresUnknownFields()
export class StartTrial extends OmitType(Activate, ['code'] as const) {
  @EmailField({
    description:
      'Where the plan needs an address: Pierhead mails it a link, which starts the trial. Other plans ignore it.',
    optional: true,
  })
  email?: string;
}

/** The trial of a device. Fields are added, never renamed or removed. */
export class TrialAnswer {
  @ApiProperty({ description: 'Whether the device may use the paid features now.' })
  isActive!: boolean;

  @ApiProperty({
    enum: TRIAL_REASONS,
    description:
      'The reason for `isActive`; `trial_active` exactly when `isActive` is true. `trial_converted`: a code was activated on the device. `no_trial`: no plan offers one. `email_required`: ask the user for an address. `email_unconfirmed`: the link was mailed to it. `email_taken`: its owner opened the link, and has had a trial on another device. `limit_reached`: too many trials today, from this network or of the extension.',
  })
  reason!: TrialReason;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The tier of the plan; null when no plan offers a trial.',
    example: 'pro',
  })
  tier!: string | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When the trial ends or ended; null when there was none.' })
  trialEndsAt!: Date | null;

  @ApiProperty({ description: 'When the device should ask next.' })
  nextCheckAt!: Date;

  @ApiProperty({
    description:
      'This answer as a compact JWS, as those of activate and check, with `trial` instead of `sub`. Valid offline until its `exp`, at most until the trial expires.',
    example: 'eyJhbGciOiJFZERTQSIsImtpZCI6IjAxYTFlN2MyIn0.eyJhY3QiOnRydWV9.ZXhhbXBsZQ',
  })
  lease!: string;

  @ApiPropertyOptional({
    description: 'Features that the device may use now, in the order of the alphabet. Absent for none.',
    example: ['export', 'sync'],
  })
  entitlements?: string[];
}

/** Filter of a list of trials. */
export class ListTrials extends PageQuery {
  @IdField({ description: 'Lists only trials of this extension.', optional: true })
  extension?: string;

  @EmailField({ description: 'Lists only trials of this address.', optional: true })
  email?: string;

  @ChoiceField({ description: 'Lists only trials in this state.', of: TRIAL_STATES, optional: true })
  state?: TrialState;
}

/** Whose trials are counted. */
export class SummarizeTrials {
  @IdField({ description: 'Counts only trials of this extension.', optional: true })
  extension?: string;
}

/** Changes to a trial. */
export class UpdateTrial {
  @TimeField({ description: 'When it ends: within a year; a time in the past ends it now.' })
  endsAt!: string;
}

/** A trial of a device. */
export class Trial {
  @ApiProperty({ format: 'uuid', description: 'The trial’s id.' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'The extension.' })
  extensionId!: string;

  @ApiProperty({ format: 'uuid', description: 'The plan that is tried.' })
  planId!: string;

  @ApiProperty({ description: 'The tier of that plan.', example: 'pro' })
  tier!: string;

  @ApiProperty({ enum: TRIAL_STATES, description: '`converted` once a code was activated on the device.' })
  state!: TrialState;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The address that the user confirmed; null without one, and 90 days after the end.',
    example: 'ann@example.com',
  })
  email!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The label that the device gave itself; null 90 days after the end.',
    example: "Ann's laptop",
  })
  label!: string | null;

  @ApiProperty({ description: 'When it began.' })
  startedAt!: Date;

  @ApiProperty({ description: 'When it ends or ended.' })
  endsAt!: Date;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When a code was activated on the device.' })
  convertedAt!: Date | null;

  @ApiProperty({ ...NULLABLE_ID, description: 'The license of that code; null once it is deleted.' })
  licenseId!: string | null;

  @ApiProperty({ description: 'When it last changed.' })
  updatedAt!: Date;
}

/** Figures of trials: those that run now, and the last 30 days. */
export class TrialSummary {
  @ApiProperty({ type: 'integer', description: 'Trials that run now.' })
  running!: number;

  @ApiProperty({ type: 'integer', description: 'Trials of which a code was activated within 30 days.' })
  converted!: number;

  @ApiProperty({ type: 'integer', description: 'Trials that ended within 30 days without a code.' })
  ended!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Requests that a limit refused within 30 days: TRIALS_PER_ADDRESS or TRIALS_PER_EXTENSION.',
  })
  refused!: number;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: '`converted` as a part of `converted` and `ended`, from 0 to 1; null when both are 0.',
    example: 0.125,
  })
  conversion!: number | null;
}
