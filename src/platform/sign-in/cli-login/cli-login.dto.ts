import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ChoiceField, EXAMPLE, TextField } from '../../../common/fields/index.js';
import { Login } from '../auth.dto.js';
import { SecondFactorField } from '../second-factor/index.js';

/** A program that wants a session. */
export class BeginCliLogin {
  @TextField({
    description: 'Name that the person sees for the log-in and its session.',
    max: 100,
    optional: true,
    nullable: true,
    example: 'pierhead on anns-laptop',
  })
  name?: string | null;
}

/** A log-in that waits for a person. */
export class BegunCliLogin {
  @ApiProperty({ description: 'Secret of the program. Never show it.', example: EXAMPLE.secret })
  deviceCode!: string;

  @ApiProperty({ description: 'Code that the person compares with the one on the page.', example: 'WDJB-MJHT' })
  userCode!: string;

  @ApiProperty({
    format: 'uri',
    description: 'Page on which the person signs in and types the code.',
    example: 'https://pierhead.example/cli-login',
  })
  verificationUrl!: string;

  @ApiProperty({
    format: 'uri',
    description: 'The same page with the code filled in.',
    example: 'https://pierhead.example/cli-login?code=WDJB-MJHT',
  })
  verificationUrlComplete!: string;

  @ApiProperty({ type: 'integer', description: 'Seconds until the log-in can no longer be approved.', example: 600 })
  expiresIn!: number;

  @ApiProperty({ type: 'integer', description: 'Seconds to wait between two polls.', example: 3 })
  interval!: number;
}

/** The secret of a log-in that was begun. */
export class FinishCliLogin {
  @TextField({ description: 'The deviceCode of `POST /auth/cli`.', max: 100, example: EXAMPLE.secret })
  deviceCode!: string;
}

const UserCodeField = (): PropertyDecorator => TextField({ description: 'The code that the program shows.', max: 64 });

/** The form with which a person signs in on the page. */
export class SignInForm extends Login {
  @UserCodeField()
  userCode!: string;

  /** A browser sends a field that was left empty. */
  @Transform(({ value }: { readonly value: unknown }) => (value === '' ? undefined : value))
  @SecondFactorField({ optional: true })
  declare code?: string;
}

/** The form with which a person decides. */
export class DecisionForm {
  @UserCodeField()
  userCode!: string;

  @ChoiceField({ description: 'What the person decides.', of: ['approve', 'deny'] })
  decision!: 'approve' | 'deny';
}
