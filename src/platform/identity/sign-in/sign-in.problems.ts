import { defineProblem } from '../../../common/problems/index.js';

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

export const LoginLinkInvalid = defineProblem(
  {
    code: 'login_link_invalid',
    status: 410,
    title: 'This link is no longer valid',
    cause: 'The log-in link was used before, is more than 15 minutes old, or is incomplete.',
    remedy: 'Ask the operator for another link.',
  },
  () => 'A log-in link works once, within 15 minutes. Ask the operator for another one.',
);
