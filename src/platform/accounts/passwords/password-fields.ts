import { TextField } from '../../../common/fields/index.js';
import { PASSWORD_MAX, PASSWORD_MIN } from './password-rule.js';

const NEW_PASSWORD = `At least ${PASSWORD_MIN} characters, used exactly as sent. Not one of the commonest passwords, nor the e-mail address or the name of the tenant.`;

/** A new password. The service that takes it must also call `refuseGuessable`. */
export const NewPasswordField = (description = NEW_PASSWORD): PropertyDecorator =>
  TextField({
    description,
    min: PASSWORD_MIN,
    max: PASSWORD_MAX,
    verbatim: true,
    example: 'a heron counts seven reeds',
  });

/** A password that is compared with the one in use. */
export const PasswordField = (description: string, options: { readonly optional?: boolean } = {}): PropertyDecorator =>
  TextField({ description, max: PASSWORD_MAX, verbatim: true, example: 'correct horse battery staple', ...options });
