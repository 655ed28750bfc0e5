import { defineProblem } from '../../../common/problems/index.js';
import { typed } from '../../../common/system/index.js';

export const WrongPassword = defineProblem(
  {
    code: 'wrong_password',
    status: 403,
    title: 'Wrong password',
    cause: 'The password is not that of the user who is logged in.',
    remedy: 'Send the password with which you log in.',
  },
  () => 'This is not the password with which you log in.',
);

export const ResetLinkInvalid = defineProblem(
  {
    code: 'reset_link_invalid',
    status: 410,
    title: 'This link no longer works',
    cause: 'The link was used, is older than 30 minutes, or a newer one was requested.',
    remedy: 'Request another link with POST /auth/password/reset-request.',
  },
  () => 'A link works once, within 30 minutes, and only the newest one does. Request another one.',
);

export const MailNotConfigured = defineProblem(
  {
    code: 'mail_not_configured',
    status: 409,
    title: 'No mail server',
    cause: 'The service has no mail server (SMTP_URL), so it cannot mail links to anyone.',
    remedy: `Ask the operator to run \`${typed('admin', 'reset-password <email>')}\`.`,
  },
  () =>
    `This service sends no mail. Ask its operator to run \`${typed('admin', 'reset-password')}\` with your e-mail address.`,
);

export const PasswordLoginDisabled = defineProblem(
  {
    code: 'password_login_disabled',
    status: 403,
    title: 'Log-in by password is switched off',
    cause: 'PASSWORD_LOGIN is off, or the operator ran the command disable-password-login.',
    remedy: 'Sign in through the provider that GET /auth/methods names, or ask the operator for a log-in link.',
  },
  () => 'The operator has switched off log-in by password. Sign in through the identity provider.',
);
