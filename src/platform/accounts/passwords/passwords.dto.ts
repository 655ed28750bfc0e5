import { EmailField, TextField } from '../../../common/fields/index.js';
import { NewPasswordField, PasswordField } from './password-fields.js';

/** A change of the caller's own password. */
export class ChangePassword {
  @PasswordField('The current password.')
  currentPassword!: string;

  @NewPasswordField()
  newPassword!: string;
}

/** A request for a link to set a new password. */
export class RequestReset {
  @EmailField({ description: 'E-mail address of the user.' })
  email!: string;
}

/** A new password by a mailed link. */
export class ResetPassword {
  @TextField({
    description: 'The secret in the link.',
    max: 100,
    example: 'Zt2kQ0x3nqvYyJm8rL5wBf7cHd1sGa9eUo4iPpX6TzE',
  })
  token!: string;

  @NewPasswordField()
  newPassword!: string;
}
