import { EmailField, IdField } from '../../common/fields/index.js';
import { PasswordField } from '../accounts/index.js';
import { SecondFactorField } from './second-factor/second-factor.dto.js';

/** The credentials of a user. */
export class Login {
  @EmailField({ description: 'E-mail address of the user.' })
  email!: string;

  @PasswordField('Password of the user.')
  password!: string;

  @SecondFactorField({ optional: true })
  code?: string;
}

/** The tenant to switch to. */
export class SwitchTenant {
  @IdField({ description: 'One of the tenants of `GET /auth/me`.' })
  tenantId!: string;
}
