import { ApiProperty } from '@nestjs/swagger';
import { NULLABLE_TIME, TextField } from '../../../common/fields/index.js';
import { PasswordField } from '../../accounts/index.js';

/** A code of the authenticator app, or a recovery code. */
export const SecondFactorField = (options: { readonly optional?: boolean } = {}): PropertyDecorator =>
  TextField({
    description: 'Six digits of the authenticator app, or a recovery code. Each works once.',
    max: 64,
    example: '492039',
    ...options,
  });

/** Begins to set up a second factor. */
export class BeginSecondFactor {
  @PasswordField('The password of the user.')
  password!: string;
}

/** A code as proof. */
export class SecondFactorCode {
  @SecondFactorField()
  code!: string;
}

/** Removes a second factor. */
export class DisableSecondFactor extends SecondFactorCode {
  @PasswordField('The password of the user.')
  password!: string;
}

/** Whether log-in asks for a code. */
export class SecondFactorStatus {
  @ApiProperty({ description: 'Whether log-in asks for a code.' })
  enabled!: boolean;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When it was set up.' })
  confirmedAt!: Date | null;

  @ApiProperty({ description: 'Recovery codes that were not used.', example: 10 })
  recoveryCodesLeft!: number;
}

/** Data for an authenticator app. It is shown only once. */
export class NewSecondFactor {
  @ApiProperty({ description: 'The secret, to type into the app.', example: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' })
  secret!: string;

  @ApiProperty({
    description: 'The same as a URL, to show as a QR code.',
    example: 'otpauth://totp/Pierhead:ann%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Pierhead',
  })
  otpauthUrl!: string;
}

/** Codes that replace the app, once each. They are shown only once. */
export class RecoveryCodes {
  @ApiProperty({ type: [String], description: 'Ten codes; each works once.', example: ['7K2M-QX4T-9RWA-3HBV'] })
  recoveryCodes!: readonly string[];
}

/** Time for which a session need not show the second factor again. */
export class SecondFactorShown {
  @ApiProperty({ description: 'When a code is required again: 15 minutes from now.' })
  validUntil!: Date;
}
